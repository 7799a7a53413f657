// memref.dim of the buffer needs its shape, not its bytes.
//
// 64 bytes are live at one time, so no plan is smaller.
// CHECK: arena @main: naive=128 others=64
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %v = memref.cast %a : memref<8xi64> to memref<?xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  %d = memref.dim %v, %c0 : memref<?xi64>
  %e = arith.index_cast %d : index to i64
  vector.print %e : i64
  %s1 = memref.load %b[%c0] : memref<8xi64>
  vector.print %s1 : i64
  return
}
