// One branch overwrites a part of the buffer; the other does not write it.
//
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k1 = arith.constant 1 : i64
  %k7 = arith.constant 7 : i64
  %k9 = arith.constant 9 : i64
  %true = arith.constant true
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  scf.if %true {
    memref.store %k7, %a[%c1] : memref<8xi64>
  }
  linalg.fill ins(%k9 : i64) outs(%b : memref<8xi64>)
  %s1 = memref.load %a[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %r = memref.load %a[%c1] : memref<8xi64>
  vector.print %r : i64
  %s2 = memref.load %b[%c0] : memref<8xi64>
  vector.print %s2 : i64
  return
}
