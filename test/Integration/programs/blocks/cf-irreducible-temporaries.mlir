// A temporary in each of the two blocks of a loop with two entries.
//
// CHECK: arena @walk: naive=128 others=64
// CHECK-NOT: left

func.func @walk(%c: i1) {
  %c0 = arith.constant 0 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k10 = arith.constant 10 : i64
  %k20 = arith.constant 20 : i64
  cf.cond_br %c, ^left(%k2 : i64), ^right(%k2 : i64)
^left(%i: i64):
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k10 : i64) outs(%a : memref<8xi64>)
  %s1 = memref.load %a[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %n = arith.subi %i, %k1 : i64
  %m = arith.cmpi sgt, %n, %k0 : i64
  cf.cond_br %m, ^right(%n : i64), ^end
^right(%j: i64):
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k20 : i64) outs(%b : memref<8xi64>)
  %s2 = memref.load %b[%c0] : memref<8xi64>
  vector.print %s2 : i64
  %o = arith.subi %j, %k1 : i64
  %p = arith.cmpi sgt, %o, %k0 : i64
  cf.cond_br %p, ^left(%o : i64), ^end
^end:
  return
}
func.func @main() {
  %true = arith.constant true
  %false = arith.constant false
  call @walk(%true) : (i1) -> ()
  call @walk(%false) : (i1) -> ()
  return
}
