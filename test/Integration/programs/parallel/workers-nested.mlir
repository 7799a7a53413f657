// A parallel loop in another one, each with its own buffer, which is live while
// the inner loop runs.
//
// 64 bytes of %o; for each of 2 workers 64 of %t and 3 times 64 of %u.
// CHECK: arena @main: naive=576 others=576
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %k100 = arith.constant 100 : i64
  %o = memref.alloc() : memref<2x4xi64>
  scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
    %t = memref.alloc() : memref<8xi64>
    %x = arith.index_cast %i : index to i64
    %y = arith.muli %x, %k100 : i64
    linalg.fill ins(%y : i64) outs(%t : memref<8xi64>)
    scf.parallel (%j) = (%c0) to (%c3) step (%c1) {
      %u = memref.alloc() : memref<8xi64>
      %a = arith.index_cast %j : index to i64
      linalg.fill ins(%a : i64) outs(%u : memref<8xi64>)
      linalg.map { arith.addi } ins(%t, %u : memref<8xi64>, memref<8xi64>) outs(%u : memref<8xi64>)
      %b = memref.load %u[%j] : memref<8xi64>
      memref.store %b, %o[%i, %j] : memref<2x4xi64>
    }
  }
  scf.for %p = %c0 to %c2 step %c1 {
    scf.for %r = %c0 to %c3 step %c1 {
      %q = memref.load %o[%p, %r] : memref<2x4xi64>
      vector.print %q : i64
    }
  }
  return
}
