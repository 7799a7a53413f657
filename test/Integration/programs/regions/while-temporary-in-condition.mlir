// A temporary in each region: they are live at different times.
//
// CHECK: arena @main: naive=128 others=64
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k10 = arith.constant 10 : i64
  %r = scf.while (%i = %k0) : (i64) -> (i64) {
    %s = memref.alloc() : memref<8xi64>
    linalg.fill ins(%i : i64) outs(%s : memref<8xi64>)
    %s1 = memref.load %s[%c0] : memref<8xi64>
    vector.print %s1 : i64
    %l = memref.load %s[%c1] : memref<8xi64>
    %c = arith.cmpi slt, %l, %k2 : i64
    scf.condition(%c) %i : i64
  } do {
  ^bb0(%i: i64):
    %t = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k10 : i64) outs(%t : memref<8xi64>)
    %x = memref.load %t[%c0] : memref<8xi64>
    %y = arith.addi %x, %i : i64
    vector.print %y : i64
    %n = arith.addi %i, %k1 : i64
    scf.yield %n : i64
  }
  return
}
