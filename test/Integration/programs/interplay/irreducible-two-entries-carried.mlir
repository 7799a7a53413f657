// An irreducible loop with different buffers at its two entries.
//
// The forwarded value and the new one: 128 bytes.
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k5 = arith.constant 5 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %v = memref.load %a[%c0] : memref<8xi64>
  %c = arith.cmpi eq, %v, %k1 : i64
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  cf.cond_br %c, ^x(%a, %k0 : memref<8xi64>, i64), ^y(%b, %k0 : memref<8xi64>, i64)
^x(%p: memref<8xi64>, %n: i64):
  %t = memref.alloc() : memref<8xi64>
  linalg.map { arith.addi } ins(%p, %p : memref<8xi64>, memref<8xi64>) outs(%t : memref<8xi64>)
  %n1 = arith.addi %n, %k1 : i64
  cf.br ^y(%t, %n1 : memref<8xi64>, i64)
^y(%q: memref<8xi64>, %m: i64):
  %u = memref.alloc() : memref<8xi64>
  linalg.map { arith.addi } ins(%q, %q : memref<8xi64>, memref<8xi64>) outs(%u : memref<8xi64>)
  %m1 = arith.addi %m, %k1 : i64
  %d = arith.cmpi slt, %m1, %k5 : i64
  cf.cond_br %d, ^x(%u, %m1 : memref<8xi64>, i64), ^z(%u : memref<8xi64>)
^z(%w: memref<8xi64>):
  %pr1 = memref.load %w[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  return
}
