// Two groups of carried buffers, which are exchanged in only one branch.
//
// CHECK: 106
// CHECK-NEXT: 147
// Two old values and two new ones, exchanged in one iteration: 256 bytes.
// CHECK: arena @main: naive=256 others=256
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  %r:2 = scf.for %i = %c0 to %c5 step %c1 iter_args(%p = %a, %q = %b) -> (memref<8xi64>, memref<8xi64>) {
    %x = memref.alloc() : memref<8xi64>
    %y = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%p, %q : memref<8xi64>, memref<8xi64>) outs(%x : memref<8xi64>)
    linalg.map { arith.addi } ins(%p, %p : memref<8xi64>, memref<8xi64>) outs(%y : memref<8xi64>)
    linalg.map { arith.addi } ins(%y, %q : memref<8xi64>, memref<8xi64>) outs(%y : memref<8xi64>)
    %c = arith.cmpi eq, %i, %c2 : index
    %z:2 = scf.if %c -> (memref<8xi64>, memref<8xi64>) {
      scf.yield %y, %x : memref<8xi64>, memref<8xi64>
    } else {
      scf.yield %x, %y : memref<8xi64>, memref<8xi64>
    }
    scf.yield %z#0, %z#1 : memref<8xi64>, memref<8xi64>
  }
  %pr1 = memref.load %r#0[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  %pr2 = memref.load %r#1[%c0] : memref<8xi64>
  vector.print %pr2 : i64
  return
}
