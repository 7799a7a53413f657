// The buffer grows in each iteration.
//
// 64 bytes are live at one time, so no plan is smaller.
// CHECK: arena @main: naive=64 others=64
// Not planned: it has a dynamic shape.
// CHECK: left @main: 1

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %k5 = arith.constant 5 : i64
  %k7 = arith.constant 7 : i64
  %k9 = arith.constant 9 : i64
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k9 : i64) outs(%b : memref<8xi64>)
  %a = memref.alloc(%c1) : memref<?xi64>
  memref.store %k5, %a[%c0] : memref<?xi64>
  %r = scf.for %i = %c2 to %c5 step %c1 iter_args(%p = %a) -> (memref<?xi64>) {
    %n = memref.realloc %p(%i) : memref<?xi64> to memref<?xi64>
    %j = arith.subi %i, %c1 : index
    memref.store %k7, %n[%j] : memref<?xi64>
    scf.yield %n : memref<?xi64>
  }
  %s1 = memref.load %r[%c0] : memref<?xi64>
  vector.print %s1 : i64
  %s2 = memref.load %b[%c0] : memref<8xi64>
  vector.print %s2 : i64
  return
}
