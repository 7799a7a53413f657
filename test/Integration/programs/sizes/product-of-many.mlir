// A size is a product of eight factors. No hint is so large that it overflows.
// ARGUMENTS: 0, 3
// ARGUMENTS: 1, 1
// ARGUMENTS: 2, 1
// ARGUMENTS: 1, 2
// CHECK: arena @f: naive=any others=any

func.func @f(%k: index, %l: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %a = memref.alloc(%k, %k, %k, %k, %l, %l, %l, %l) : memref<?x?x?x?x?x?x?x?xf32>
  linalg.fill ins(%one : f32) outs(%a : memref<?x?x?x?x?x?x?x?xf32>)
  %b = memref.collapse_shape %a [[0, 1, 2, 3, 4, 5, 6, 7]] : memref<?x?x?x?x?x?x?x?xf32> into memref<?xf32>
  %n = memref.dim %b, %c0 : memref<?xf32>
  %c = memref.alloc(%n) : memref<?xf32>
  linalg.exp ins(%b : memref<?xf32>) outs(%c : memref<?xf32>)
  memref.dealloc %a : memref<?x?x?x?x?x?x?x?xf32>
  func.call @chk(%c) : (memref<?xf32>) -> ()
  %d = memref.alloc(%k) : memref<?xf32>
  linalg.fill ins(%two : f32) outs(%d : memref<?xf32>)
  func.call @chk(%d) : (memref<?xf32>) -> ()
  func.call @chk(%c) : (memref<?xf32>) -> ()
  memref.dealloc %c : memref<?xf32>
  memref.dealloc %d : memref<?xf32>
  return
}
func.func @main(%n0: index, %n1: index) {

  func.call @f(%n0, %n1) : (index, index) -> ()

  return
}
func.func private @printI64(i64)
func.func private @printNewline()
func.func @chk(%m: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s0 = arith.constant 17 : i64
  %k = arith.constant 31 : i64
  %n = memref.dim %m, %c0 : memref<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %s0) -> (i64) {
    %v = memref.load %m[%i] : memref<?xf32>
    %b = arith.bitcast %v : f32 to i32
    %w = arith.extui %b : i32 to i64
    %x = arith.muli %s, %k : i64
    %y = arith.addi %x, %w : i64
    scf.yield %y : i64
  }
  func.call @printI64(%r) : (i64) -> ()
  func.call @printNewline() : () -> ()
  return
}
func.func @iota(%m: memref<?xf32>, %base: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c0 : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %j = arith.index_cast %i : index to i32
    %f = arith.sitofp %j : i32 to f32
    %g = arith.addf %f, %base : f32
    memref.store %g, %m[%i] : memref<?xf32>
  }
  return
}
