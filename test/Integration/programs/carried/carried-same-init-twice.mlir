// Both carried values start as the same buffer.
//
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k1 = arith.constant 1 : i64
  %k9 = arith.constant 9 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%p = %a, %q = %a) -> (memref<8xi64>, memref<8xi64>) {
    %n = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k9 : i64) outs(%n : memref<8xi64>)
    scf.yield %n, %q : memref<8xi64>, memref<8xi64>
  }
  %s1 = memref.load %r#0[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %s2 = memref.load %r#1[%c0] : memref<8xi64>
  vector.print %s2 : i64
  return
}
