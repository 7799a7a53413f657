// cond_br with both edges to the header: one passes the new buffer, one the
// old.
//
// The new or the old buffer is carried; both are live at the addition: 128
// bytes.
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k5 = arith.constant 5 : i64
    %a = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
    cf.br ^head(%k0, %a : i64, memref<8xi64>)
  ^head(%i: i64, %p: memref<8xi64>):
    %i1 = arith.addi %i, %k1 : i64
    %dn = arith.cmpi sge, %i, %k5 : i64
    cf.cond_br %dn, ^end, ^body
  ^body:
    %n = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%p, %p : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
    %od = arith.andi %i, %k1 : i64
    %c = arith.cmpi eq, %od, %k0 : i64
    cf.cond_br %c, ^head(%i1, %n : i64, memref<8xi64>), ^head(%i1, %p : i64, memref<8xi64>)
  ^end:
    %s1 = memref.load %p[%c0] : memref<8xi64>
    vector.print %s1 : i64
  return
}
