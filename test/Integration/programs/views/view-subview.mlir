// A subview keeps its source live.
//
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %a = memref.alloc() : memref<16xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<16xi64>)
  %v = memref.subview %a[8] [8] [1] : memref<16xi64> to memref<8xi64, strided<[1], offset: 8>>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  %s1 = memref.load %v[%c0] : memref<8xi64, strided<[1], offset: 8>>
  vector.print %s1 : i64
  %s2 = memref.load %b[%c0] : memref<8xi64>
  vector.print %s2 : i64
  return
}
