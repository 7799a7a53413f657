// Conditionals one after another; the second reads what the first wrote.
//
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k7 = arith.constant 7 : i64
  %true = arith.constant true
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  scf.if %true {
    linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  } else {
    linalg.fill ins(%k2 : i64) outs(%a : memref<8xi64>)
  }
  scf.if %true {
    linalg.fill ins(%k7 : i64) outs(%b : memref<8xi64>)
  }
  scf.if %true {
    %s1 = memref.load %a[%c0] : memref<8xi64>
    vector.print %s1 : i64
  }
  return
}
