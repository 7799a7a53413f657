// Every second element by reinterpret_cast.
//
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %k5 = arith.constant 5 : i64
  %k6 = arith.constant 6 : i64
  %k9 = arith.constant 9 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k5 : i64) outs(%a : memref<8xi64>)
  memref.store %k6, %a[%c2] : memref<8xi64>
  %v = memref.reinterpret_cast %a to offset: [0], sizes: [4], strides: [2] : memref<8xi64> to memref<4xi64, strided<[2]>>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k9 : i64) outs(%b : memref<8xi64>)
  %x = memref.load %v[%c1] : memref<4xi64, strided<[2]>>
  vector.print %x : i64
  %s1 = memref.load %v[%c0] : memref<4xi64, strided<[2]>>
  vector.print %s1 : i64
  %s2 = memref.load %b[%c0] : memref<8xi64>
  vector.print %s2 : i64
  return
}
