// Buffers of different element types share the same bytes.
//
// CHECK: arena @main: naive=192 others=64
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %f32_2 = arith.constant 2.0 : f32
  %i8_3 = arith.constant 3 : i8
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %s1 = memref.load %a[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%f32_2 : f32) outs(%b : memref<16xf32>)
  %s2 = memref.load %b[%c0] : memref<16xf32>
  vector.print %s2 : f32
  %c = memref.alloc() : memref<64xi8>
  linalg.fill ins(%i8_3 : i8) outs(%c : memref<64xi8>)
  %s3 = memref.load %c[%c0] : memref<64xi8>
  vector.print %s3 : i8
  return
}
