// A tridiagonal solver: a forward sweep with two work arrays, a backward sweep;
// d is dead after the forward sweep.
//
// CHECK: 74700
// %cp and %dp are live to the end; %x has the bytes of %d: 192 bytes.
// CHECK: arena @main: naive=256 others=192
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %k1 = arith.constant 1 : i64
  %k100 = arith.constant 100 : i64
  %d = memref.alloc() : memref<8xi64>
  %cp = memref.alloc() : memref<8xi64>
  %dp = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k100 : i64) outs(%d : memref<8xi64>)
  memref.store %k1, %cp[%c0] : memref<8xi64>
  %d0 = memref.load %d[%c0] : memref<8xi64>
  memref.store %d0, %dp[%c0] : memref<8xi64>
  scf.for %i = %c1 to %c8 step %c1 {
    %im = arith.subi %i, %c1 : index
    %a = memref.load %cp[%im] : memref<8xi64>
    %b = memref.load %dp[%im] : memref<8xi64>
    %e = memref.load %d[%i] : memref<8xi64>
    %f = arith.addi %a, %k1 : i64
    memref.store %f, %cp[%i] : memref<8xi64>
    %g = arith.subi %e, %b : i64
    memref.store %g, %dp[%i] : memref<8xi64>
  }
  %x = memref.alloc() : memref<8xi64>
  %l = memref.load %dp[%c7] : memref<8xi64>
  memref.store %l, %x[%c7] : memref<8xi64>
  scf.for %i = %c1 to %c8 step %c1 {
    %j = arith.subi %c7, %i : index
    %jp = arith.addi %j, %c1 : index
    %a = memref.load %cp[%j] : memref<8xi64>
    %b = memref.load %x[%jp] : memref<8xi64>
    %e = memref.load %dp[%j] : memref<8xi64>
    %f = arith.muli %a, %b : i64
    %g = arith.subi %e, %f : i64
    memref.store %g, %x[%j] : memref<8xi64>
  }
  %s1 = memref.load %x[%c0] : memref<8xi64>
  vector.print %s1 : i64
  return
}
