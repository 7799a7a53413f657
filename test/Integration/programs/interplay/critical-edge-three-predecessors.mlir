// A block argument with three predecessors, two of which are one cond_br.
//
// CHECK: 2
// CHECK-NEXT: 1
// CHECK-NEXT: 2
// CHECK-NEXT: 2
// Two buffers, one forwarded and one written in turn: 128 bytes.
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k3 = arith.constant 3 : i64
  %k7 = arith.constant 7 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  %v = memref.load %a[%c0] : memref<8xi64>
  %c = arith.cmpi eq, %v, %k7 : i64
  cf.cond_br %c, ^j(%a, %k0 : memref<8xi64>, i64), ^j(%b, %k0 : memref<8xi64>, i64)
^j(%p: memref<8xi64>, %n: i64):
  %pr1 = memref.load %p[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  %n1 = arith.addi %n, %k1 : i64
  %d = arith.cmpi slt, %n1, %k3 : i64
  %t = memref.alloc() : memref<8xi64>
  linalg.fill ins(%n1 : i64) outs(%t : memref<8xi64>)
  cf.cond_br %d, ^j(%t, %n1 : memref<8xi64>, i64), ^e
^e:
  %pr2 = memref.load %p[%c0] : memref<8xi64>
  vector.print %pr2 : i64
  return
}
