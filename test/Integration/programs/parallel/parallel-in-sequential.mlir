// A parallel loop inside a sequential one; the outer temporary is shared by the
// workers of one iteration.
//
// 128 bytes are live at one time, so no plan is smaller.
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %o = memref.alloc() : memref<8xi64>
  scf.for %j = %c0 to %c3 step %c1 {
    %t = memref.alloc() : memref<8xi64>
    %x = arith.index_cast %j : index to i64
    linalg.fill ins(%x : i64) outs(%t : memref<8xi64>)
    scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
      %z = memref.load %t[%i] : memref<8xi64>
      memref.store %z, %o[%i] : memref<8xi64>
      scf.reduce
    }
    %s1 = memref.load %o[%c0] : memref<8xi64>
    vector.print %s1 : i64
  }
  return
}
