// Vectors of bits take a byte for eight of them: planning as a slice and in
// place relies on that.
//
// CHECK: arena @main:
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c15 = arith.constant 15 : index
  %c8 = arith.constant 8 : index
  %r = memref.alloc() : memref<16xvector<8xi1>>
  %q = memref.alloc() : memref<8xvector<8xi1>>
  affine.for %i = 0 to 8 {
    %j = arith.addi %i, %c1 : index
    %m = vector.create_mask %j : vector<8xi1>
    memref.store %m, %q[%i] : memref<8xvector<8xi1>>
  }
  %s1 = memref.subview %r[8] [8] [1] : memref<16xvector<8xi1>> to memref<8xvector<8xi1>, strided<[1], offset: 8>>
  memref.copy %q, %s1 : memref<8xvector<8xi1>> to memref<8xvector<8xi1>, strided<[1], offset: 8>>
  %p = memref.alloc() : memref<8xvector<8xi1>>
  affine.for %i = 0 to 8 {
    %j = arith.subi %c8, %i : index
    %m = vector.create_mask %j : vector<8xi1>
    memref.store %m, %p[%i] : memref<8xvector<8xi1>>
  }
  %s0 = memref.subview %r[0] [8] [1] : memref<16xvector<8xi1>> to memref<8xvector<8xi1>, strided<[1]>>
  memref.copy %p, %s0 : memref<8xvector<8xi1>> to memref<8xvector<8xi1>, strided<[1]>>
  %w = memref.alloc() : memref<16xi64>
  affine.for %i = 0 to 16 {
    %m = memref.load %r[%i] : memref<16xvector<8xi1>>
    %b = vector.bitcast %m : vector<8xi1> to vector<1xi8>
    %s = vector.extract %b[0] : i8 from vector<1xi8>
    %e = arith.extui %s : i8 to i64
    memref.store %e, %w[%i] : memref<16xi64>
  }
  %x = memref.load %w[%c0] : memref<16xi64>
  vector.print %x : i64
  %y = memref.load %w[%c1] : memref<16xi64>
  vector.print %y : i64
  %z = memref.load %w[%c8] : memref<16xi64>
  vector.print %z : i64
  %v = memref.load %w[%c15] : memref<16xi64>
  vector.print %v : i64
  return
}
