// WITH: ../../Inputs/sums.mlir
// An argument is negative where the branch is not taken. It is the least of two sizes, as
// a signed number and as an unsigned one.
// ARGUMENTS: 5, -3
// ARGUMENTS: 1, -1000000
// ARGUMENTS: 0, 0
// ARGUMENTS: 4, 7
// CHECK: arena @f: naive=any others=any

func.func @f(%x: memref<?xf32>, %k: index) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %t = arith.cmpi sge, %k, %c0 : index
  %s = arith.minui %k, %n : index
  %s2 = arith.minsi %k, %n : index
  %z = memref.alloc(%n) : memref<?xf32>
  func.call @iota(%z, %one) : (memref<?xf32>, f32) -> ()
  scf.if %t {
  %a = memref.alloc(%s) : memref<?xf32>
  func.call @iota(%a, %one) : (memref<?xf32>, f32) -> ()
  %b = memref.alloc(%s2) : memref<?xf32>
  func.call @iota(%b, %two) : (memref<?xf32>, f32) -> ()
  func.call @chk(%a) : (memref<?xf32>) -> ()
  func.call @chk(%b) : (memref<?xf32>) -> ()
  memref.dealloc %a : memref<?xf32>
  memref.dealloc %b : memref<?xf32>
  }
  func.call @chk(%z) : (memref<?xf32>) -> ()
  memref.dealloc %z : memref<?xf32>
  %c = memref.alloc(%s) : memref<?xf32>
  func.call @iota(%c, %one) : (memref<?xf32>, f32) -> ()
  func.call @chk(%c) : (memref<?xf32>) -> ()
  memref.dealloc %c : memref<?xf32>
  return
}
func.func @main(%n0: index, %n1: index) {
  %x0 = memref.alloc(%n0) : memref<?xf32>
  %cx0 = arith.constant 2.0 : f32
  func.call @iota(%x0, %cx0) : (memref<?xf32>, f32) -> ()
  func.call @f(%x0, %n1) : (memref<?xf32>, index) -> ()
  memref.dealloc %x0 : memref<?xf32>
  return
}
