// scf.parallel in scf.forall; the inner loop carries private buffers.
//
// 32 bytes of %o; %a and 2 * 128 bytes of slots for each of two workers: 672.
// CHECK: arena @main: naive=704 linear-scan=704 greedy=672 greedy-by-breadth=672 best-fit=672 auto=672
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %o = memref.alloc() : memref<2x2xi64>
  scf.forall (%i) in (2) {
    %a = memref.alloc() : memref<8xi64>
    %iv = arith.index_cast %i : index to i64
    linalg.fill ins(%iv : i64) outs(%a : memref<8xi64>)
    scf.parallel (%j) = (%c0) to (%c2) step (%c1) {
      %b = memref.alloc() : memref<8xi64>
      memref.copy %a, %b : memref<8xi64> to memref<8xi64>
      %r = scf.for %l = %c0 to %c3 step %c1 iter_args(%x = %b) -> (memref<8xi64>) {
        %n = memref.alloc() : memref<8xi64>
        linalg.map { arith.addi } ins(%x, %a : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
        scf.yield %n : memref<8xi64>
      }
      %v = memref.load %r[%c1] : memref<8xi64>
      memref.store %v, %o[%i, %j] : memref<2x2xi64>
    }
  }
  %v1 = memref.load %o[%c1, %c1] : memref<2x2xi64>
  vector.print %v1 : i64
  %v2 = memref.load %o[%c0, %c1] : memref<2x2xi64>
  vector.print %v2 : i64
  return
}
