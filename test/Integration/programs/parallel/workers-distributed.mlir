// PROGRAM: workers=distribute:4
//
// A parallel loop with unknown bounds on four workers: with a remainder (10
// iterations), with fewer iterations than workers (2), without iterations, and
// with an end before the begin.
//
// CHECK: 45
// CHECK-NEXT: 1
// CHECK-NEXT: 0
// CHECK-NEXT: 0
// 4 workers of 128 bytes.
// CHECK: arena @run: naive=512 others=512
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @run(%n: index, %o: memref<16xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k0 = arith.constant 0 : i64
  %c16 = arith.constant 16 : index
  linalg.fill ins(%k0 : i64) outs(%o : memref<16xi64>)
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %t = memref.alloc() : memref<16xi64>
    %x = arith.index_cast %i : index to i64
    linalg.fill ins(%x : i64) outs(%t : memref<16xi64>)
    %z = memref.load %t[%i] : memref<16xi64>
    memref.store %z, %o[%i] : memref<16xi64>
  }
  %s = scf.for %p = %c0 to %c16 step %c1 iter_args(%a = %k0) -> i64 {
    %q = memref.load %o[%p] : memref<16xi64>
    %b = arith.addi %a, %q : i64
    scf.yield %b : i64
  }
  vector.print %s : i64
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c10 = arith.constant 10 : index
  %before = arith.constant -3 : index
  %o = memref.alloc() : memref<16xi64>
  call @run(%c10, %o) : (index, memref<16xi64>) -> ()
  call @run(%c2, %o) : (index, memref<16xi64>) -> ()
  call @run(%c0, %o) : (index, memref<16xi64>) -> ()
  call @run(%before, %o) : (index, memref<16xi64>) -> ()
  return
}
