// Four carried buffers are shifted in a cycle, and one is updated.
//
// Four buffers: 256 bytes.
// CHECK: arena @main: naive=256 others=256
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k3 = arith.constant 3 : i64
  %k4 = arith.constant 4 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  %c = memref.alloc() : memref<8xi64>
  %d = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  linalg.fill ins(%k3 : i64) outs(%c : memref<8xi64>)
  linalg.fill ins(%k4 : i64) outs(%d : memref<8xi64>)
  %r:4 = scf.for %i = %c0 to %c5 step %c1 iter_args(%p = %a, %q = %b, %s = %c, %t = %d) -> (memref<8xi64>, memref<8xi64>, memref<8xi64>, memref<8xi64>) {
    linalg.map { arith.addi } ins(%p, %t : memref<8xi64>, memref<8xi64>) outs(%p : memref<8xi64>)
    scf.yield %q, %s, %t, %p : memref<8xi64>, memref<8xi64>, memref<8xi64>, memref<8xi64>
  }
  %pr1 = memref.load %r#0[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  %pr2 = memref.load %r#1[%c0] : memref<8xi64>
  vector.print %pr2 : i64
  %pr3 = memref.load %r#2[%c0] : memref<8xi64>
  vector.print %pr3 : i64
  %pr4 = memref.load %r#3[%c0] : memref<8xi64>
  vector.print %pr4 : i64
  return
}
