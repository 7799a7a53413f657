// A view taken before the loop and used in it.
//
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %k1 = arith.constant 1 : i64
  %k5 = arith.constant 5 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %v = memref.subview %a[2] [4] [1] : memref<8xi64> to memref<4xi64, strided<[1], offset: 2>>
  scf.for %i = %c0 to %c2 step %c1 {
    %t = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k5 : i64) outs(%t : memref<8xi64>)
    %x = memref.load %t[%c0] : memref<8xi64>
    memref.store %x, %t[%c1] : memref<8xi64>
    %s1 = memref.load %v[%c0] : memref<4xi64, strided<[1], offset: 2>>
    vector.print %s1 : i64
  }
  return
}
