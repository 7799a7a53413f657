// Vector elements: vector<4xf32> is 16 bytes, vector<3xf32> too.
//
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<4xvector<4xf32>>
  %b = memref.alloc() : memref<4xvector<3xf32>>
  %v = arith.constant dense<1.0> : vector<4xf32>
  %w = arith.constant dense<2.0> : vector<3xf32>
  scf.for %i = %c0 to %c4 step %c1 {
    memref.store %v, %a[%i] : memref<4xvector<4xf32>>
    memref.store %w, %b[%i] : memref<4xvector<3xf32>>
  }
  %x = memref.load %a[%c3] : memref<4xvector<4xf32>>
  vector.print %x : vector<4xf32>
  %y = memref.load %b[%c3] : memref<4xvector<3xf32>>
  vector.print %y : vector<3xf32>
  return
}
