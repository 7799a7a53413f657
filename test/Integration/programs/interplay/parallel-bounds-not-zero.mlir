// scf.parallel with lower bound and step not 1.
//
// 128 bytes of %o and 64 for each of three workers: 320.
// CHECK: arena @main: naive=320 others=320
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c10 = arith.constant 10 : index
  %c12 = arith.constant 12 : index
  %k0 = arith.constant 0 : i64
  %o = memref.alloc() : memref<16xi64>
  linalg.fill ins(%k0 : i64) outs(%o : memref<16xi64>)
  scf.parallel (%i) = (%c3) to (%c10) step (%c3) {
    %t = memref.alloc() : memref<8xi64>
    %iv = arith.index_cast %i : index to i64
    linalg.fill ins(%iv : i64) outs(%t : memref<8xi64>)
    %e = memref.load %t[%c2] : memref<8xi64>
    memref.store %e, %o[%i] : memref<16xi64>
  }
  scf.for %i = %c0 to %c12 step %c1 {
    %e = memref.load %o[%i] : memref<16xi64>
    vector.print %e : i64
  }
  return
}
