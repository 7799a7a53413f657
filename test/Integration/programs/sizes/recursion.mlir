// WITH: ../../Inputs/sums.mlir
// PROGRAM: plain
// PROGRAM: plain scope=module
// ARGUMENTS: 0
// ARGUMENTS: 1
// ARGUMENTS: 5
// ARGUMENTS: 20
// CHECK:      17

// Calls in a loop of free length, and a recursive function, each with sizes of its own.

func.func @f(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1.0 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  scf.for %i = %c0 to %n step %c4 {
  %a = memref.alloc(%n) : memref<?xf32>
  func.call @iota(%a, %one) : (memref<?xf32>, f32) -> ()
  func.call @g(%a, %i) : (memref<?xf32>, index) -> ()
  func.call @chk(%a) : (memref<?xf32>) -> ()
  memref.dealloc %a : memref<?xf32>
  }
  func.call @rec(%x, %n) : (memref<?xf32>, index) -> ()
  return
}
func.func private @g(%x: memref<?xf32>, %i: index) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %k = arith.addi %n, %i : index
  %a = memref.alloc(%k) : memref<?xf32>
  func.call @iota(%a, %one) : (memref<?xf32>, f32) -> ()
  func.call @chk(%a) : (memref<?xf32>) -> ()
  memref.dealloc %a : memref<?xf32>
  %b = memref.alloc(%i) : memref<?xf32>
  func.call @iota(%b, %two) : (memref<?xf32>, f32) -> ()
  func.call @chk(%b) : (memref<?xf32>) -> ()
  memref.dealloc %b : memref<?xf32>
  return
}
func.func private @rec(%x: memref<?xf32>, %i: index) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %t = arith.cmpi sgt, %i, %c0 : index
  scf.if %t {
  %h = arith.divui %i, %c2 : index
  %a = memref.alloc(%i) : memref<?xf32>
  func.call @iota(%a, %one) : (memref<?xf32>, f32) -> ()
  %b = memref.alloc(%h) : memref<?xf32>
  func.call @iota(%b, %two) : (memref<?xf32>, f32) -> ()
  func.call @rec(%a, %h) : (memref<?xf32>, index) -> ()
  func.call @chk(%a) : (memref<?xf32>) -> ()
  func.call @chk(%b) : (memref<?xf32>) -> ()
  memref.dealloc %a : memref<?xf32>
  memref.dealloc %b : memref<?xf32>
  }
  %c = memref.alloc(%i) : memref<?xf32>
  func.call @iota(%c, %one) : (memref<?xf32>, f32) -> ()
  func.call @chk(%c) : (memref<?xf32>) -> ()
  memref.dealloc %c : memref<?xf32>
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
