// PROGRAM: scope=module entry-points=main
//
// A step of two calls of private callees with temporaries.
//
// CHECK: 6
// %a, %b and %c, and a frame for each of two calls at once: 320 bytes.
// CHECK: arena @main: naive=384 others=320
// CHECK-NOT: left

func.func private @f(%a: memref<8xi64>, %o: memref<8xi64>) {
  %t = memref.alloc() : memref<8xi64>
  linalg.map { arith.addi } ins(%a, %a : memref<8xi64>, memref<8xi64>) outs(%t : memref<8xi64>)
  linalg.map { arith.addi } ins(%t, %a : memref<8xi64>, memref<8xi64>) outs(%o : memref<8xi64>)
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  %c = memref.alloc() : memref<8xi64>
  %d = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  func.call @f(%a, %b) {memplan.step = 0} : (memref<8xi64>, memref<8xi64>) -> ()
  func.call @f(%a, %c) {memplan.step = 0} : (memref<8xi64>, memref<8xi64>) -> ()
  linalg.map { arith.addi } ins(%b, %c : memref<8xi64>, memref<8xi64>) outs(%d : memref<8xi64>) {memplan.step = 1}
  %pr1 = memref.load %d[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  return
}
