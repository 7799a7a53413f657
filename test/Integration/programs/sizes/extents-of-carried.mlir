// WITH: ../../Inputs/sums.mlir
// Sizes are extents of buffers that loops and conditionals carry. All buffers that
// these may be have the same extents; of %o they have not.
// ARGUMENTS: 0
// ARGUMENTS: 1
// ARGUMENTS: 5
// ARGUMENTS: 20
// CHECK:      17

func.func @f(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %a = memref.alloc(%n) : memref<?xf32>
  func.call @iota(%a, %one) : (memref<?xf32>, f32) -> ()
  %b = memref.alloc(%n) : memref<?xf32>
  func.call @iota(%b, %two) : (memref<?xf32>, f32) -> ()
  %t = arith.cmpi sgt, %n, %c4 : index
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%v = %a, %w = %b) -> (memref<?xf32>, memref<?xf32>) {
    %d = memref.dim %w, %c0 : memref<?xf32>
    %e = memref.alloc(%d) : memref<?xf32>
    linalg.exp ins(%v : memref<?xf32>) outs(%e : memref<?xf32>)
    func.call @chk(%e) : (memref<?xf32>) -> ()
    memref.dealloc %e : memref<?xf32>
    %q = scf.for %j = %c0 to %c2 step %c1 iter_args(%p = %w) -> memref<?xf32> {
      %k = memref.dim %p, %c0 : memref<?xf32>
      %g = memref.alloc(%k) : memref<?xf32>
      linalg.add ins(%p, %v : memref<?xf32>, memref<?xf32>) outs(%g : memref<?xf32>)
      scf.yield %g : memref<?xf32>
    }
    scf.yield %q, %v : memref<?xf32>, memref<?xf32>
  }
  %s = scf.if %t -> memref<?xf32> {
    scf.yield %r#0 : memref<?xf32>
  } else {
    scf.yield %r#1 : memref<?xf32>
  }
  %m = memref.dim %s, %c0 : memref<?xf32>
  %z = memref.alloc(%m) : memref<?xf32>
  func.call @iota(%z, %one) : (memref<?xf32>, f32) -> ()
  func.call @chk(%s) : (memref<?xf32>) -> ()
  func.call @chk(%z) : (memref<?xf32>) -> ()
  memref.dealloc %z : memref<?xf32>
  %y = memref.alloc(%c1) : memref<?xf32>
  func.call @iota(%y, %one) : (memref<?xf32>, f32) -> ()
  %o = scf.for %i = %c0 to %c2 step %c1 iter_args(%v = %y) -> memref<?xf32> {
    %l = memref.dim %v, %c0 : memref<?xf32>
    %h = memref.alloc(%l) : memref<?xf32>
    linalg.exp ins(%v : memref<?xf32>) outs(%h : memref<?xf32>)
    func.call @chk(%h) : (memref<?xf32>) -> ()
    memref.dealloc %h : memref<?xf32>
    %u = memref.alloc(%n) : memref<?xf32>
    linalg.fill ins(%one : f32) outs(%u : memref<?xf32>)
    scf.yield %u : memref<?xf32>
  }
  func.call @chk(%o) : (memref<?xf32>) -> ()
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
