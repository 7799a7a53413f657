// PROGRAM: scope=module entry-points=main
//
// A public function that is also called in the module; entry-points=main makes
// it private.
//
// %a, %o and the frame of @pub: 192 bytes.
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

func.func @pub(%a: memref<8xi64>, %o: memref<8xi64>) {
  %t = memref.alloc() : memref<8xi64>
  linalg.map { arith.addi } ins(%a, %a : memref<8xi64>, memref<8xi64>) outs(%t : memref<8xi64>)
  memref.copy %t, %o : memref<8xi64> to memref<8xi64>
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<8xi64>
  %o = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  call @pub(%a, %o) : (memref<8xi64>, memref<8xi64>) -> ()
  %pr1 = memref.load %o[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  return
}
