// New buffers of 8xi64, carried as memref<2x4> views in alternate iterations
// (expand and collapse).
//
// The previous buffer and the new one, with two shapes: 128 bytes.
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %k1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %x = memref.expand_shape %a [[0, 1]] output_shape [2, 4] : memref<8xi64> into memref<2x4xi64>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %x) -> (memref<2x4xi64>) {
    %f = memref.collapse_shape %p [[0, 1]] : memref<2x4xi64> into memref<8xi64>
    %n = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%f, %f : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
    %y = memref.expand_shape %n [[0, 1]] output_shape [2, 4] : memref<8xi64> into memref<2x4xi64>
    scf.yield %y : memref<2x4xi64>
  }
  %pr1 = memref.load %r[%c0, %c0] : memref<2x4xi64>
  vector.print %pr1 : i64
  return
}
