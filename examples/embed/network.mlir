// Two layers and a loop of the accelerator. @network needs two tiles at a time
// and scratch for one npu.matmul. npu.relu works in place on its tile.
func.func @network(%x: memref<8x8xf32>, %w: memref<8x8xf32>,
                   %out: memref<8x8xf32>) {
  %a = npu.alloc : memref<8x8xf32>
  npu.matmul %x, %w into %a
      : memref<8x8xf32>, memref<8x8xf32> into memref<8x8xf32>
  npu.relu %a : memref<8x8xf32>
  %b = npu.alloc : memref<8x8xf32>
  npu.matmul %a, %w into %b
      : memref<8x8xf32>, memref<8x8xf32> into memref<8x8xf32>
  npu.relu %b : memref<8x8xf32>
  npu.repeat 3 {
    %c = npu.alloc : memref<8x8xf32>
    npu.matmul %b, %w into %c
        : memref<8x8xf32>, memref<8x8xf32> into memref<8x8xf32>
    npu.relu %c : memref<8x8xf32>
    npu.matmul %c, %w into %b
        : memref<8x8xf32>, memref<8x8xf32> into memref<8x8xf32>
    npu.next
  }
  npu.matmul %b, %w into %out
      : memref<8x8xf32>, memref<8x8xf32> into memref<8x8xf32>
  return
}

func.func private @printMemrefF32(memref<*xf32>)
    attributes {llvm.emit_c_interface}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %x = memref.alloc() : memref<8x8xf32>
  %w = memref.alloc() : memref<8x8xf32>
  %out = memref.alloc() : memref<8x8xf32>
  // Numbers of both signs, so that npu.relu has an effect.
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      %two = arith.constant 2 : index
      %five = arith.constant 5 : index
      %m = arith.muli %i, %five : index
      %s = arith.addi %m, %j : index
      %r = arith.remsi %s, %five : index
      %d = arith.subi %r, %two : index
      %n = arith.index_cast %d : index to i32
      %f = arith.sitofp %n : i32 to f32
      memref.store %f, %x[%i, %j] : memref<8x8xf32>
      %t = arith.muli %i, %j : index
      %u = arith.remsi %t, %five : index
      %v = arith.subi %u, %c1 : index
      %k = arith.index_cast %v : index to i32
      %g = arith.sitofp %k : i32 to f32
      memref.store %g, %w[%i, %j] : memref<8x8xf32>
    }
  }
  func.call @network(%x, %w, %out)
      : (memref<8x8xf32>, memref<8x8xf32>, memref<8x8xf32>) -> ()
  %print = memref.cast %out : memref<8x8xf32> to memref<*xf32>
  func.call @printMemrefF32(%print) : (memref<*xf32>) -> ()
  memref.dealloc %x : memref<8x8xf32>
  memref.dealloc %w : memref<8x8xf32>
  memref.dealloc %out : memref<8x8xf32>
  return
}
