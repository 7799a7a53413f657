// Two buffers of an iteration, the first dead when the second begins.
//
// 64 bytes of %o and, for each of 4 workers, the 64 of %t or %u.
// CHECK: arena @main: naive=576 others=320
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %k1 = arith.constant 1 : i64
  %k10 = arith.constant 10 : i64
  %o = memref.alloc() : memref<8xi64>
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    %x = arith.index_cast %i : index to i64
    %y = arith.muli %x, %k10 : i64
    %t = memref.alloc() : memref<8xi64>
    linalg.fill ins(%y : i64) outs(%t : memref<8xi64>)
    %z = memref.load %t[%i] : memref<8xi64>
    %u = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k1 : i64) outs(%u : memref<8xi64>)
    %v = memref.load %u[%i] : memref<8xi64>
    %s = arith.addi %z, %v : i64
    memref.store %s, %o[%i] : memref<8xi64>
  }
  scf.for %p = %c0 to %c4 step %c1 {
    %q = memref.load %o[%p] : memref<8xi64>
    vector.print %q : i64
  }
  return
}
