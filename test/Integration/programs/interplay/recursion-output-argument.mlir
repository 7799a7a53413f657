// A recursive sum with a temporary in each activation and an output argument.
//
// In each activation %t is live across the call, with %u.
// CHECK: arena @rec: naive=128 others=128
// CHECK: arena @main: naive=64 others=64
// CHECK-NOT: left

func.func private @rec(%n: i64, %o: memref<8xi64>) {
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %c = arith.cmpi sgt, %n, %k0 : i64
  scf.if %c {
    %t = memref.alloc() : memref<8xi64>
    %u = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k0 : i64) outs(%t : memref<8xi64>)
    %m = arith.subi %n, %k1 : i64
    func.call @rec(%m, %t) : (i64, memref<8xi64>) -> ()
    linalg.fill ins(%n : i64) outs(%u : memref<8xi64>)
    linalg.map { arith.addi } ins(%t, %u : memref<8xi64>, memref<8xi64>) outs(%o : memref<8xi64>)
  } else {
    linalg.fill ins(%k1 : i64) outs(%o : memref<8xi64>)
  }
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %k4 = arith.constant 4 : i64
  %o = memref.alloc() : memref<8xi64>
  func.call @rec(%k4, %o) : (i64, memref<8xi64>) -> ()
  %s1 = memref.load %o[%c0] : memref<8xi64>
  vector.print %s1 : i64
  return
}
