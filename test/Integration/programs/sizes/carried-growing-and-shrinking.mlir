// WITH: ../../Inputs/sums.mlir
// Loops carry buffers that grow and that shrink. They are not planned; the others are.
// ARGUMENTS: 0
// ARGUMENTS: 1
// ARGUMENTS: 5
// ARGUMENTS: 20
// CHECK: left @f: 4

func.func @f(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %s0 = memref.alloc(%c1) : memref<?xf32>
  linalg.fill ins(%one : f32) outs(%s0 : memref<?xf32>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%v = %s0) -> memref<?xf32> {
    %d = memref.dim %v, %c0 : memref<?xf32>
    %d1 = arith.addi %d, %c1 : index
    %a = memref.alloc(%d1) : memref<?xf32>
    linalg.fill ins(%two : f32) outs(%a : memref<?xf32>)
    %p = memref.subview %a[0][%d][1] : memref<?xf32> to memref<?xf32, strided<[1]>>
    memref.copy %v, %p : memref<?xf32> to memref<?xf32, strided<[1]>>
    memref.dealloc %v : memref<?xf32>
    scf.yield %a : memref<?xf32>
  }
  func.call @chk(%r) : (memref<?xf32>) -> ()
  memref.dealloc %r : memref<?xf32>
  %q0 = memref.alloc(%n) : memref<?xf32>
  func.call @iota(%q0, %one) : (memref<?xf32>, f32) -> ()
  %q = scf.for %i = %c0 to %n step %c1 iter_args(%v = %q0) -> memref<?xf32> {
    %d = memref.dim %v, %c0 : memref<?xf32>
    %d1 = arith.subi %d, %c1 : index
    %a = memref.alloc(%d1) : memref<?xf32>
    %p = memref.subview %v[1][%d1][1] : memref<?xf32> to memref<?xf32, strided<[1], offset: 1>>
    memref.copy %p, %a : memref<?xf32, strided<[1], offset: 1>> to memref<?xf32>
    func.call @chk(%a) : (memref<?xf32>) -> ()
    memref.dealloc %v : memref<?xf32>
    scf.yield %a : memref<?xf32>
  }
  func.call @chk(%q) : (memref<?xf32>) -> ()
  memref.dealloc %q : memref<?xf32>
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
