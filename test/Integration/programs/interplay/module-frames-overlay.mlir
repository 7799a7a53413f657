// PROGRAM: scope=module entry-points=main
//
// Three private callees called one after another: their frames share bytes, and
// arguments die in between.
//
// An argument, a result, %t and %u of @g are live at once: 256 bytes.
// CHECK: arena @main: naive=704 others=256
// CHECK-NOT: left

func.func private @f(%a: memref<8xi64>, %o: memref<8xi64>) {
  %t = memref.alloc() : memref<8xi64>
  linalg.map { arith.addi } ins(%a, %a : memref<8xi64>, memref<8xi64>) outs(%t : memref<8xi64>)
  linalg.map { arith.addi } ins(%t, %a : memref<8xi64>, memref<8xi64>) outs(%o : memref<8xi64>)
  return
}
func.func private @g(%a: memref<8xi64>, %o: memref<8xi64>) {
  %t = memref.alloc() : memref<8xi64>
  %u = memref.alloc() : memref<8xi64>
  linalg.map { arith.addi } ins(%a, %a : memref<8xi64>, memref<8xi64>) outs(%t : memref<8xi64>)
  linalg.map { arith.addi } ins(%t, %a : memref<8xi64>, memref<8xi64>) outs(%u : memref<8xi64>)
  call @f(%u, %o) : (memref<8xi64>, memref<8xi64>) -> ()
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  %c = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  call @f(%a, %b) : (memref<8xi64>, memref<8xi64>) -> ()
  call @g(%b, %c) : (memref<8xi64>, memref<8xi64>) -> ()
  %d = memref.alloc() : memref<8xi64>
  call @g(%c, %d) : (memref<8xi64>, memref<8xi64>) -> ()
  %pr1 = memref.load %d[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  return
}
