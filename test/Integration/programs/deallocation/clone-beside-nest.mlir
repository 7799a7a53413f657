// The loop reads a clone of the buffer that it would overwrite, at the same
// bytes: the clone may be the same memory.
//
// CHECK: sizes = [16]
// CHECK: arena @main

func.func private @printMemrefF32(memref<*xf32>)
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %r = memref.alloc() : memref<16xf32>
  scf.for %i = %c0 to %c16 step %c1 {
    %n = arith.index_cast %i : index to i32
    %f = arith.sitofp %n : i32 to f32
    memref.store %f, %r[%i] : memref<16xf32>
  }
  %k = bufferization.clone %r : memref<16xf32> to memref<16xf32>
  %w = memref.alloc() : memref<16xf32>
  scf.for %i = %c0 to %c16 step %c1 {
    %v = memref.load %r[%i] : memref<16xf32>
    %x = memref.load %k[%c1] : memref<16xf32>
    %s = arith.addf %v, %x : f32
    %s2 = arith.addf %s, %x : f32
    memref.store %s2, %w[%i] : memref<16xf32>
  }
  memref.dealloc %k : memref<16xf32>
  %u = memref.cast %w : memref<16xf32> to memref<*xf32>
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  memref.dealloc %r : memref<16xf32>
  memref.dealloc %w : memref<16xf32>
  return
}
