// What programs whose sizes only the run knows call: @iota writes to all of a buffer,
// @chk prints a number that follows from all of its bytes.

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
