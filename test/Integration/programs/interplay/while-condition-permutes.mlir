// scf.condition forwards exchanged arguments; the results are read after the
// loop.
//
// Two buffers exchanged by both regions: 128 bytes.
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
  %r:3 = scf.while (%p = %a, %q = %b, %n = %k0) : (memref<8xi64>, memref<8xi64>, i64) -> (memref<8xi64>, memref<8xi64>, i64) {
    linalg.map { arith.addi } ins(%p, %q : memref<8xi64>, memref<8xi64>) outs(%p : memref<8xi64>)
    %c = arith.cmpi slt, %n, %k3 : i64
    scf.condition(%c) %q, %p, %n : memref<8xi64>, memref<8xi64>, i64
  } do {
  ^bb0(%p: memref<8xi64>, %q: memref<8xi64>, %n: i64):
    linalg.map { arith.addi } ins(%q, %q : memref<8xi64>, memref<8xi64>) outs(%q : memref<8xi64>)
    %n1 = arith.addi %n, %k1 : i64
    scf.yield %q, %p, %n1 : memref<8xi64>, memref<8xi64>, i64
  }
  %pr1 = memref.load %r#0[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  %pr2 = memref.load %r#1[%c0] : memref<8xi64>
  vector.print %pr2 : i64
  return
}
