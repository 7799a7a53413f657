// Two latches: one exchanges the buffers, one keeps them.
//
// Two buffers: 128 bytes.
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k6 = arith.constant 6 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  cf.br ^h(%a, %b, %k0 : memref<8xi64>, memref<8xi64>, i64)
^h(%p: memref<8xi64>, %q: memref<8xi64>, %n: i64):
  linalg.map { arith.addi } ins(%p, %q : memref<8xi64>, memref<8xi64>) outs(%p : memref<8xi64>)
  %n1 = arith.addi %n, %k1 : i64
  %c = arith.cmpi slt, %n1, %k6 : i64
  cf.cond_br %c, ^m, ^e
^m:
  %o = arith.andi %n, %k1 : i64
  %z = arith.cmpi eq, %o, %k0 : i64
  cf.cond_br %z, ^h(%q, %p, %n1 : memref<8xi64>, memref<8xi64>, i64), ^h(%p, %q, %n1 : memref<8xi64>, memref<8xi64>, i64)
^e:
  %pr1 = memref.load %p[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  %pr2 = memref.load %q[%c0] : memref<8xi64>
  vector.print %pr2 : i64
  return
}
