// PROGRAM: scope=module entry-points=main
//
// A loop frees the previous buffer, and the callee returns a new one in each
// iteration, as in the output of the ownership pipeline.
//
// The carried value and the callee's result: 128 bytes.
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func private @step(%p: memref<8xi64>) -> memref<8xi64> {
  %n = memref.alloc() : memref<8xi64>
  linalg.map { arith.addi } ins(%p, %p : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
  return %n : memref<8xi64>
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %k1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %a) -> (memref<8xi64>) {
    %n = func.call @step(%p) : (memref<8xi64>) -> memref<8xi64>
    memref.dealloc %p : memref<8xi64>
    scf.yield %n : memref<8xi64>
  }
  %pr1 = memref.load %r[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  memref.dealloc %r : memref<8xi64>
  return
}
