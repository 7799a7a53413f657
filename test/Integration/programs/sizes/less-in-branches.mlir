// WITH: ../../Inputs/sums.mlir
// PROGRAM: plain
// PROGRAM: plain scope=module
// ARGUMENTS: 0
// ARGUMENTS: 1
// ARGUMENTS: 5
// ARGUMENTS: 100
// CHECK:      32804317400977

// Sizes in branches are less than that of a buffer that is always allocated, or negative
// where the branch is not taken.

func.func @f(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %z = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%one : f32) outs(%z : memref<?xf32>)
  %t = arith.cmpi sgt, %n, %c4 : index
  scf.if %t {
  %u = arith.subi %n, %c4 : index
  %a = memref.alloc(%u) : memref<?xf32>
  func.call @iota(%a, %one) : (memref<?xf32>, f32) -> ()
  func.call @chk(%a) : (memref<?xf32>) -> ()
  memref.dealloc %a : memref<?xf32>
  } else {
  %w = arith.subi %c4, %n : index
  %a = memref.alloc(%w) : memref<?xf32>
  func.call @iota(%a, %one) : (memref<?xf32>, f32) -> ()
  %b = memref.alloc(%n) : memref<?xf32>
  func.call @iota(%b, %two) : (memref<?xf32>, f32) -> ()
  func.call @chk(%a) : (memref<?xf32>) -> ()
  func.call @chk(%b) : (memref<?xf32>) -> ()
  memref.dealloc %a : memref<?xf32>
  memref.dealloc %b : memref<?xf32>
  }
  func.call @chk(%z) : (memref<?xf32>) -> ()
  memref.dealloc %z : memref<?xf32>
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
