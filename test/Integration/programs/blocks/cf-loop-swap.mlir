// The back edge exchanges two buffers.
//
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k4 = arith.constant 4 : i64
    %a = memref.alloc() : memref<8xi64>
    %b = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
    linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
    cf.br ^head(%k0, %a, %b : i64, memref<8xi64>, memref<8xi64>)
  ^head(%i: i64, %p: memref<8xi64>, %q: memref<8xi64>):
    %n = arith.addi %i, %k1 : i64
    %c = arith.cmpi slt, %n, %k4 : i64
    cf.cond_br %c, ^head(%n, %q, %p : i64, memref<8xi64>, memref<8xi64>), ^end
  ^end:
    %s1 = memref.load %p[%c0] : memref<8xi64>
    vector.print %s1 : i64
    %s2 = memref.load %q[%c0] : memref<8xi64>
    vector.print %s2 : i64
  return
}
