// Written through a view, read through the source.
//
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %k1 = arith.constant 1 : i64
  %k3 = arith.constant 3 : i64
  %k7 = arith.constant 7 : i64
  %a = memref.alloc() : memref<16xi64>
  linalg.fill ins(%k3 : i64) outs(%a : memref<16xi64>)
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k7 : i64) outs(%b : memref<8xi64>)
  %v = memref.subview %a[0] [8] [1] : memref<16xi64> to memref<8xi64, strided<[1]>>
  memref.copy %b, %v : memref<8xi64> to memref<8xi64, strided<[1]>>
  linalg.fill ins(%k1 : i64) outs(%b : memref<8xi64>)
  %s1 = memref.load %a[%c0] : memref<16xi64>
  vector.print %s1 : i64
  %r = memref.load %a[%c8] : memref<16xi64>
  vector.print %r : i64
  %s2 = memref.load %b[%c0] : memref<8xi64>
  vector.print %s2 : i64
  return
}
