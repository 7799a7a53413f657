// WITH: ../../Inputs/sums.mlir
// Tiles of two dimensions, with smaller ones at the ends.
// ARGUMENTS: 0, 3
// ARGUMENTS: 1, 1
// ARGUMENTS: 5, 2
// ARGUMENTS: 17, 20
// CHECK: arena @f: naive=any others=any
// CHECK: left @f: 3

func.func @f(%x: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1.0 : f32
  %n = memref.dim %x, %c0 : memref<?x?xf32>
  %m = memref.dim %x, %c1 : memref<?x?xf32>
  %nm = arith.muli %n, %m : index
  %z = memref.alloc(%nm) : memref<?xf32>
  linalg.fill ins(%one : f32) outs(%z : memref<?xf32>)
  scf.for %i = %c0 to %n step %c8 {
    %s = affine.min affine_map<(i)[n] -> (8, n - i)>(%i)[%n]
    scf.for %j = %c0 to %m step %c4 {
      %t = affine.min affine_map<(i)[n] -> (4, n - i)>(%j)[%m]
      %a = memref.alloc(%s, %t) : memref<?x?xf32>
      %p = memref.subview %x[%i, %j][%s, %t][1, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
      memref.copy %p, %a : memref<?x?xf32, strided<[?, 1], offset: ?>> to memref<?x?xf32>
      %b = memref.alloc(%s, %t) : memref<?x?xf32>
      linalg.exp ins(%a : memref<?x?xf32>) outs(%b : memref<?x?xf32>)
      memref.dealloc %a : memref<?x?xf32>
      %w = arith.muli %s, %t : index
  %u = memref.alloc(%w) : memref<?xf32>
  func.call @iota(%u, %one) : (memref<?xf32>, f32) -> ()
      %bc = memref.collapse_shape %b [[0, 1]] : memref<?x?xf32> into memref<?xf32>
  func.call @chk(%bc) : (memref<?xf32>) -> ()
  func.call @chk(%u) : (memref<?xf32>) -> ()
  memref.dealloc %u : memref<?xf32>
      memref.dealloc %b : memref<?x?xf32>
    }
  }
  func.call @chk(%z) : (memref<?xf32>) -> ()
  memref.dealloc %z : memref<?xf32>
  return
}
func.func @main(%n0: index, %n1: index) {
  %x0 = memref.alloc(%n0, %n1) : memref<?x?xf32>
  %xc0 = memref.collapse_shape %x0 [[0, 1]] : memref<?x?xf32> into memref<?xf32>
  %cx0 = arith.constant 2.0 : f32
  func.call @iota(%xc0, %cx0) : (memref<?xf32>, f32) -> ()
  func.call @f(%x0) : (memref<?x?xf32>) -> ()
  memref.dealloc %x0 : memref<?x?xf32>
  return
}
