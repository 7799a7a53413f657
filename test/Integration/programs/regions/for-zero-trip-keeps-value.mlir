// The loop does not run; the value from before it is read after it.
//
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k5 = arith.constant 5 : i64
  %k8 = arith.constant 8 : i64
  %k9 = arith.constant 9 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k5 : i64) outs(%a : memref<8xi64>)
  scf.for %i = %c0 to %c0 step %c1 {
    linalg.fill ins(%k9 : i64) outs(%a : memref<8xi64>)
    %t = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k8 : i64) outs(%t : memref<8xi64>)
    %s1 = memref.load %t[%c0] : memref<8xi64>
    vector.print %s1 : i64
  }
  %s2 = memref.load %a[%c0] : memref<8xi64>
  vector.print %s2 : i64
  return
}
