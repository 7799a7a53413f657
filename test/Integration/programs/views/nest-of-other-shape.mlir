// A loop reads and writes elements of equal indices in buffers with equally
// many elements but other shapes: these are not the same bytes, so neither
// buffer may overwrite the other.
//
// CHECK: arena @main: naive=256 others=256
// CHECK-NOT: left

func.func @main() {
  %c10 = arith.constant 10 : index
  %a = memref.alloc() : memref<8x2xi64>
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 2 {
      %m = arith.muli %i, %c10 : index
      %n = arith.addi %m, %j : index
      %v = arith.index_cast %n : index to i64
      affine.store %v, %a[%i, %j] : memref<8x2xi64>
    }
  }
  %b = memref.alloc() : memref<4x4xi64>
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 2 {
      %x = affine.load %a[%i, %j] : memref<8x2xi64>
      affine.store %x, %b[%i, %j] : memref<4x4xi64>
    }
  }
  affine.for %i = 0 to 3 {
    affine.for %j = 0 to 2 {
      %x = affine.load %b[%i, %j] : memref<4x4xi64>
      vector.print %x : i64
    }
  }
  return
}
