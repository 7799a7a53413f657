// PROGRAM: plain
// PROGRAM: deallocate
//
// As guarded-free-argument-for.mlir, with constants instead of an argument.
//
// The buffers of the previous and of this iteration.
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

memref.global "private" constant @g : memref<8xi64> = dense<3>
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %a = memref.get_global @g : memref<8xi64>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%p = %a) -> (memref<8xi64>) {
    %n = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%p, %p : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
    scf.yield %n : memref<8xi64>
  }
  %pr1 = memref.load %r[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  return
}
