// A loop of blocks in a loop of blocks.
//
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k7 = arith.constant 7 : i64
    cf.br ^outer(%k0 : i64)
  ^outer(%i: i64):
    %a = memref.alloc() : memref<8xi64>
    linalg.fill ins(%i : i64) outs(%a : memref<8xi64>)
    cf.br ^inner(%k0 : i64)
  ^inner(%j: i64):
    %t = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k7 : i64) outs(%t : memref<8xi64>)
    %x = memref.load %t[%c0] : memref<8xi64>
    memref.store %x, %t[%c1] : memref<8xi64>
    %s1 = memref.load %a[%c0] : memref<8xi64>
    vector.print %s1 : i64
    %n = arith.addi %j, %k1 : i64
    %c = arith.cmpi slt, %n, %k2 : i64
    cf.cond_br %c, ^inner(%n : i64), ^latch
  ^latch:
    %m = arith.addi %i, %k1 : i64
    %d = arith.cmpi slt, %m, %k2 : i64
    cf.cond_br %d, ^outer(%m : i64), ^end
  ^end:
  return
}
