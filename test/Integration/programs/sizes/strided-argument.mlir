// WITH: ../../Inputs/sums.mlir
// The argument is a part of a larger memref: it has strides and an offset.
// ARGUMENTS: 0, 3
// ARGUMENTS: 1, 1
// ARGUMENTS: 5, 2
// ARGUMENTS: 7, 40
// CHECK: arena @g: naive=any others=any

func.func @f(%y: memref<?x?xf32>, %o: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %y, %c0 : memref<?x?xf32>
  %m = memref.dim %y, %c1 : memref<?x?xf32>
  %m1 = arith.divui %m, %c1 : index
  %o1 = arith.subi %o, %m : index
  %s = memref.subview %y[0, %o1][%n, %m1][1, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
  func.call @g(%s) : (memref<?x?xf32, strided<[?, 1], offset: ?>>) -> ()
  return
}
func.func @g(%x: memref<?x?xf32, strided<[?, 1], offset: ?>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x?xf32, strided<[?, 1], offset: ?>>
  %m = memref.dim %x, %c1 : memref<?x?xf32, strided<[?, 1], offset: ?>>
  %a = memref.alloc(%n, %m) : memref<?x?xf32>
  memref.copy %x, %a : memref<?x?xf32, strided<[?, 1], offset: ?>> to memref<?x?xf32>
  %b = memref.alloc(%m, %n) : memref<?x?xf32>
  linalg.transpose ins(%a : memref<?x?xf32>) outs(%b : memref<?x?xf32>) permutation = [1, 0]
  %ac = memref.collapse_shape %a [[0, 1]] : memref<?x?xf32> into memref<?xf32>
  %bc = memref.collapse_shape %b [[0, 1]] : memref<?x?xf32> into memref<?xf32>
  func.call @chk(%bc) : (memref<?xf32>) -> ()
  %nm = memref.dim %bc, %c0 : memref<?xf32>
  %c = memref.alloc(%nm) : memref<?xf32>
  linalg.exp ins(%bc : memref<?xf32>) outs(%c : memref<?xf32>)
  %d = memref.alloc(%nm) : memref<?xf32>
  linalg.exp ins(%ac : memref<?xf32>) outs(%d : memref<?xf32>)
  func.call @chk(%c) : (memref<?xf32>) -> ()
  func.call @chk(%d) : (memref<?xf32>) -> ()
  memref.dealloc %c : memref<?xf32>
  memref.dealloc %d : memref<?xf32>
  memref.dealloc %a : memref<?x?xf32>
  memref.dealloc %b : memref<?x?xf32>
  return
}
func.func @main(%n0: index, %n1: index) {
  %x0 = memref.alloc(%n0, %n1) : memref<?x?xf32>
  %xc0 = memref.collapse_shape %x0 [[0, 1]] : memref<?x?xf32> into memref<?xf32>
  %cx0 = arith.constant 2.0 : f32
  func.call @iota(%xc0, %cx0) : (memref<?xf32>, f32) -> ()
  func.call @f(%x0, %n1) : (memref<?x?xf32>, index) -> ()
  memref.dealloc %x0 : memref<?x?xf32>
  return
}
