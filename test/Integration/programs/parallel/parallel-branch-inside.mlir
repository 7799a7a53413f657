// Exclusive branches in different iterations run at the same time.
//
// 64 bytes, and for each of 8 workers the 64 bytes of either branch.
// CHECK: arena @main: naive=1088 others=576
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %k5 = arith.constant 5 : i64
  %k6 = arith.constant 6 : i64
  %o = memref.alloc() : memref<8xi64>
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %x = arith.index_cast %i : index to i64
    %odd = arith.trunci %x : i64 to i1
    scf.if %odd {
      %t = memref.alloc() : memref<8xi64>
      linalg.fill ins(%k6 : i64) outs(%t : memref<8xi64>)
      %z = memref.load %t[%i] : memref<8xi64>
      memref.store %z, %o[%i] : memref<8xi64>
    } else {
      %t = memref.alloc() : memref<8xi64>
      linalg.fill ins(%k5 : i64) outs(%t : memref<8xi64>)
      %z = memref.load %t[%i] : memref<8xi64>
      memref.store %z, %o[%i] : memref<8xi64>
    }
    scf.reduce
  }
  %s1 = memref.load %o[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %q = memref.load %o[%c7] : memref<8xi64>
  vector.print %q : i64
  return
}
