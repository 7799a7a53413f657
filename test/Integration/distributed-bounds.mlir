// RUN: cat %s | %execute | FileCheck %s
// RUN: memplan-opt %s --plan-memory=workers=distribute:4 --memplan-verify \
// RUN:   | %execute | FileCheck %s
//
// Bounds whose difference overflows an index: from 2^63 - 1 to -2^63 there is
// no iteration, though the difference wraps around to 1; from -2^63 to 2^62 in
// steps of 2^62 there are three, though it wraps around to a negative number.
//
// CHECK: 1000
// CHECK-NEXT: 1003
// CHECK-NEXT: 2003

func.func @run(%lb: index, %ub: index, %s: index, %o: memref<3xi64>) {
  %c2 = arith.constant 2 : index
  %c62 = arith.constant 62 : index
  %k1 = arith.constant 1 : i64
  scf.parallel (%i) = (%lb) to (%ub) step (%s) {
    // -2^63, -2^62 and 0 have the numbers 0, 1 and 2.
    %high = arith.shrsi %i, %c62 : index
    %p = arith.addi %high, %c2 : index
    %x = arith.index_cast %p : index to i64
    %t = memref.alloc() : memref<8xi64>
    linalg.fill ins(%x : i64) outs(%t : memref<8xi64>)
    %y = memref.load %t[%p] : memref<8xi64>
    %z = memref.load %o[%p] : memref<3xi64>
    %u = arith.addi %y, %z : i64
    %v = arith.addi %u, %k1 : i64
    memref.store %v, %o[%p] : memref<3xi64>
  }
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %least = arith.constant -9223372036854775808 : index
  %most = arith.constant 9223372036854775807 : index
  %quarter = arith.constant 4611686018427387904 : index
  %k0 = arith.constant 0 : i64
  %k1000 = arith.constant 1000 : i64
  %o = memref.alloc() : memref<3xi64>
  linalg.fill ins(%k1000 : i64) outs(%o : memref<3xi64>)
  call @run(%most, %least, %c1, %o) : (index, index, index, memref<3xi64>) -> ()
  %a = memref.load %o[%c2] : memref<3xi64>
  vector.print %a : i64
  call @run(%least, %quarter, %quarter, %o) : (index, index, index, memref<3xi64>) -> ()
  %b = memref.load %o[%c2] : memref<3xi64>
  vector.print %b : i64
  %d = memref.load %o[%c0] : memref<3xi64>
  %e = memref.load %o[%c1] : memref<3xi64>
  %f = arith.addi %d, %e : i64
  vector.print %f : i64
  return
}
