// WITH: ../../Inputs/sums.mlir
// PROGRAM: plain
// PROGRAM: plain scope=module
// PROGRAM: plain scope=module results=out-params
// ARGUMENTS: 0
// ARGUMENTS: 1
// ARGUMENTS: 5
// ARGUMENTS: 100
// CHECK:      1066364549711

// A callee returns a buffer of free size and its argument.

func.func @f(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %r:2 = func.call @g(%x) : (memref<?xf32>) -> (memref<?xf32>, memref<?xf32>)
  func.call @chk(%r#0) : (memref<?xf32>) -> ()
  func.call @chk(%r#1) : (memref<?xf32>) -> ()
  %k = memref.dim %r#0, %c0 : memref<?xf32>
  %c = memref.alloc(%k) : memref<?xf32>
  func.call @iota(%c, %one) : (memref<?xf32>, f32) -> ()
  func.call @chk(%c) : (memref<?xf32>) -> ()
  memref.dealloc %c : memref<?xf32>
  memref.dealloc %r#0 : memref<?xf32>
  return
}
func.func private @g(%x: memref<?xf32>) -> (memref<?xf32>, memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %nn = arith.addi %n, %c3 : index
  %a = memref.alloc(%nn) : memref<?xf32>
  func.call @iota(%a, %one) : (memref<?xf32>, f32) -> ()
  %t = memref.alloc(%nn) : memref<?xf32>
  func.call @iota(%t, %two) : (memref<?xf32>, f32) -> ()
  func.call @chk(%t) : (memref<?xf32>) -> ()
  memref.dealloc %t : memref<?xf32>
  return %a, %x : memref<?xf32>, memref<?xf32>
}
func.func @main(%n0: index) {
  %x0 = memref.alloc(%n0) : memref<?xf32>
  %cx0 = arith.constant 2.0 : f32
  func.call @iota(%x0, %cx0) : (memref<?xf32>, f32) -> ()
  func.call @f(%x0) : (memref<?xf32>) -> ()
  memref.dealloc %x0 : memref<?xf32>
  return
}
