// A buffer that is only written must not overwrite a live one.
//
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %k9 = arith.constant 9 : i64
  %a = memref.alloc() : memref<8xi64>
  %dead = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  linalg.fill ins(%k9 : i64) outs(%dead : memref<8xi64>)
  %s1 = memref.load %a[%c0] : memref<8xi64>
  vector.print %s1 : i64
  return
}
