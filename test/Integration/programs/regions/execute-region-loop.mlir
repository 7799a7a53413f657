// A loop of blocks in the region; the next iteration uses its buffer again.
//
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k3 = arith.constant 3 : i64
  %k9 = arith.constant 9 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k9 : i64) outs(%a : memref<8xi64>)
  scf.execute_region {
    cf.br ^head(%k0 : i64)
  ^head(%i: i64):
    %c = arith.cmpi slt, %i, %k3 : i64
    cf.cond_br %c, ^body, ^end
  ^body:
    %t = memref.alloc() : memref<8xi64>
    linalg.fill ins(%i : i64) outs(%t : memref<8xi64>)
    %s1 = memref.load %t[%c0] : memref<8xi64>
    vector.print %s1 : i64
    %n = arith.addi %i, %k1 : i64
    cf.br ^head(%n : i64)
  ^end:
    scf.yield
  }
  %s2 = memref.load %a[%c0] : memref<8xi64>
  vector.print %s2 : i64
  return
}
