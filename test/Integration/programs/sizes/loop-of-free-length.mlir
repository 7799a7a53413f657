// WITH: ../../Inputs/sums.mlir
// A loop of free length allocates buffers whose sizes depend on the iteration, which are
// not planned, and one whose size does not.
// ARGUMENTS: 0
// ARGUMENTS: 1
// ARGUMENTS: 5
// ARGUMENTS: 20
// CHECK: arena @f: naive=any others=any
// CHECK: left @f: 2

func.func @f(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %z = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%one : f32) outs(%z : memref<?xf32>)
  scf.for %i = %c0 to %n step %c1 {
  %rest = arith.subi %n, %i : index
  %a = memref.alloc(%i) : memref<?xf32>
  func.call @iota(%a, %one) : (memref<?xf32>, f32) -> ()
  %b = memref.alloc(%rest) : memref<?xf32>
  func.call @iota(%b, %two) : (memref<?xf32>, f32) -> ()
  %d = memref.alloc(%n) : memref<?xf32>
  func.call @iota(%d, %two) : (memref<?xf32>, f32) -> ()
  func.call @chk(%a) : (memref<?xf32>) -> ()
  memref.dealloc %a : memref<?xf32>
  func.call @chk(%b) : (memref<?xf32>) -> ()
  memref.dealloc %b : memref<?xf32>
  func.call @chk(%d) : (memref<?xf32>) -> ()
  memref.dealloc %d : memref<?xf32>
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
