// Through a tensor and back.
//
// 64 bytes are live at one time, so no plan is smaller.
// CHECK: arena @main: naive=64 others=64
// Not planned: it becomes the result of 'bufferization.to_tensor'.
// CHECK: left @main: 1

func.func @main() {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %t = bufferization.to_tensor %a restrict : memref<8xi64> to tensor<8xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  %x = tensor.extract %t[%c3] : tensor<8xi64>
  vector.print %x : i64
  %s1 = memref.load %b[%c0] : memref<8xi64>
  vector.print %s1 : i64
  return
}
