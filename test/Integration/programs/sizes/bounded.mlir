// WITH: ../../Inputs/sums.mlir
// PROGRAM: plain
// PROGRAM: plain dynamic=bounded
// PROGRAM: plain dynamic=bounded arena=global
// ARGUMENTS: 0, 3
// ARGUMENTS: 1, 1
// ARGUMENTS: 5, 2
// ARGUMENTS: 7, 40
// ARGUMENTS: 64, 40
// CHECK:      17

// Extents with bounds, and sizes that follow from them: products, differences,
// remainders.

func.func @f(%x: memref<?x?xf32> {memplan.dim_bounds = array<i64: 0, 64, 1, 1, 40, 1>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %n = memref.dim %x, %c0 : memref<?x?xf32>
  %m = memref.dim %x, %c1 : memref<?x?xf32>
  %nm = arith.muli %n, %m : index
  %dd = arith.subi %n, %m : index
  %d = arith.maxsi %dd, %c0 : index
  %a = memref.alloc(%nm) : memref<?xf32>
  func.call @iota(%a, %one) : (memref<?xf32>, f32) -> ()
  %b = memref.alloc(%d) : memref<?xf32>
  func.call @iota(%b, %two) : (memref<?xf32>, f32) -> ()
  %c = memref.alloc(%n, %m) : memref<?x?xf32>
  linalg.exp ins(%x : memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  func.call @chk(%a) : (memref<?xf32>) -> ()
  memref.dealloc %a : memref<?xf32>
  %k = memref.alloc() : memref<1000xf32>
  linalg.fill ins(%one : f32) outs(%k : memref<1000xf32>)
  %kk = memref.cast %k : memref<1000xf32> to memref<?xf32>
  func.call @chk(%kk) : (memref<?xf32>) -> ()
  memref.dealloc %k : memref<1000xf32>
  %cc = memref.collapse_shape %c [[0, 1]] : memref<?x?xf32> into memref<?xf32>
  func.call @chk(%b) : (memref<?xf32>) -> ()
  func.call @chk(%cc) : (memref<?xf32>) -> ()
  memref.dealloc %b : memref<?xf32>
  memref.dealloc %c : memref<?x?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %r = arith.subi %n, %i : index
    %t = arith.remui %i, %c8 : index
  %u = memref.alloc(%r) : memref<?xf32>
  func.call @iota(%u, %one) : (memref<?xf32>, f32) -> ()
  %v = memref.alloc(%t) : memref<?xf32>
  func.call @iota(%v, %two) : (memref<?xf32>, f32) -> ()
  func.call @chk(%u) : (memref<?xf32>) -> ()
  func.call @chk(%v) : (memref<?xf32>) -> ()
  memref.dealloc %u : memref<?xf32>
  memref.dealloc %v : memref<?xf32>
  }
  return
}
func.func @main(%n0: index, %n1: index) {
  %x0 = memref.alloc(%n0, %n1) : memref<?x?xf32>
  %xc0 = memref.collapse_shape %x0 [[0, 1]] : memref<?x?xf32> into memref<?xf32>
  %cx0 = arith.constant 2.0 : f32
  func.call @iota(%xc0, %cx0) : (memref<?xf32>, f32) -> ()
  func.call @f(%x0) : (memref<?x?xf32>) -> ()
  memref.dealloc %x0 : memref<?x?xf32>
  return
}
