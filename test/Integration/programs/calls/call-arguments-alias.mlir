// The same buffer is passed twice.
//
// 64 bytes are live at one time, so no plan is smaller.
// CHECK: arena @double: naive=64 others=64
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func private @double(%m: memref<8xi64>, %n: memref<8xi64>) {
  %t = memref.alloc() : memref<8xi64>
  linalg.map { arith.addi } ins(%m, %n : memref<8xi64>, memref<8xi64>) outs(%t : memref<8xi64>)
  memref.copy %t, %m : memref<8xi64> to memref<8xi64>
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %k2 = arith.constant 2 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k2 : i64) outs(%a : memref<8xi64>)
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  call @double(%a, %a) : (memref<8xi64>, memref<8xi64>) -> ()
  %s1 = memref.load %a[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %s2 = memref.load %b[%c0] : memref<8xi64>
  vector.print %s2 : i64
  return
}
