// One element of an initialised buffer is overwritten; the others must be kept.
//
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k5 = arith.constant 5 : i64
  %k6 = arith.constant 6 : i64
  %k9 = arith.constant 9 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k5 : i64) outs(%a : memref<8xi64>)
  linalg.fill ins(%k9 : i64) outs(%b : memref<8xi64>)
  memref.store %k6, %a[%c3] : memref<8xi64>
  %t = memref.load %b[%c0] : memref<8xi64>
  memref.store %t, %b[%c1] : memref<8xi64>
  %s1 = memref.load %a[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %r = memref.load %a[%c3] : memref<8xi64>
  vector.print %r : i64
  return
}
