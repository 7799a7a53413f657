// Affine loads and stores in an affine loop.
//
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : index
  %k3 = arith.constant 3 : i64
  %k4 = arith.constant 4 : i64
  %a = memref.alloc() : memref<8xi64>
  affine.for %i = 0 to 8 {
    %t = memref.alloc() : memref<8xi64>
    affine.store %k3, %t[%i] : memref<8xi64>
    %x = affine.load %t[%i] : memref<8xi64>
    %y = arith.muli %x, %k4 : i64
    affine.store %y, %a[%i] : memref<8xi64>
    %z = arith.cmpi eq, %i, %c7 : index
    scf.if %z {
      vector.print %x : i64
    }
  }
  %s1 = memref.load %a[%c0] : memref<8xi64>
  vector.print %s1 : i64
  return
}
