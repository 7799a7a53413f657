// affine.parallel with steps and constant offset bounds.
//
// 128 bytes of %o and 64 for each of four workers: 384.
// CHECK: arena @main: naive=384 others=384
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c12 = arith.constant 12 : index
  %k0 = arith.constant 0 : i64
  %o = memref.alloc() : memref<16xi64>
  linalg.fill ins(%k0 : i64) outs(%o : memref<16xi64>)
  affine.parallel (%i, %j) = (2, 0) to (12, 2) step (5, 1) {
    %t = memref.alloc() : memref<8xi64>
    %x = arith.addi %i, %j : index
    %iv = arith.index_cast %x : index to i64
    linalg.fill ins(%iv : i64) outs(%t : memref<8xi64>)
    %e = memref.load %t[%c2] : memref<8xi64>
    memref.store %e, %o[%x] : memref<16xi64>
  }
  scf.for %i = %c0 to %c12 step %c1 {
    %e = memref.load %o[%i] : memref<16xi64>
    vector.print %e : i64
  }
  return
}
