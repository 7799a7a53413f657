// linalg.transpose into a buffer of the transposed shape.
//
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %k1 = arith.constant 1 : i64
  %k5 = arith.constant 5 : i64
  %a = memref.alloc() : memref<2x4xi64>
  %b = memref.alloc() : memref<4x2xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<2x4xi64>)
  memref.store %k5, %a[%c1, %c2] : memref<2x4xi64>
  linalg.transpose ins(%a : memref<2x4xi64>) outs(%b : memref<4x2xi64>) permutation = [1, 0]
  %x = memref.load %b[%c2, %c1] : memref<4x2xi64>
  vector.print %x : i64
  %s1 = memref.load %b[%c0, %c0] : memref<4x2xi64>
  vector.print %s1 : i64
  return
}
