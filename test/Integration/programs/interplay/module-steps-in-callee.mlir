// PROGRAM: scope=module entry-points=main
//
// A callee with a step has a frame; the steps of its caller use other buffers.
//
// CHECK: 80
// Both buffers of the step in the frame, argument and output beside it: 256
// Both buffers of the step in the frame, with argument and output: 256 bytes.
// CHECK: arena @main: naive=448 others=256
// CHECK-NOT: left

func.func private @f(%a: memref<8xi64>, %o: memref<8xi64>) {
  %t = memref.alloc() : memref<8xi64>
  %u = memref.alloc() : memref<8xi64>
  linalg.map { arith.addi } ins(%a, %a : memref<8xi64>, memref<8xi64>) outs(%t : memref<8xi64>) {memplan.step = 0}
  linalg.map { arith.muli } ins(%a, %a : memref<8xi64>, memref<8xi64>) outs(%u : memref<8xi64>) {memplan.step = 0}
  linalg.map { arith.addi } ins(%t, %u : memref<8xi64>, memref<8xi64>) outs(%o : memref<8xi64>)
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %k2 = arith.constant 2 : i64
  %a = memref.alloc() : memref<8xi64>
  %o = memref.alloc() : memref<8xi64>
  %q = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k2 : i64) outs(%a : memref<8xi64>)
  call @f(%a, %o) : (memref<8xi64>, memref<8xi64>) -> ()
  call @f(%o, %q) : (memref<8xi64>, memref<8xi64>) -> ()
  %pr1 = memref.load %q[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  return
}
