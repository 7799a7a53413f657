// WITH: ../../Inputs/sums.mlir
// Sizes are extents of views, of reshaped buffers and of collapsed ones.
// ARGUMENTS: 0
// ARGUMENTS: 1
// ARGUMENTS: 5
// ARGUMENTS: 100
// CHECK: arena @f: naive=any others=any

func.func @f(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %nb = arith.muli %n, %c8 : index
  %raw = memref.alloc(%nb) : memref<?xi8>
  %v = memref.view %raw[%c0][%n] : memref<?xi8> to memref<?xf32>
  func.call @iota(%v, %two) : (memref<?xf32>, f32) -> ()
  %d = memref.dim %v, %c0 : memref<?xf32>
  %a = memref.alloc(%d) : memref<?xf32>
  func.call @iota(%a, %one) : (memref<?xf32>, f32) -> ()
  %e = memref.expand_shape %a [[0, 1]] output_shape [%d, 1] : memref<?xf32> into memref<?x1xf32>
  %ed = memref.dim %e, %c0 : memref<?x1xf32>
  %b = memref.alloc(%ed, %ed) : memref<?x?xf32>
  linalg.fill ins(%two : f32) outs(%b : memref<?x?xf32>)
  %bc = memref.collapse_shape %b [[0, 1]] : memref<?x?xf32> into memref<?xf32>
  %bd = memref.dim %bc, %c0 : memref<?xf32>
  %c = memref.alloc(%bd) : memref<?xf32>
  func.call @iota(%c, %one) : (memref<?xf32>, f32) -> ()
  func.call @chk(%v) : (memref<?xf32>) -> ()
  memref.dealloc %raw : memref<?xi8>
  func.call @chk(%c) : (memref<?xf32>) -> ()
  memref.dealloc %c : memref<?xf32>
  %g = memref.alloc(%bd) : memref<?xf32>
  func.call @iota(%g, %two) : (memref<?xf32>, f32) -> ()
  func.call @chk(%a) : (memref<?xf32>) -> ()
  func.call @chk(%bc) : (memref<?xf32>) -> ()
  func.call @chk(%g) : (memref<?xf32>) -> ()
  memref.dealloc %b : memref<?x?xf32>
  memref.dealloc %a : memref<?xf32>
  memref.dealloc %g : memref<?xf32>
  return
}
func.func @main(%n0: index) {
  %x0 = memref.alloc(%n0) : memref<?xf32>
  %cx0 = arith.constant 2.0 : f32
  func.call @iota(%x0, %cx0) : (memref<?xf32>, f32) -> ()
  func.call @f(%x0) : (memref<?xf32>) -> ()
  memref.dealloc %x0 : memref<?xf32>
  return
}
