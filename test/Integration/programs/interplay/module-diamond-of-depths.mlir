// PROGRAM: scope=module entry-points=main
//
// Two functions call one leaf while different numbers of temporaries are live;
// frames share bytes.
//
// %a is dead in the second half; the buffers of @l and @r and a frame of 128
// for @leaf have the bytes of dead buffers: 320 bytes.
// CHECK: arena @main: naive=576 others=320
// CHECK-NOT: left

func.func private @leaf(%a: memref<8xi64>, %o: memref<8xi64>) {
  %t = memref.alloc() : memref<8xi64>
  %u = memref.alloc() : memref<8xi64>
  linalg.map { arith.addi } ins(%a, %a : memref<8xi64>, memref<8xi64>) outs(%t : memref<8xi64>)
  linalg.map { arith.addi } ins(%t, %a : memref<8xi64>, memref<8xi64>) outs(%u : memref<8xi64>)
  memref.copy %u, %o : memref<8xi64> to memref<8xi64>
  return
}
func.func private @l(%a: memref<8xi64>, %o: memref<8xi64>) {
  %t = memref.alloc() : memref<8xi64>
  call @leaf(%a, %t) : (memref<8xi64>, memref<8xi64>) -> ()
  linalg.map { arith.addi } ins(%t, %a : memref<8xi64>, memref<8xi64>) outs(%o : memref<8xi64>)
  return
}
func.func private @r(%a: memref<8xi64>, %o: memref<8xi64>) {
  %t = memref.alloc() : memref<8xi64>
  linalg.map { arith.addi } ins(%a, %a : memref<8xi64>, memref<8xi64>) outs(%t : memref<8xi64>)
  call @leaf(%t, %o) : (memref<8xi64>, memref<8xi64>) -> ()
  linalg.map { arith.addi } ins(%o, %t : memref<8xi64>, memref<8xi64>) outs(%o : memref<8xi64>)
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<8xi64>
  %o = memref.alloc() : memref<8xi64>
  %q = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  call @l(%a, %o) : (memref<8xi64>, memref<8xi64>) -> ()
  call @r(%o, %q) : (memref<8xi64>, memref<8xi64>) -> ()
  %pr1 = memref.load %q[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  %pr2 = memref.load %o[%c0] : memref<8xi64>
  vector.print %pr2 : i64
  return
}
