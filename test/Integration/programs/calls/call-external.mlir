// An external function reads the buffer through an unranked memref.
//
// 16 bytes are live at one time, so no plan is smaller.
// CHECK: arena @main: naive=80 others=16
// CHECK-NOT: left

func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}
func.func @main() {
  %f32_1 = arith.constant 1.0 : f32
  %f32_2 = arith.constant 2.0 : f32
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f32_1 : f32) outs(%a : memref<4xf32>)
  %u = memref.cast %a : memref<4xf32> to memref<*xf32>
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  %b = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f32_2 : f32) outs(%b : memref<4xf32>)
  %v = memref.cast %b : memref<4xf32> to memref<*xf32>
  call @printMemrefF32(%v) : (memref<*xf32>) -> ()
  return
}
