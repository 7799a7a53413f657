// Two private functions call a third; each has buffers of its own.
//
// 64 bytes are live at one time, so no plan is smaller.
// CHECK: arena @leaf: naive=64 others=64
// 64 bytes are live at one time, so no plan is smaller.
// CHECK: arena @left: naive=64 others=64
// 64 bytes are live at one time, so no plan is smaller.
// CHECK: arena @right: naive=64 others=64
// 128 bytes are live at one time, so no plan is smaller.
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func private @leaf(%m: memref<8xi64>, %x: i64) {
  %t = memref.alloc() : memref<8xi64>
  linalg.fill ins(%x : i64) outs(%t : memref<8xi64>)
  memref.copy %t, %m : memref<8xi64> to memref<8xi64>
  return
}
func.func private @left(%m: memref<8xi64>) {
  %k7 = arith.constant 7 : i64
  %u = memref.alloc() : memref<8xi64>
  call @leaf(%u, %k7) : (memref<8xi64>, i64) -> ()
  memref.copy %u, %m : memref<8xi64> to memref<8xi64>
  return
}
func.func private @right(%m: memref<8xi64>) {
  %k8 = arith.constant 8 : i64
  %u = memref.alloc() : memref<8xi64>
  call @leaf(%u, %k8) : (memref<8xi64>, i64) -> ()
  memref.copy %u, %m : memref<8xi64> to memref<8xi64>
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  call @left(%b) : (memref<8xi64>) -> ()
  %s1 = memref.load %b[%c0] : memref<8xi64>
  vector.print %s1 : i64
  call @right(%b) : (memref<8xi64>) -> ()
  %s2 = memref.load %b[%c0] : memref<8xi64>
  vector.print %s2 : i64
  %s3 = memref.load %a[%c0] : memref<8xi64>
  vector.print %s3 : i64
  return
}
