// A stencil that reads the result of the previous sweep.
//
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  affine.for %s = 0 to 3 {
    affine.for %i = 0 to 8 {
      %x = affine.load %a[%i] : memref<8xi64>
      affine.store %x, %b[%i] : memref<8xi64>
    }
    affine.for %i = 0 to 8 {
      %x = affine.load %b[%i] : memref<8xi64>
      %y = affine.load %b[7 - %i] : memref<8xi64>
      %z = arith.addi %x, %y : i64
      affine.store %z, %a[%i] : memref<8xi64>
    }
  }
  %s1 = memref.load %a[%c0] : memref<8xi64>
  vector.print %s1 : i64
  return
}
