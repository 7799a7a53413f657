// The callee writes the argument; it is read after the call.
//
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func private @set(%m: memref<8xi64>) {
  %k4 = arith.constant 4 : i64
  linalg.fill ins(%k4 : i64) outs(%m : memref<8xi64>)
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %k2 = arith.constant 2 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  call @set(%a) : (memref<8xi64>) -> ()
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  %s1 = memref.load %a[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %s2 = memref.load %b[%c0] : memref<8xi64>
  vector.print %s2 : i64
  return
}
