// A buffer of 0 bytes is the only buffer.
//
// 0 bytes are live at one time, so no plan is smaller.
// CHECK: arena @main: naive=0 others=0
// CHECK-NOT: left

func.func @main() {
  %k1 = arith.constant 1 : i64
  %k5 = arith.constant 5 : i64
  %z = memref.alloc() : memref<4x0xi64>
  linalg.fill ins(%k5 : i64) outs(%z : memref<4x0xi64>)
  vector.print %k1 : i64
  memref.dealloc %z : memref<4x0xi64>
  return
}
