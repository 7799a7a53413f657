// Copied to a slice that is never read, and written again: it is not planned as
// the slice.
//
// CHECK: sizes = [16]
// CHECK: arena @main

func.func private @printMemrefF32(memref<*xf32>)
func.func @main() {
  %c3 = arith.constant 3 : index
  %f1 = arith.constant 1.0 : f32
  %f2 = arith.constant 2.0 : f32
  %r = memref.alloc() : memref<16xf32>
  linalg.fill ins(%f1 : f32) outs(%r : memref<16xf32>)
  %w = memref.alloc() : memref<32xf32>
  %low = memref.subview %w[0][16][1] : memref<32xf32> to memref<16xf32, strided<[1]>>
  linalg.fill ins(%f2 : f32) outs(%low : memref<16xf32, strided<[1]>>)
  %x = memref.load %low[%c3] : memref<16xf32, strided<[1]>>
  %high = memref.subview %w[16][16][1] : memref<32xf32> to memref<16xf32, strided<[1], offset: 16>>
  memref.copy %r, %high : memref<16xf32> to memref<16xf32, strided<[1], offset: 16>>
  memref.store %x, %r[%c3] : memref<16xf32>
  %u = memref.cast %r : memref<16xf32> to memref<*xf32>
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  memref.dealloc %r : memref<16xf32>
  memref.dealloc %w : memref<32xf32>
  return
}
