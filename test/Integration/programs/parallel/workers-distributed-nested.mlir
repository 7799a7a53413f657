// PROGRAM: workers=distribute:3
//
// Two dimensions with unknown bounds and a step, an inner parallel loop with
// many iterations, and a shared buffer to which each iteration writes a
// different element.
//
// 5 * 4 iterations; %i counts 1, 3, .., 9 and %j 0, .., 3; each inner one of 10
// adds %i + 10 * %j + %k: 10 * (4 * 25 + 10 * 5 * 6) + 20 * 45.
// CHECK: 4900
// 3 workers with 128 bytes of %t and 3 workers of 64 bytes of %u each.
// CHECK: arena @run: naive=960 others=960
// CHECK: arena @main: naive=1600 others=1600
// CHECK-NOT: left

func.func @run(%n: index, %m: index, %s: index, %o: memref<5x4x10xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %k10 = arith.constant 10 : i64
  scf.forall (%i, %j) = (1, 0) to (%n, %m) step (%s, 1) {
    %t = memref.alloc() : memref<16xi64>
    %x = arith.index_cast %i : index to i64
    %y = arith.index_cast %j : index to i64
    %z = arith.muli %y, %k10 : i64
    %v = arith.addi %x, %z : i64
    linalg.fill ins(%v : i64) outs(%t : memref<16xi64>)
    %row = arith.divui %i, %s : index
    affine.parallel (%k) = (0) to (10) {
      %u = memref.alloc() : memref<8xi64>
      %a = arith.index_cast %k : index to i64
      linalg.fill ins(%a : i64) outs(%u : memref<8xi64>)
      %b = affine.load %u[%k mod 8] : memref<8xi64>
      %c = affine.load %t[%k] : memref<16xi64>
      %d = arith.addi %b, %c : i64
      memref.store %d, %o[%row, %j, %k] : memref<5x4x10xi64>
    }
  }
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c10 = arith.constant 10 : index
  %k0 = arith.constant 0 : i64
  %o = memref.alloc() : memref<5x4x10xi64>
  linalg.fill ins(%k0 : i64) outs(%o : memref<5x4x10xi64>)
  call @run(%c10, %c4, %c2, %o) : (index, index, index, memref<5x4x10xi64>) -> ()
  %sum = scf.for %i = %c0 to %c5 step %c1 iter_args(%s0 = %k0) -> i64 {
    %s1 = scf.for %j = %c0 to %c4 step %c1 iter_args(%s2 = %s0) -> i64 {
      %s3 = scf.for %k = %c0 to %c10 step %c1 iter_args(%s4 = %s2) -> i64 {
        %q = memref.load %o[%i, %j, %k] : memref<5x4x10xi64>
        %s5 = arith.addi %s4, %q : i64
        scf.yield %s5 : i64
      }
      scf.yield %s3 : i64
    }
    scf.yield %s1 : i64
  }
  vector.print %sum : i64
  return
}
