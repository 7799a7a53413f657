// The body yields a buffer of the function, which it also writes.
//
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %k1 = arith.constant 1 : i64
  %k10 = arith.constant 10 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  linalg.fill ins(%k10 : i64) outs(%b : memref<8xi64>)
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%p = %a) -> (memref<8xi64>) {
    linalg.map { arith.addi } ins(%b, %p : memref<8xi64>, memref<8xi64>) outs(%b : memref<8xi64>)
    scf.yield %b : memref<8xi64>
  }
  %s1 = memref.load %a[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %x = memref.load %r[%c0] : memref<8xi64>
  %y = arith.subi %x, %k10 : i64
  vector.print %y : i64
  return
}
