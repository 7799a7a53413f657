// A carried buffer inside a callee inside a parallel loop.
//
// 128 bytes are live at one time, so no plan is smaller.
// CHECK: arena @work: naive=128 others=128
// 64 bytes are live at one time, so no plan is smaller.
// CHECK: arena @main: naive=64 others=64
// CHECK-NOT: left

func.func private @work(%o: memref<8xi64>, %i: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<8xi64>
  %x = arith.index_cast %i : index to i64
  linalg.fill ins(%x : i64) outs(%a : memref<8xi64>)
  %r = scf.for %j = %c0 to %c3 step %c1 iter_args(%p = %a) -> (memref<8xi64>) {
    %n = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k1 : i64) outs(%n : memref<8xi64>)
    linalg.map { arith.addi } ins(%n, %p : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
    scf.yield %n : memref<8xi64>
  }
  %z = memref.load %r[%i] : memref<8xi64>
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
