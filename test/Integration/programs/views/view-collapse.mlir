// collapse_shape of a matrix, summed by rows.
//
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k6 = arith.constant 6 : i64
  %k9 = arith.constant 9 : i64
  %a = memref.alloc() : memref<2x4xi64>
  linalg.fill ins(%k6 : i64) outs(%a : memref<2x4xi64>)
  %v = memref.collapse_shape %a [[0, 1]] : memref<2x4xi64> into memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k9 : i64) outs(%b : memref<8xi64>)
  %s1 = memref.load %v[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %s2 = memref.load %b[%c0] : memref<8xi64>
  vector.print %s2 : i64
  return
}
