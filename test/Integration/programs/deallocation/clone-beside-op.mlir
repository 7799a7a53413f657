// The op reads a clone of the buffer that it would overwrite, in another order:
// the clone may be the same memory.
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
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (15 - d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
    ins(%r, %k : memref<16xf32>, memref<16xf32>) outs(%w : memref<16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  }
  memref.dealloc %k : memref<16xf32>
  %u = memref.cast %w : memref<16xf32> to memref<*xf32>
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  memref.dealloc %r : memref<16xf32>
  memref.dealloc %w : memref<16xf32>
  return
}
