// WITH: ../../Inputs/sums.mlir
// Two phi cycles, one of n and one of m elements, are live at once. A slot that is free
// in one does not serve the other, whose extents it does not have.
// ARGUMENTS: 0, 1
// ARGUMENTS: 1, 0
// ARGUMENTS: 5, 2
// ARGUMENTS: 7, 40
// CHECK: arena @f: naive=any others=any

func.func @f(%x: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %n = memref.dim %x, %c0 : memref<?x?xf32>
  %m = memref.dim %x, %c1 : memref<?x?xf32>
  %z = memref.alloc(%m) : memref<?xf32>
  func.call @iota(%z, %one) : (memref<?xf32>, f32) -> ()
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%v = %z) -> memref<?xf32> {
    %a = memref.alloc(%m) : memref<?xf32>
    linalg.exp ins(%v : memref<?xf32>) outs(%a : memref<?xf32>)
    scf.yield %a : memref<?xf32>
  }
  %w = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%two : f32) outs(%w : memref<?xf32>)
  %s = scf.for %i = %c0 to %c3 step %c1 iter_args(%v = %w) -> memref<?xf32> {
    func.call @chk(%r) : (memref<?xf32>) -> ()
    %t = arith.cmpi slt, %i, %c2 : index
    %q = scf.if %t -> memref<?xf32> {
      %b = memref.alloc(%n) : memref<?xf32>
      linalg.fill ins(%one : f32) outs(%b : memref<?xf32>)
      %d = memref.alloc(%n) : memref<?xf32>
      linalg.fill ins(%two : f32) outs(%d : memref<?xf32>)
      %g:2 = scf.for %j = %c0 to %c3 step %c1 iter_args(%p0 = %b, %p1 = %d) -> (memref<?xf32>, memref<?xf32>) {
        %h = memref.alloc(%n) : memref<?xf32>
        linalg.fill ins(%two : f32) outs(%h : memref<?xf32>)
        %k = memref.alloc(%n) : memref<?xf32>
        linalg.add ins(%p1, %p0 : memref<?xf32>, memref<?xf32>) outs(%k : memref<?xf32>)
        scf.yield %h, %k : memref<?xf32>, memref<?xf32>
      }
      func.call @chk(%g#1) : (memref<?xf32>) -> ()
      %e = memref.alloc(%m) : memref<?xf32>
      linalg.fill ins(%two : f32) outs(%e : memref<?xf32>)
      scf.yield %e : memref<?xf32>
    } else {
      scf.yield %z : memref<?xf32>
    }
    func.call @chk(%q) : (memref<?xf32>) -> ()
    %l = memref.alloc(%n) : memref<?xf32>
    linalg.exp ins(%v : memref<?xf32>) outs(%l : memref<?xf32>)
    scf.yield %l : memref<?xf32>
  }
  func.call @chk(%s) : (memref<?xf32>) -> ()
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
