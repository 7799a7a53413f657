// The offset of the subview is known only at run time.
//
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %k4 = arith.constant 4 : i64
  %k5 = arith.constant 5 : i64
  %k9 = arith.constant 9 : i64
  %a = memref.alloc() : memref<16xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k4 : i64) outs(%a : memref<16xi64>)
  linalg.fill ins(%k9 : i64) outs(%b : memref<8xi64>)
  memref.store %k5, %a[%c8] : memref<16xi64>
  scf.for %i = %c0 to %c2 step %c1 {
    %o = arith.muli %i, %c8 : index
    %v = memref.subview %a[%o] [8] [1] : memref<16xi64> to memref<8xi64, strided<[1], offset: ?>>
    %s1 = memref.load %v[%c0] : memref<8xi64, strided<[1], offset: ?>>
    vector.print %s1 : i64
  }
  %s2 = memref.load %b[%c0] : memref<8xi64>
  vector.print %s2 : i64
  return
}
