// The temporaries of a callee, which is called while the caller has a live
// buffer.
//
// 128 bytes are live at one time, so no plan is smaller.
// CHECK: arena @work: naive=128 others=128
// CHECK: arena @main: naive=64 others=64
// CHECK-NOT: left

func.func private @work() {
  %c0 = arith.constant 0 : index
  %k3 = arith.constant 3 : i64
  %t = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k3 : i64) outs(%t : memref<8xi64>)
  %u = memref.alloc() : memref<8xi64>
  linalg.map { arith.addi } ins(%t, %t : memref<8xi64>, memref<8xi64>) outs(%u : memref<8xi64>)
  %s1 = memref.load %u[%c0] : memref<8xi64>
  vector.print %s1 : i64
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %s2 = memref.load %a[%c0] : memref<8xi64>
  vector.print %s2 : i64
  call @work() : () -> ()
  return
}
