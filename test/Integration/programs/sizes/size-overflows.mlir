// WITH: ../../Inputs/sums.mlir
// The sizes in the branches overflow, at every hint or at all sizes but 0. The
// branches are not taken, and the buffers in them are not planned.
// ARGUMENTS: 0
// ARGUMENTS: 1
// ARGUMENTS: 5
// ARGUMENTS: 100
// CHECK: arena @f: naive=any others=any
// CHECK: left @f: 2

func.func @f(%x: memref<?xf32>, %k: index) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %h = arith.constant 1152921504606846976 : index
  %huge = arith.muli %n, %h : index
  %ks = arith.muli %k, %h : index
  %z = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%one : f32) outs(%z : memref<?xf32>)
  %t = arith.cmpi slt, %n, %c0 : index
  scf.if %t {
  %a = memref.alloc(%huge) : memref<?xf32>
  linalg.fill ins(%one : f32) outs(%a : memref<?xf32>)
  func.call @chk(%a) : (memref<?xf32>) -> ()
  memref.dealloc %a : memref<?xf32>
  }
  %t2 = arith.cmpi slt, %k, %c0 : index
  scf.if %t2 {
  %a = memref.alloc(%ks) : memref<?xf32>
  linalg.fill ins(%one : f32) outs(%a : memref<?xf32>)
  func.call @chk(%a) : (memref<?xf32>) -> ()
  memref.dealloc %a : memref<?xf32>
  }
  %b = memref.alloc(%n) : memref<?xf32>
  func.call @iota(%b, %one) : (memref<?xf32>, f32) -> ()
  func.call @chk(%b) : (memref<?xf32>) -> ()
  func.call @chk(%z) : (memref<?xf32>) -> ()
  memref.dealloc %b : memref<?xf32>
  memref.dealloc %z : memref<?xf32>
  return
}
func.func @main(%n0: index) {
  %x0 = memref.alloc(%n0) : memref<?xf32>
  %cx0 = arith.constant 2.0 : f32
  func.call @iota(%x0, %cx0) : (memref<?xf32>, f32) -> ()
  func.call @f(%x0, %n0) : (memref<?xf32>, index) -> ()
  memref.dealloc %x0 : memref<?xf32>
  return
}
