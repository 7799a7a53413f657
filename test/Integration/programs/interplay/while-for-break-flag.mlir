// A search with a flag to stop: a while loop with a for loop; a temporary in
// the inner loop and one that is read after it.
//
// %best and the candidate: 128 bytes.
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c8 = arith.constant 8 : index
  %k0 = arith.constant 0 : i64
  %k3 = arith.constant 3 : i64
  %true = arith.constant true
  %best = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k0 : i64) outs(%best : memref<8xi64>)
  %r:2 = scf.while (%i = %c0, %go = %true) : (index, i1) -> (index, i1) {
    %lt = arith.cmpi ult, %i, %c5 : index
    %c = arith.andi %lt, %go : i1
    scf.condition(%c) %i, %go : index, i1
  } do {
  ^bb0(%i: index, %go: i1):
    %t = memref.alloc() : memref<8xi64>
    %iv = arith.index_cast %i : index to i64
    linalg.fill ins(%iv : i64) outs(%t : memref<8xi64>)
    %fl = scf.for %j = %c0 to %c8 step %c1 iter_args(%f = %go) -> (i1) {
      %e = memref.load %t[%j] : memref<8xi64>
      %x = arith.cmpi ne, %e, %k3 : i64
      %n = arith.andi %f, %x : i1
      scf.if %n {
        memref.store %e, %best[%j] : memref<8xi64>
      }
      scf.yield %n : i1
    }
    %i1 = arith.addi %i, %c1 : index
    scf.yield %i1, %fl : index, i1
  }
  %s1 = memref.load %best[%c0] : memref<8xi64>
  vector.print %s1 : i64
  return
}
