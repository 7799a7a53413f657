// A new buffer from a callee in each iteration.
//
// Not planned: it is returned.
// CHECK: left @make: 1

func.func private @make(%x: i64) -> memref<8xi64> {
  %m = memref.alloc() : memref<8xi64>
  linalg.fill ins(%x : i64) outs(%m : memref<8xi64>)
  return %m : memref<8xi64>
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k5 = arith.constant 5 : i64
  scf.for %i = %c0 to %c3 step %c1 {
    %r = func.call @make(%k5) : (i64) -> memref<8xi64>
    %s1 = memref.load %r[%c0] : memref<8xi64>
    vector.print %s1 : i64
    memref.dealloc %r : memref<8xi64>
  }
  return
}
