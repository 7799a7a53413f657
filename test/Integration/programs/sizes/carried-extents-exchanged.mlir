// WITH: ../../Inputs/sums.mlir
// A loop carries buffers of n times m and of m times n elements: as many bytes, but
// other extents, so that they have slots of their own.
// ARGUMENTS: 0, 3
// ARGUMENTS: 1, 1
// ARGUMENTS: 5, 2
// ARGUMENTS: 7, 40
// CHECK: arena @f: naive=any others=any
// CHECK: left @f: 1

func.func @f(%x: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %n = memref.dim %x, %c0 : memref<?x?xf32>
  %m = memref.dim %x, %c1 : memref<?x?xf32>
  %s = memref.alloc(%n, %m) : memref<?x?xf32>
  linalg.fill ins(%one : f32) outs(%s : memref<?x?xf32>)
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%v = %s) -> memref<?x?xf32> {
    %a = memref.alloc(%m, %n) : memref<?x?xf32>
    linalg.fill ins(%two : f32) outs(%a : memref<?x?xf32>)
    %vc = memref.collapse_shape %v [[0, 1]] : memref<?x?xf32> into memref<?xf32>
    func.call @chk(%vc) : (memref<?xf32>) -> ()
    scf.yield %a : memref<?x?xf32>
  }
  %d = memref.dim %r, %c0 : memref<?x?xf32>
  %di = arith.index_cast %d : index to i64
  func.call @printI64(%di) : (i64) -> ()
  func.call @printNewline() : () -> ()
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
