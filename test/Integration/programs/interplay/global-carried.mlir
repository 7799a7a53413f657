// A loop that starts from a global: the global is never a slot.
//
// 128 bytes are live at one time, so no plan is smaller.
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

memref.global "private" @g : memref<8xi64> = dense<5>
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %k1 = arith.constant 1 : i64
  %g = memref.get_global @g : memref<8xi64>
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%p = %g) -> (memref<8xi64>) {
    %n = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k1 : i64) outs(%n : memref<8xi64>)
    linalg.map { arith.addi } ins(%n, %p : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
    scf.yield %n : memref<8xi64>
  }
  %s1 = memref.load %g[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %s2 = memref.load %r[%c0] : memref<8xi64>
  vector.print %s2 : i64
  return
}
