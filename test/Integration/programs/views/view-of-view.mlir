// Four nested views; the last use of any is the last use of the source.
//
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %a = memref.alloc() : memref<16xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<16xi64>)
  %v1 = memref.expand_shape %a [[0, 1]] output_shape [4, 4] : memref<16xi64> into memref<4x4xi64>
  %v2 = memref.subview %v1[1, 0] [2, 4] [1, 1] : memref<4x4xi64> to memref<2x4xi64, strided<[4, 1], offset: 4>>
  %v3 = memref.subview %v2[1, 0] [1, 4] [1, 1] : memref<2x4xi64, strided<[4, 1], offset: 4>> to memref<4xi64, strided<[1], offset: 8>>
  %v4 = memref.cast %v3 : memref<4xi64, strided<[1], offset: 8>> to memref<?xi64, strided<[?], offset: ?>>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  %s1 = memref.load %v4[%c0] : memref<?xi64, strided<[?], offset: ?>>
  vector.print %s1 : i64
  %s2 = memref.load %b[%c0] : memref<8xi64>
  vector.print %s2 : i64
  return
}
