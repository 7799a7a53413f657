// The body never runs: the result is the initial value.
//
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k0 = arith.constant 0 : i64
  %k5 = arith.constant 5 : i64
  %k6 = arith.constant 6 : i64
  %k9 = arith.constant 9 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k5 : i64) outs(%a : memref<8xi64>)
  %r:2 = scf.while (%i = %k0, %p = %a) : (i64, memref<8xi64>) -> (i64, memref<8xi64>) {
    %c = arith.cmpi slt, %i, %k0 : i64
    scf.condition(%c) %i, %p : i64, memref<8xi64>
  } do {
  ^bb0(%i: i64, %p: memref<8xi64>):
    %n = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k9 : i64) outs(%n : memref<8xi64>)
    scf.yield %i, %n : i64, memref<8xi64>
  }
  %o = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k6 : i64) outs(%o : memref<8xi64>)
  %s1 = memref.load %r#1[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %s2 = memref.load %o[%c0] : memref<8xi64>
  vector.print %s2 : i64
  return
}
