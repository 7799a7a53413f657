// Written through a select, read by both names.
//
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k9 = arith.constant 9 : i64
  %true = arith.constant true
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  %c = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k9 : i64) outs(%c : memref<8xi64>)
  %r = arith.select %true, %a, %b : memref<8xi64>
  memref.copy %c, %r : memref<8xi64> to memref<8xi64>
  %s1 = memref.load %a[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %s2 = memref.load %b[%c0] : memref<8xi64>
  vector.print %s2 : i64
  return
}
