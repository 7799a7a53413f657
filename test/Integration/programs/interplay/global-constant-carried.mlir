// A loop starts with a constant global and makes a new buffer each time; the
// global is read again after it.
//
// Two alternating slots and %z: 192 bytes; the global is not planned.
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

memref.global "private" constant @g : memref<8xi64> = dense<5>
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %g = memref.get_global @g : memref<8xi64>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %g) -> (memref<8xi64>) {
    %n = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%x, %g : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
    scf.yield %n : memref<8xi64>
  }
  %z = memref.alloc() : memref<8xi64>
  linalg.map { arith.addi } ins(%r, %g : memref<8xi64>, memref<8xi64>) outs(%z : memref<8xi64>)
  %pr1 = memref.load %z[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  return
}
