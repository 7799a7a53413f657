// A view of another shape, carried by an affine loop of 3 iterations inside a
// branch.
//
// The carried value and the new one, with two shapes: 128 bytes.
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %v0 = memref.load %a[%c0] : memref<8xi64>
  %go = arith.cmpi eq, %v0, %k1 : i64
  %z = scf.if %go -> (memref<8xi64>) {
    %r = affine.for %ri = 0 to 3 iter_args(%rx0 = %a) -> (memref<8xi64>) {
      %n = memref.alloc() : memref<8xi64>
      %nv = memref.expand_shape %n [[0, 1]] output_shape [2, 4] : memref<8xi64> into memref<2x4xi64>
      %nc = memref.collapse_shape %nv [[0, 1]] : memref<2x4xi64> into memref<8xi64>
      linalg.map { arith.addi } ins(%rx0, %rx0 : memref<8xi64>, memref<8xi64>) outs(%nc : memref<8xi64>)
      affine.yield %nc : memref<8xi64>
    }
    scf.yield %r : memref<8xi64>
  } else {
    scf.yield %a : memref<8xi64>
  }
  %pr1 = memref.load %z[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  return
}
