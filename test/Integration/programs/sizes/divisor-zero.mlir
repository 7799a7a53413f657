// WITH: ../../Inputs/sums.mlir
// In the branch, sizes are quotients by an argument that is 0 where the branch is not
// taken.
// ARGUMENTS: 4, 0
// ARGUMENTS: 8, 2
// ARGUMENTS: 7, 3
// ARGUMENTS: 0, 5
// CHECK: arena @f: naive=any others=any
// CHECK: left @f: 4

func.func @f(%x: memref<?xf32>, %k: index) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %z = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%one : f32) outs(%z : memref<?xf32>)
  %t = arith.cmpi ne, %k, %c0 : index
  scf.if %t {
  %q = arith.divui %n, %k : index
  %q2 = arith.divsi %n, %k : index
  %q3 = arith.remui %n, %k : index
  %q4 = arith.ceildivsi %n, %k : index
  %a = memref.alloc(%q) : memref<?xf32>
  func.call @iota(%a, %one) : (memref<?xf32>, f32) -> ()
  %b = memref.alloc(%q2) : memref<?xf32>
  func.call @iota(%b, %two) : (memref<?xf32>, f32) -> ()
  %c = memref.alloc(%q3) : memref<?xf32>
  func.call @iota(%c, %two) : (memref<?xf32>, f32) -> ()
  %d = memref.alloc(%q4) : memref<?xf32>
  func.call @iota(%d, %two) : (memref<?xf32>, f32) -> ()
  func.call @chk(%a) : (memref<?xf32>) -> ()
  func.call @chk(%b) : (memref<?xf32>) -> ()
  func.call @chk(%c) : (memref<?xf32>) -> ()
  func.call @chk(%d) : (memref<?xf32>) -> ()
  memref.dealloc %a : memref<?xf32>
  memref.dealloc %b : memref<?xf32>
  memref.dealloc %c : memref<?xf32>
  memref.dealloc %d : memref<?xf32>
  }
  func.call @chk(%z) : (memref<?xf32>) -> ()
  memref.dealloc %z : memref<?xf32>
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
