// A select between views of two buffers.
//
// CHECK: arena @main: naive=320 others=320
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k5 = arith.constant 5 : i64
  %true = arith.constant true
  %a = memref.alloc() : memref<16xi64>
  %b = memref.alloc() : memref<16xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<16xi64>)
  linalg.fill ins(%k2 : i64) outs(%b : memref<16xi64>)
  %v = memref.subview %a[0] [8] [1] : memref<16xi64> to memref<8xi64, strided<[1]>>
  %w = memref.subview %b[0] [8] [1] : memref<16xi64> to memref<8xi64, strided<[1]>>
  %r = arith.select %true, %v, %w : memref<8xi64, strided<[1]>>
  %c = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k5 : i64) outs(%c : memref<8xi64>)
  %s1 = memref.load %r[%c0] : memref<8xi64, strided<[1]>>
  vector.print %s1 : i64
  %s2 = memref.load %c[%c0] : memref<8xi64>
  vector.print %s2 : i64
  return
}
