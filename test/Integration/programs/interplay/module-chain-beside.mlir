// PROGRAM: scope=module entry-points=main
//
// A chain of five private functions, each with a buffer that is live across its
// call.
//
// CHECK: 17
// %o, and one buffer while another is live in the callee: 192 bytes.
// CHECK: arena @main: naive=320 others=192
// CHECK-NOT: left

func.func private @f5(%o: memref<8xi64>) {
  %k5 = arith.constant 5 : i64
  %t = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k5 : i64) outs(%t : memref<8xi64>)
  linalg.map { arith.addi } ins(%o, %t : memref<8xi64>, memref<8xi64>) outs(%o : memref<8xi64>)
  return
}
func.func private @f4(%o: memref<8xi64>) {
  %k4 = arith.constant 4 : i64
  %t = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k4 : i64) outs(%t : memref<8xi64>)
  call @f5(%o) : (memref<8xi64>) -> ()
  linalg.map { arith.addi } ins(%o, %t : memref<8xi64>, memref<8xi64>) outs(%o : memref<8xi64>)
  return
}
func.func private @f3(%o: memref<8xi64>) {
  %k3 = arith.constant 3 : i64
  %t = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k3 : i64) outs(%t : memref<8xi64>)
  linalg.map { arith.addi } ins(%o, %t : memref<8xi64>, memref<8xi64>) outs(%o : memref<8xi64>)
  call @f4(%o) : (memref<8xi64>) -> ()
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %k0 = arith.constant 0 : i64
  %o = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k0 : i64) outs(%o : memref<8xi64>)
  call @f3(%o) : (memref<8xi64>) -> ()
  call @f5(%o) : (memref<8xi64>) -> ()
  %pr1 = memref.load %o[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  return
}
