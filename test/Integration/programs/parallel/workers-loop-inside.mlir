// A sequential loop in the body carries a buffer and allocates a new one each
// time: the buffers alternate between two slots of the worker's frame.
//
// 64 bytes of %o; for each of 3 workers two slots between which %t and %n
// alternate.
// CHECK: arena @main: naive=448 others=448
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %k3 = arith.constant 3 : i64
  %o = memref.alloc() : memref<8xi64>
  scf.parallel (%i) = (%c0) to (%c3) step (%c1) {
    %t = memref.alloc() : memref<8xi64>
    %x = arith.index_cast %i : index to i64
    linalg.fill ins(%x : i64) outs(%t : memref<8xi64>)
    %r = scf.for %j = %c0 to %c5 step %c1 iter_args(%a = %t) -> memref<8xi64> {
      %n = memref.alloc() : memref<8xi64>
      linalg.fill ins(%k3 : i64) outs(%n : memref<8xi64>)
      linalg.map { arith.addi } ins(%a, %n : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
      scf.yield %n : memref<8xi64>
    }
    %z = memref.load %r[%i] : memref<8xi64>
    memref.store %z, %o[%i] : memref<8xi64>
  }
  scf.for %p = %c0 to %c3 step %c1 {
    %q = memref.load %o[%p] : memref<8xi64>
    vector.print %q : i64
  }
  return
}
