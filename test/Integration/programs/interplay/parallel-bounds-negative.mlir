// scf.parallel from a negative lower bound.
//
// 128 bytes of %o and 64 for each of two workers: 256.
// CHECK: arena @main: naive=256 others=256
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %k0 = arith.constant 0 : i64
  %cm2 = arith.constant -2 : index
  %o = memref.alloc() : memref<16xi64>
  linalg.fill ins(%k0 : i64) outs(%o : memref<16xi64>)
  scf.parallel (%i) = (%cm2) to (%c2) step (%c2) {
    %t = memref.alloc() : memref<8xi64>
    %x = arith.addi %i, %c4 : index
    %iv = arith.index_cast %x : index to i64
    linalg.fill ins(%iv : i64) outs(%t : memref<8xi64>)
    %e = memref.load %t[%c2] : memref<8xi64>
    memref.store %e, %o[%x] : memref<16xi64>
  }
  scf.for %i = %c0 to %c8 step %c1 {
    %e = memref.load %o[%i] : memref<16xi64>
    vector.print %e : i64
  }
  return
}
