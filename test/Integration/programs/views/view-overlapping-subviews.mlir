// Two overlapping views of one buffer, written one after the other.
//
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k7 = arith.constant 7 : i64
  %a = memref.alloc() : memref<16xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<16xi64>)
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k7 : i64) outs(%b : memref<8xi64>)
  %v = memref.subview %a[2] [6] [1] : memref<16xi64> to memref<6xi64, strided<[1], offset: 2>>
  %w = memref.subview %a[4] [6] [1] : memref<16xi64> to memref<6xi64, strided<[1], offset: 4>>
  linalg.fill ins(%k2 : i64) outs(%w : memref<6xi64, strided<[1], offset: 4>>)
  %s1 = memref.load %v[%c0] : memref<6xi64, strided<[1], offset: 2>>
  vector.print %s1 : i64
  %x = memref.load %v[%c2] : memref<6xi64, strided<[1], offset: 2>>
  vector.print %x : i64
  %s2 = memref.load %w[%c0] : memref<6xi64, strided<[1], offset: 4>>
  vector.print %s2 : i64
  %s3 = memref.load %b[%c0] : memref<8xi64>
  vector.print %s3 : i64
  return
}
