// The first region makes the buffer that is the result of the loop.
//
// CHECK: arena @main: naive=64 others=64
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k3 = arith.constant 3 : i64
  %k10 = arith.constant 10 : i64
  %r:2 = scf.while (%i = %k0) : (i64) -> (i64, memref<8xi64>) {
    %n = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k10 : i64) outs(%n : memref<8xi64>)
    %x = memref.load %n[%c0] : memref<8xi64>
    %y = arith.addi %x, %i : i64
    memref.store %y, %n[%c0] : memref<8xi64>
    %c = arith.cmpi slt, %i, %k3 : i64
    scf.condition(%c) %i, %n : i64, memref<8xi64>
  } do {
  ^bb0(%i: i64, %p: memref<8xi64>):
    %j = arith.addi %i, %k1 : i64
    scf.yield %j : i64
  }
  %s1 = memref.load %r#1[%c0] : memref<8xi64>
  vector.print %s1 : i64
  return
}
