// Written before, read only in the else branch.
//
// CHECK: arena @main: naive=128 others=64
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %k9 = arith.constant 9 : i64
  %false = arith.constant false
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  scf.if %false {
    %b = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k9 : i64) outs(%b : memref<8xi64>)
    %s1 = memref.load %b[%c0] : memref<8xi64>
    vector.print %s1 : i64
  } else {
    %s2 = memref.load %a[%c0] : memref<8xi64>
    vector.print %s2 : i64
  }
  return
}
