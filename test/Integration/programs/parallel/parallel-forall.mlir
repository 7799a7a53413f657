// scf.forall with a private buffer of each thread.
//
// 64 bytes, and 64 for each of 8 workers.
// CHECK: arena @main: naive=576 others=576
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : index
  %k10 = arith.constant 10 : i64
  %o = memref.alloc() : memref<8xi64>
  scf.forall (%i) in (8) {
    %t = memref.alloc() : memref<8xi64>
    %x = arith.index_cast %i : index to i64
    %y = arith.muli %x, %k10 : i64
    linalg.fill ins(%y : i64) outs(%t : memref<8xi64>)
    %z = memref.load %t[%i] : memref<8xi64>
    memref.store %z, %o[%i] : memref<8xi64>
  }
  %s1 = memref.load %o[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %q = memref.load %o[%c7] : memref<8xi64>
  vector.print %q : i64
  return
}
