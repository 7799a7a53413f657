// A private callee with temporaries, called by every iteration at once.
//
// 64 bytes are live at one time, so no plan is smaller.
// CHECK: arena @work: naive=64 others=64
// 64 bytes are live at one time, so no plan is smaller.
// CHECK: arena @main: naive=64 others=64
// CHECK-NOT: left

func.func private @work(%o: memref<8xi64>, %i: index) {
  %k10 = arith.constant 10 : i64
  %t = memref.alloc() : memref<8xi64>
  %x = arith.index_cast %i : index to i64
  %y = arith.muli %x, %k10 : i64
  linalg.fill ins(%y : i64) outs(%t : memref<8xi64>)
  %z = memref.load %t[%i] : memref<8xi64>
  memref.store %z, %o[%i] : memref<8xi64>
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %o = memref.alloc() : memref<8xi64>
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    func.call @work(%o, %i) : (memref<8xi64>, index) -> ()
    scf.reduce
  }
  %s1 = memref.load %o[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %q = memref.load %o[%c7] : memref<8xi64>
  vector.print %q : i64
  return
}
