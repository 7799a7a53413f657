// The first region of a while loop allocates a buffer and forwards the new and
// the old one; the second region yields one of them by parity.
//
// The old and the new buffer, of which either is carried: 128 bytes.
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k5 = arith.constant 5 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %r:3 = scf.while (%i = %k0, %p = %a) : (i64, memref<8xi64>) -> (i64, memref<8xi64>, memref<8xi64>) {
    %n = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%p, %p : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
    %c = arith.cmpi slt, %i, %k5 : i64
    scf.condition(%c) %i, %p, %n : i64, memref<8xi64>, memref<8xi64>
  } do {
  ^bb0(%i: i64, %o: memref<8xi64>, %n: memref<8xi64>):
    %od = arith.andi %i, %k1 : i64
    %z = arith.cmpi eq, %od, %k0 : i64
    %y = scf.if %z -> (memref<8xi64>) {
      scf.yield %n : memref<8xi64>
    } else {
      linalg.map { arith.addi } ins(%n, %o : memref<8xi64>, memref<8xi64>) outs(%o : memref<8xi64>)
      scf.yield %o : memref<8xi64>
    }
    %i1 = arith.addi %i, %k1 : i64
    scf.yield %i1, %y : i64, memref<8xi64>
  }
  %pr1 = memref.load %r#1[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  %pr2 = memref.load %r#2[%c0] : memref<8xi64>
  vector.print %pr2 : i64
  return
}
