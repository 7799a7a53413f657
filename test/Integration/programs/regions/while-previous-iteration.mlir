// An iteration reads the contents of an outer buffer from the previous one.
//
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k3 = arith.constant 3 : i64
  %k7 = arith.constant 7 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k0 : i64) outs(%a : memref<8xi64>)
  %r = scf.while (%i = %k0) : (i64) -> (i64) {
    %c = arith.cmpi slt, %i, %k3 : i64
    scf.condition(%c) %i : i64
  } do {
  ^bb0(%i: i64):
    %s1 = memref.load %a[%c0] : memref<8xi64>
    vector.print %s1 : i64
    %t = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k7 : i64) outs(%t : memref<8xi64>)
    memref.copy %t, %a : memref<8xi64> to memref<8xi64>
    %n = arith.addi %i, %k1 : i64
    scf.yield %n : i64
  }
  return
}
