// PROGRAM: scope=module entry-points=main
//
// The body of scf.forall calls a private callee with temporaries.
//
// 32 bytes of %o and a frame of 64 for each of three workers: 224.
// CHECK: arena @main: naive=256 linear-scan=256 greedy=224 greedy-by-breadth=224 best-fit=224 auto=224
// CHECK-NOT: left

func.func private @work(%i: index, %o: memref<4xi64>) {
  %t = memref.alloc() : memref<8xi64>
  %iv = arith.index_cast %i : index to i64
  linalg.fill ins(%iv : i64) outs(%t : memref<8xi64>)
  %e = memref.load %t[%i] : memref<8xi64>
  memref.store %e, %o[%i] : memref<4xi64>
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %o = memref.alloc() : memref<4xi64>
  scf.forall (%i) in (3) {
    func.call @work(%i, %o) : (index, memref<4xi64>) -> ()
  }
  scf.for %i = %c0 to %c3 step %c1 {
    %e = memref.load %o[%i] : memref<4xi64>
    vector.print %e : i64
  }
  return
}
