// WITH: ../../Inputs/sums.mlir
// PROGRAM: plain
// PROGRAM: plain scope=module
// PROGRAM: plain scope=module results=out-params
// ARGUMENTS: 0
// ARGUMENTS: 1
// ARGUMENTS: 5
// ARGUMENTS: 100
// CHECK:      17

// Callees allocate buffers whose sizes follow from their arguments, and return one.

func.func @f(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1.0 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %a = memref.alloc(%n) : memref<?xf32>
  func.call @iota(%a, %one) : (memref<?xf32>, f32) -> ()
  func.call @g(%a) : (memref<?xf32>) -> ()
  %m = arith.addi %n, %c3 : index
  %b = memref.alloc(%m) : memref<?xf32>
  func.call @iota(%b, %one) : (memref<?xf32>, f32) -> ()
  func.call @g(%b) : (memref<?xf32>) -> ()
  %r = func.call @h(%b, %c4) : (memref<?xf32>, index) -> memref<?xf32>
  func.call @chk(%a) : (memref<?xf32>) -> ()
  func.call @chk(%b) : (memref<?xf32>) -> ()
  func.call @chk(%r) : (memref<?xf32>) -> ()
  memref.dealloc %a : memref<?xf32>
  memref.dealloc %b : memref<?xf32>
  memref.dealloc %r : memref<?xf32>
  return
}
func.func private @g(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %nn = arith.addi %n, %n : index
  %a = memref.alloc(%nn) : memref<?xf32>
  func.call @iota(%a, %one) : (memref<?xf32>, f32) -> ()
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.exp ins(%x : memref<?xf32>) outs(%b : memref<?xf32>)
  func.call @chk(%a) : (memref<?xf32>) -> ()
  memref.dealloc %a : memref<?xf32>
  %c = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%one : f32) outs(%c : memref<?xf32>)
  func.call @chk(%b) : (memref<?xf32>) -> ()
  func.call @chk(%c) : (memref<?xf32>) -> ()
  memref.dealloc %b : memref<?xf32>
  memref.dealloc %c : memref<?xf32>
  return
}
func.func private @h(%x: memref<?xf32>, %k: index) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %s = arith.muli %n, %k : index
  %t = memref.alloc(%s) : memref<?xf32>
  func.call @iota(%t, %two) : (memref<?xf32>, f32) -> ()
  func.call @chk(%t) : (memref<?xf32>) -> ()
  memref.dealloc %t : memref<?xf32>
  %a = memref.alloc(%s) : memref<?xf32>
  func.call @iota(%a, %one) : (memref<?xf32>, f32) -> ()
  return %a : memref<?xf32>
}
func.func @main(%n0: index) {
  %x0 = memref.alloc(%n0) : memref<?xf32>
  %cx0 = arith.constant 2.0 : f32
  func.call @iota(%x0, %cx0) : (memref<?xf32>, f32) -> ()
  func.call @f(%x0) : (memref<?xf32>) -> ()
  memref.dealloc %x0 : memref<?xf32>
  return
}
