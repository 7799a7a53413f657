// The callee frees its argument, so the buffer must be one that can be freed.
//
// 64 bytes are live at one time, so no plan is smaller.
// CHECK: arena @main: naive=64 others=64
// Not planned: it is passed to @drop, which frees it.
// CHECK: left @main: 1

func.func private @drop(%m: memref<8xi64>) {
  memref.dealloc %m : memref<8xi64>
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %s1 = memref.load %a[%c0] : memref<8xi64>
  vector.print %s1 : i64
  call @drop(%a) : (memref<8xi64>) -> ()
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  %s2 = memref.load %b[%c0] : memref<8xi64>
  vector.print %s2 : i64
  return
}
