// WITH: ../../Inputs/sums.mlir
// The extents of the buffers of a phi cycle are computed in several ways, one from
// the extents of other buffers. All are the same product of the same values.
// ARGUMENTS: 0
// ARGUMENTS: 1
// ARGUMENTS: 5
// ARGUMENTS: 100
// CHECK: arena @f: naive=any others=any

func.func @f(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1.0 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %a = memref.alloc(%n) : memref<?xf32>
  func.call @iota(%a, %one) : (memref<?xf32>, f32) -> ()
  %m = memref.dim %a, %c0 : memref<?xf32>
  %m2 = arith.muli %c2, %m : index
  %b = memref.alloc(%m2) : memref<?xf32>
  func.call @iota(%b, %one) : (memref<?xf32>, f32) -> ()
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%v = %b) -> memref<?xf32> {
    %w = memref.alloc(%n, %c2) : memref<?x?xf32>
    linalg.fill ins(%one : f32) outs(%w : memref<?x?xf32>)
    %wc = memref.collapse_shape %w [[0, 1]] : memref<?x?xf32> into memref<?xf32>
    %k = memref.dim %wc, %c0 : memref<?xf32>
    %c = memref.alloc(%k) : memref<?xf32>
    linalg.add ins(%v, %wc : memref<?xf32>, memref<?xf32>) outs(%c : memref<?xf32>)
    scf.yield %c : memref<?xf32>
  }
  func.call @chk(%r) : (memref<?xf32>) -> ()
  func.call @chk(%a) : (memref<?xf32>) -> ()
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
