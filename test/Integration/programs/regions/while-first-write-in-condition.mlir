// The first region runs at least once, so a buffer that it writes may be read
// after the loop.
//
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k3 = arith.constant 3 : i64
  %k8 = arith.constant 8 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  %r = scf.while (%i = %k0) : (i64) -> (i64) {
    linalg.fill ins(%i : i64) outs(%a : memref<8xi64>)
    %c = arith.cmpi slt, %i, %k3 : i64
    scf.condition(%c) %i : i64
  } do {
  ^bb0(%i: i64):
    %n = arith.addi %i, %k1 : i64
    scf.yield %n : i64
  }
  linalg.fill ins(%k8 : i64) outs(%b : memref<8xi64>)
  %s1 = memref.load %a[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %s2 = memref.load %b[%c0] : memref<8xi64>
  vector.print %s2 : i64
  return
}
