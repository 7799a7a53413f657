// Two steps in a loop that exchanges two carried buffers.
//
// CHECK: 17
// CHECK-NEXT: 107
// Two carried buffers, %t and %u of the step: 256 bytes.
// CHECK: arena @main: naive=320 others=256
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  %o = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  linalg.fill ins(%k0 : i64) outs(%o : memref<8xi64>)
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %a, %y = %b) -> (memref<8xi64>, memref<8xi64>) {
    %t = memref.alloc() : memref<8xi64>
    %u = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%x, %y : memref<8xi64>, memref<8xi64>) outs(%t : memref<8xi64>) {memplan.step = 0}
    linalg.map { arith.muli } ins(%x, %y : memref<8xi64>, memref<8xi64>) outs(%u : memref<8xi64>) {memplan.step = 0}
    linalg.map { arith.addi } ins(%t, %u : memref<8xi64>, memref<8xi64>) outs(%x : memref<8xi64>)
    scf.yield %y, %x : memref<8xi64>, memref<8xi64>
  }
  %pr1 = memref.load %r#0[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  %pr2 = memref.load %r#1[%c0] : memref<8xi64>
  vector.print %pr2 : i64
  return
}
