// A temporary of the loop's block shares its bytes with one after the loop.
//
// CHECK: arena @main: naive=128 others=64
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k9 = arith.constant 9 : i64
    cf.br ^head(%k0 : i64)
  ^head(%i: i64):
    %t = memref.alloc() : memref<8xi64>
    linalg.fill ins(%i : i64) outs(%t : memref<8xi64>)
    %s1 = memref.load %t[%c0] : memref<8xi64>
    vector.print %s1 : i64
    %n = arith.addi %i, %k1 : i64
    %c = arith.cmpi slt, %n, %k2 : i64
    cf.cond_br %c, ^head(%n : i64), ^end
  ^end:
    %a = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k9 : i64) outs(%a : memref<8xi64>)
    %s2 = memref.load %a[%c0] : memref<8xi64>
    vector.print %s2 : i64
  return
}
