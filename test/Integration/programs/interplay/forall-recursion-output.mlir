// Each iteration of a forall calls a recursive function with temporaries.
//
// 24 bytes of %o and 64 for each of three workers: 216; each activation of
// @fact has %t and %u.
// CHECK: arena @fact: naive=128 others=128
// CHECK: arena @main: naive=256 linear-scan=256 greedy=216 greedy-by-breadth=216 best-fit=216 auto=216
// CHECK-NOT: left

func.func private @fact(%n: i64, %o: memref<8xi64>) {
  %k1 = arith.constant 1 : i64
  %z = arith.cmpi sle, %n, %k1 : i64
  scf.if %z {
    linalg.fill ins(%k1 : i64) outs(%o : memref<8xi64>)
  } else {
    %t = memref.alloc() : memref<8xi64>
    %u = memref.alloc() : memref<8xi64>
    %m = arith.subi %n, %k1 : i64
    func.call @fact(%m, %t) : (i64, memref<8xi64>) -> ()
    linalg.fill ins(%n : i64) outs(%u : memref<8xi64>)
    linalg.map { arith.muli } ins(%t, %u : memref<8xi64>, memref<8xi64>) outs(%o : memref<8xi64>)
  }
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %k3 = arith.constant 3 : i64
  %o = memref.alloc() : memref<3xi64>
  scf.forall (%i) in (3) {
    %r = memref.alloc() : memref<8xi64>
    %iv = arith.index_cast %i : index to i64
    %n = arith.addi %iv, %k3 : i64
    func.call @fact(%n, %r) : (i64, memref<8xi64>) -> ()
    %v = memref.load %r[%i] : memref<8xi64>
    memref.store %v, %o[%i] : memref<3xi64>
  }
  %v0 = memref.load %o[%c0] : memref<3xi64>
  vector.print %v0 : i64
  %v2 = memref.load %o[%c2] : memref<3xi64>
  vector.print %v2 : i64
  return
}
