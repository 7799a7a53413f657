// The loop does not run; a buffer that is written after it must not share bytes
// with the initial value.
//
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k5 = arith.constant 5 : i64
  %k7 = arith.constant 7 : i64
  %k9 = arith.constant 9 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k5 : i64) outs(%a : memref<8xi64>)
  %r = scf.for %i = %c0 to %c0 step %c1 iter_args(%p = %a) -> (memref<8xi64>) {
    %n = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k9 : i64) outs(%n : memref<8xi64>)
    scf.yield %n : memref<8xi64>
  }
  %o = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k7 : i64) outs(%o : memref<8xi64>)
  %s1 = memref.load %r[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %s2 = memref.load %o[%c0] : memref<8xi64>
  vector.print %s2 : i64
  return
}
