// affine.parallel 2x3 with private buffers of alignment 128 and of 1 byte.
//
// Six frames of 128 bytes, which are aligned to 128, and 48 bytes of %o: 816.
// CHECK: arena @main: naive=896 linear-scan=896 greedy=816 greedy-by-breadth=816 best-fit=816 auto=816
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %k10 = arith.constant 10 : i64
  %o = memref.alloc() : memref<2x3xi64>
  affine.parallel (%i, %j) = (0, 0) to (2, 3) {
    %t = memref.alloc() {alignment = 128 : i64} : memref<8xi64>
    %b = memref.alloc() : memref<3xi8>
    %iv = arith.index_cast %i : index to i64
    %jv = arith.index_cast %j : index to i64
    %s = arith.muli %iv, %k10 : i64
    %s2 = arith.addi %s, %jv : i64
    linalg.fill ins(%s2 : i64) outs(%t : memref<8xi64>)
    %s8 = arith.trunci %s2 : i64 to i8
    memref.store %s8, %b[%c2] : memref<3xi8>
    %q = memref.load %b[%c2] : memref<3xi8>
    %q64 = arith.extsi %q : i8 to i64
    %v = memref.load %t[%c1] : memref<8xi64>
    %w = arith.addi %v, %q64 : i64
    memref.store %w, %o[%i, %j] : memref<2x3xi64>
  }
  %v1 = memref.load %o[%c1, %c2] : memref<2x3xi64>
  vector.print %v1 : i64
  %v2 = memref.load %o[%c0, %c1] : memref<2x3xi64>
  vector.print %v2 : i64
  return
}
