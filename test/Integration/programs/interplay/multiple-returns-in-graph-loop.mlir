// Three returns, each of which frees the arena; a buffer is carried on only one
// path.
//
// At most three values in @f: %p, %t and %u; %o in @main.
// CHECK: arena @f: naive=192 others=192
// CHECK: arena @main: naive=64 others=64
// CHECK-NOT: left

func.func private @f(%n: i64, %o: memref<8xi64>) {
  %c0 = arith.constant 0 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k20 = arith.constant 20 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%n : i64) outs(%a : memref<8xi64>)
  %c = arith.cmpi eq, %n, %k0 : i64
  cf.cond_br %c, ^r1, ^go
^r1:
  memref.copy %a, %o : memref<8xi64> to memref<8xi64>
  return
^go:
  cf.br ^h(%a, %n : memref<8xi64>, i64)
^h(%p: memref<8xi64>, %m: i64):
  %t = memref.alloc() : memref<8xi64>
  linalg.map { arith.addi } ins(%p, %p : memref<8xi64>, memref<8xi64>) outs(%t : memref<8xi64>)
  %m1 = arith.subi %m, %k1 : i64
  %v = memref.load %t[%c0] : memref<8xi64>
  %big = arith.cmpi sgt, %v, %k20 : i64
  cf.cond_br %big, ^r2, ^chk
^r2:
  memref.copy %p, %o : memref<8xi64> to memref<8xi64>
  return
^chk:
  %z = arith.cmpi sgt, %m1, %k0 : i64
  cf.cond_br %z, ^h(%t, %m1 : memref<8xi64>, i64), ^r3
^r3:
  %u = memref.alloc() : memref<8xi64>
  linalg.map { arith.addi } ins(%t, %p : memref<8xi64>, memref<8xi64>) outs(%u : memref<8xi64>)
  memref.copy %u, %o : memref<8xi64> to memref<8xi64>
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k9 = arith.constant 9 : i64
  %o = memref.alloc() : memref<8xi64>
  call @f(%k0, %o) : (i64, memref<8xi64>) -> ()
  %pr1 = memref.load %o[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  call @f(%k1, %o) : (i64, memref<8xi64>) -> ()
  %pr2 = memref.load %o[%c0] : memref<8xi64>
  vector.print %pr2 : i64
  call @f(%k9, %o) : (i64, memref<8xi64>) -> ()
  %pr3 = memref.load %o[%c0] : memref<8xi64>
  vector.print %pr3 : i64
  return
}
