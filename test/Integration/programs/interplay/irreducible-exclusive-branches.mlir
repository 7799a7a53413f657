// An irreducible loop; each entry block has exclusive branches with
// temporaries.
//
// %a and one temporary at a time: 128 bytes.
// CHECK: arena @main: naive=256 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k4 = arith.constant 4 : i64
  %k10 = arith.constant 10 : i64
    %a = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
    %e = memref.load %a[%c0] : memref<8xi64>
    %c = arith.cmpi eq, %e, %k1 : i64
    cf.cond_br %c, ^l(%k0 : i64), ^r(%k0 : i64)
  ^l(%i: i64):
    %od = arith.andi %i, %k1 : i64
    %z = arith.cmpi eq, %od, %k0 : i64
    scf.if %z {
      %t = memref.alloc() : memref<8xi64>
      linalg.fill ins(%i : i64) outs(%t : memref<8xi64>)
      linalg.map { arith.addi } ins(%a, %t : memref<8xi64>, memref<8xi64>) outs(%a : memref<8xi64>)
    } else {
      %t = memref.alloc() : memref<8xi64>
      linalg.fill ins(%k10 : i64) outs(%t : memref<8xi64>)
      linalg.map { arith.addi } ins(%a, %t : memref<8xi64>, memref<8xi64>) outs(%a : memref<8xi64>)
    }
    %i1 = arith.addi %i, %k1 : i64
    cf.br ^r(%i1 : i64)
  ^r(%j: i64):
    %u = memref.alloc() : memref<8xi64>
    linalg.fill ins(%j : i64) outs(%u : memref<8xi64>)
    linalg.map { arith.addi } ins(%a, %u : memref<8xi64>, memref<8xi64>) outs(%a : memref<8xi64>)
    %d = arith.cmpi sgt, %j, %k4 : i64
    cf.cond_br %d, ^end, ^l(%j : i64)
  ^end:
    %pr1 = memref.load %a[%c0] : memref<8xi64>
    vector.print %pr1 : i64
  return
}
