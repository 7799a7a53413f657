// PROGRAM: plain
// PROGRAM: scope=module entry-points=main
//
// The buffers are exchanged, the conditions are not: after an odd number of
// iterations the argument is freed.
//
// The copies of the results.
// CHECK: arena @main: naive=64 others=64
// Not planned: it shares a deallocation with the argument.
// CHECK: left @net: 1
// Not planned: it is passed to @net, which frees it.
// CHECK: left @main: 1

func.func private @net(%x0: memref<8xi64>, %n: index, %o: memref<8xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k5 = arith.constant 5 : i64
  %true = arith.constant true
  %false = arith.constant false
  %y0 = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k5 : i64) outs(%y0 : memref<8xi64>)
  %r:4 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %x0, %ox = %false, %y = %y0, %oy = %true) -> (memref<8xi64>, i1, memref<8xi64>, i1) {
    scf.yield %y, %ox, %x, %oy : memref<8xi64>, i1, memref<8xi64>, i1
  }
  memref.copy %r#0, %o : memref<8xi64> to memref<8xi64>
  %p = memref.load %o[%c0] : memref<8xi64>
  vector.print %p : i64
  %q = memref.load %r#2[%c0] : memref<8xi64>
  vector.print %q : i64
  scf.if %r#3 {
    memref.dealloc %r#2 : memref<8xi64>
  }
  scf.if %r#1 {
    memref.dealloc %r#0 : memref<8xi64>
  }
  return
}
func.func @main() {
  %c3 = arith.constant 3 : index
  %k1 = arith.constant 1 : i64
  %o = memref.alloc() : memref<8xi64>
  %x = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%x : memref<8xi64>)
  call @net(%x, %c3, %o) : (memref<8xi64>, index, memref<8xi64>) -> ()
  return
}
