// PROGRAM: plain
// PROGRAM: scope=module entry-points=main
//
// The condition is true with the argument as well: the function owns its
// argument and frees it.
//
// The copies of the results.
// CHECK: arena @main: naive=64 others=64
// Not planned: it shares a deallocation with the argument.
// CHECK: left @net: 1
// Not planned: it is passed to @net, which frees it.
// CHECK: left @main: 2

func.func private @net(%x0: memref<8xi64>, %n: index, %o: memref<8xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %x0, %own = %true) -> (memref<8xi64>, i1) {
    %t = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%x, %x : memref<8xi64>, memref<8xi64>) outs(%t : memref<8xi64>)
    scf.if %own {
      memref.dealloc %x : memref<8xi64>
    }
    scf.yield %t, %true : memref<8xi64>, i1
  }
  memref.copy %r#0, %o : memref<8xi64> to memref<8xi64>
  scf.if %r#1 {
    memref.dealloc %r#0 : memref<8xi64>
  }
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %k1 = arith.constant 1 : i64
  %o = memref.alloc() : memref<8xi64>
  %x = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%x : memref<8xi64>)
  call @net(%x, %c3, %o) : (memref<8xi64>, index, memref<8xi64>) -> ()
  %p1 = memref.load %o[%c0] : memref<8xi64>
  vector.print %p1 : i64
  %y = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%y : memref<8xi64>)
  call @net(%y, %c0, %o) : (memref<8xi64>, index, memref<8xi64>) -> ()
  %p2 = memref.load %o[%c0] : memref<8xi64>
  vector.print %p2 : i64
  return
}
