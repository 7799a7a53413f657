// PROGRAM: raise
//
// A clone keeps the contents of its source whatever is written to the source
// later.
//
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %b = bufferization.clone %a : memref<8xi64> to memref<8xi64>
  linalg.fill ins(%k2 : i64) outs(%a : memref<8xi64>)
  %s1 = memref.load %b[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %s2 = memref.load %a[%c0] : memref<8xi64>
  vector.print %s2 : i64
  return
}
