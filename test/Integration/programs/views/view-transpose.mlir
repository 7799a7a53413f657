// A transposed view of a matrix.
//
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %k1 = arith.constant 1 : i64
  %k4 = arith.constant 4 : i64
  %k9 = arith.constant 9 : i64
  %a = memref.alloc() : memref<2x4xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<2x4xi64>)
  memref.store %k4, %a[%c1, %c2] : memref<2x4xi64>
  %v = memref.transpose %a (i, j) -> (j, i) : memref<2x4xi64> to memref<4x2xi64, strided<[1, 4]>>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k9 : i64) outs(%b : memref<8xi64>)
  %x = memref.load %v[%c2, %c1] : memref<4x2xi64, strided<[1, 4]>>
  vector.print %x : i64
  %s1 = memref.load %v[%c0, %c0] : memref<4x2xi64, strided<[1, 4]>>
  vector.print %s1 : i64
  %s2 = memref.load %b[%c0] : memref<8xi64>
  vector.print %s2 : i64
  return
}
