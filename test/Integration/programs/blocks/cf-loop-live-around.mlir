// A loop of blocks whose header reads the buffer, so it is live in the whole
// loop.
//
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k3 = arith.constant 3 : i64
  %k7 = arith.constant 7 : i64
    %a = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
    cf.br ^head(%k0 : i64)
  ^head(%i: i64):
    %s1 = memref.load %a[%c0] : memref<8xi64>
    vector.print %s1 : i64
    %t = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k7 : i64) outs(%t : memref<8xi64>)
    %x = memref.load %t[%c0] : memref<8xi64>
    memref.store %x, %t[%c1] : memref<8xi64>
    %n = arith.addi %i, %k1 : i64
    %c = arith.cmpi slt, %n, %k3 : i64
    cf.cond_br %c, ^head(%n : i64), ^end
  ^end:
  return
}
