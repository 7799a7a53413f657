// A while loop that exchanges its buffers only in some iterations.
//
// 128 bytes are live at one time, so no plan is smaller.
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k3 = arith.constant 3 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  %r:3 = scf.while (%i = %k0, %p = %a, %q = %b) : (i64, memref<8xi64>, memref<8xi64>) -> (i64, memref<8xi64>, memref<8xi64>) {
    %c = arith.cmpi slt, %i, %k3 : i64
    scf.condition(%c) %i, %p, %q : i64, memref<8xi64>, memref<8xi64>
  } do {
  ^bb0(%i: i64, %p: memref<8xi64>, %q: memref<8xi64>):
    %odd = arith.trunci %i : i64 to i1
    %s:2 = scf.if %odd -> (memref<8xi64>, memref<8xi64>) {
      scf.yield %q, %p : memref<8xi64>, memref<8xi64>
    } else {
      scf.yield %p, %q : memref<8xi64>, memref<8xi64>
    }
    %n = arith.addi %i, %k1 : i64
    scf.yield %n, %s#0, %s#1 : i64, memref<8xi64>, memref<8xi64>
  }
  %s1 = memref.load %r#1[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %s2 = memref.load %r#2[%c0] : memref<8xi64>
  vector.print %s2 : i64
  return
}
