// A private callee reads its argument: live across the call only.
//
// CHECK: arena @main: naive=128 others=64
// CHECK-NOT: left

func.func private @show(%m: memref<8xi64>) {
  %c0 = arith.constant 0 : index
  %s1 = memref.load %m[%c0] : memref<8xi64>
  vector.print %s1 : i64
  return
}
func.func @main() {
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  call @show(%a) : (memref<8xi64>) -> ()
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  call @show(%b) : (memref<8xi64>) -> ()
  return
}
