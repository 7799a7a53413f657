// A sequential loop with a temporary inside a parallel one.
//
// 64 bytes, and for each of 8 workers 128: %t is live while %u is.
// CHECK: arena @main: naive=1088 others=1088
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %k0 = arith.constant 0 : i64
  %k4 = arith.constant 4 : i64
  %o = memref.alloc() : memref<8xi64>
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %t = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k0 : i64) outs(%t : memref<8xi64>)
    scf.for %j = %c0 to %c3 step %c1 {
      %u = memref.alloc() : memref<8xi64>
      linalg.fill ins(%k4 : i64) outs(%u : memref<8xi64>)
      linalg.map { arith.addi } ins(%t, %u : memref<8xi64>, memref<8xi64>) outs(%t : memref<8xi64>)
    }
    %z = memref.load %t[%i] : memref<8xi64>
    memref.store %z, %o[%i] : memref<8xi64>
    scf.reduce
  }
  %s1 = memref.load %o[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %q = memref.load %o[%c7] : memref<8xi64>
  vector.print %q : i64
  return
}
