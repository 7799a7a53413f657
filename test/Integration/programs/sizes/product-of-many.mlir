// WITH: ../../Inputs/sums.mlir
// A size is a product of eight factors. No hint is so large that it overflows.
// ARGUMENTS: 0, 3
// ARGUMENTS: 1, 1
// ARGUMENTS: 2, 1
// ARGUMENTS: 1, 2
// CHECK: arena @f: naive=any others=any

func.func @f(%k: index, %l: index) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %a = memref.alloc(%k, %k, %k, %k, %l, %l, %l, %l) : memref<?x?x?x?x?x?x?x?xf32>
  linalg.fill ins(%one : f32) outs(%a : memref<?x?x?x?x?x?x?x?xf32>)
  %b = memref.collapse_shape %a [[0, 1, 2, 3, 4, 5, 6, 7]] : memref<?x?x?x?x?x?x?x?xf32> into memref<?xf32>
  %n = memref.dim %b, %c0 : memref<?xf32>
  %c = memref.alloc(%n) : memref<?xf32>
  linalg.exp ins(%b : memref<?xf32>) outs(%c : memref<?xf32>)
  memref.dealloc %a : memref<?x?x?x?x?x?x?x?xf32>
  func.call @chk(%c) : (memref<?xf32>) -> ()
  %d = memref.alloc(%k) : memref<?xf32>
  linalg.fill ins(%two : f32) outs(%d : memref<?xf32>)
  func.call @chk(%d) : (memref<?xf32>) -> ()
  func.call @chk(%c) : (memref<?xf32>) -> ()
  memref.dealloc %c : memref<?xf32>
  memref.dealloc %d : memref<?xf32>
  return
}
func.func @main(%n0: index, %n1: index) {

  func.call @f(%n0, %n1) : (index, index) -> ()

  return
}
