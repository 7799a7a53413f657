// A branch writes the buffer, and the read is after the join: the buffer is
// live across it.
//
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k5 = arith.constant 5 : i64
  %k6 = arith.constant 6 : i64
  %true = arith.constant true
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  scf.if %true {
    linalg.fill ins(%k5 : i64) outs(%a : memref<8xi64>)
  } else {
    linalg.fill ins(%k6 : i64) outs(%a : memref<8xi64>)
  }
  linalg.fill ins(%k6 : i64) outs(%b : memref<8xi64>)
  %s1 = memref.load %a[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %s2 = memref.load %b[%c0] : memref<8xi64>
  vector.print %s2 : i64
  return
}
