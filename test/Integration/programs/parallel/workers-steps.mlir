// Bounds and steps other than 0 and 1, in two dimensions: the number of the
// iteration determines the frame.
//
// 320 bytes of %o, and 64 for each of 4 workers.
// CHECK: arena @main: naive=576 others=576
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %k1000 = arith.constant 1000 : i64
  %o = memref.alloc() : memref<5x8xi64>
  affine.parallel (%i, %j) = (1, 0) to (5, 3) step (3, 2) {
    %t = memref.alloc() : memref<8xi64>
    %x = arith.index_cast %i : index to i64
    %y = arith.muli %x, %k1000 : i64
    %a = arith.index_cast %j : index to i64
    %b = arith.addi %y, %a : i64
    linalg.fill ins(%b : i64) outs(%t : memref<8xi64>)
    %z = affine.load %t[%j] : memref<8xi64>
    affine.store %z, %o[%i, %j] : memref<5x8xi64>
  }
  scf.for %p = %c1 to %c5 step %c3 {
    scf.for %r = %c0 to %c3 step %c2 {
      %q = memref.load %o[%p, %r] : memref<5x8xi64>
      vector.print %q : i64
    }
  }
  return
}
