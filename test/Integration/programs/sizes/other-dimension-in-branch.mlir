// WITH: ../../Inputs/sums.mlir
// Branches allocate buffers of other dimensions of the argument than the condition is of.
// ARGUMENTS: 0, 3
// ARGUMENTS: 1, 1
// ARGUMENTS: 5, 2
// ARGUMENTS: 7, 40
// CHECK: arena @f: naive=any others=any

func.func @f(%x: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %n = memref.dim %x, %c0 : memref<?x?xf32>
  %m = memref.dim %x, %c1 : memref<?x?xf32>
  %t = arith.cmpi sgt, %n, %m : index
  %big = arith.muli %n, %m : index
  %z = memref.alloc(%big) : memref<?xf32>
  linalg.fill ins(%one : f32) outs(%z : memref<?xf32>)
  scf.if %t {
  %a = memref.alloc(%m) : memref<?xf32>
  func.call @iota(%a, %one) : (memref<?xf32>, f32) -> ()
  func.call @chk(%a) : (memref<?xf32>) -> ()
  memref.dealloc %a : memref<?xf32>
  } else {
  %a = memref.alloc(%n) : memref<?xf32>
  func.call @iota(%a, %one) : (memref<?xf32>, f32) -> ()
  %b = memref.alloc(%m) : memref<?xf32>
  func.call @iota(%b, %two) : (memref<?xf32>, f32) -> ()
  func.call @chk(%a) : (memref<?xf32>) -> ()
  func.call @chk(%b) : (memref<?xf32>) -> ()
  memref.dealloc %a : memref<?xf32>
  memref.dealloc %b : memref<?xf32>
  }
  func.call @chk(%z) : (memref<?xf32>) -> ()
  memref.dealloc %z : memref<?xf32>
  scf.if %t {
  %a = memref.alloc(%m) : memref<?xf32>
  func.call @iota(%a, %one) : (memref<?xf32>, f32) -> ()
  func.call @chk(%a) : (memref<?xf32>) -> ()
  memref.dealloc %a : memref<?xf32>
  }
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
