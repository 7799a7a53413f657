// Memory of loops, branches and callees counts while they run, in addition to
// the memory that is live around them. Of two branches, the larger one is
// executed.
func.func private @leaf(%in: memref<64xf32>, %out: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%in : memref<64xf32>) outs(%a : memref<64xf32>)
  %b = memref.alloc() : memref<64xf32>
  linalg.abs ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
  %c = memref.alloc() : memref<64xf32>
  linalg.add ins(%a, %b : memref<64xf32>, memref<64xf32>) outs(%c : memref<64xf32>)
  memref.copy %c, %out : memref<64xf32> to memref<64xf32>
  return
}
func.func @regions(%in: memref<64xf32>, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %t = memref.alloc() : memref<64xf32>
  linalg.exp ins(%in : memref<64xf32>) outs(%t : memref<64xf32>)
  scf.for %i = %c0 to %c3 step %c1 {
    %u = memref.alloc() : memref<64xf32>
    linalg.abs ins(%t : memref<64xf32>) outs(%u : memref<64xf32>)
    func.call @leaf(%u, %t) : (memref<64xf32>, memref<64xf32>) -> ()
    %even = arith.cmpi ult, %i, %c1 : index
    scf.if %even {
      %v = memref.alloc() : memref<256xf32>
      %half = memref.subview %v[128] [64] [1] : memref<256xf32> to memref<64xf32, strided<[1], offset: 128>>
      memref.copy %u, %half : memref<64xf32> to memref<64xf32, strided<[1], offset: 128>>
      %w = memref.alloc() : memref<64xf32>
      linalg.exp ins(%half : memref<64xf32, strided<[1], offset: 128>>) outs(%w : memref<64xf32>)
      memref.copy %w, %t : memref<64xf32> to memref<64xf32>
    } else {
      %w = memref.alloc() : memref<8xf32>
      %x = memref.load %u[%i] : memref<64xf32>
      memref.store %x, %w[%c0] : memref<8xf32>
      %y = memref.load %w[%c0] : memref<8xf32>
      memref.store %y, %t[%i] : memref<64xf32>
    }
  }
  memref.copy %t, %out : memref<64xf32> to memref<64xf32>
  return
}
