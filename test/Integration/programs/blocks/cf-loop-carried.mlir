// The loop passes a new buffer to its own head.
//
// 128 bytes are live at one time, so no plan is smaller.
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k3 = arith.constant 3 : i64
    %a = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k0 : i64) outs(%a : memref<8xi64>)
    cf.br ^head(%k0, %a : i64, memref<8xi64>)
  ^head(%i: i64, %p: memref<8xi64>):
    %t = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k1 : i64) outs(%t : memref<8xi64>)
    linalg.map { arith.addi } ins(%t, %p : memref<8xi64>, memref<8xi64>) outs(%t : memref<8xi64>)
    %n = arith.addi %i, %k1 : i64
    %c = arith.cmpi slt, %n, %k3 : i64
    cf.cond_br %c, ^head(%n, %t : i64, memref<8xi64>), ^end
  ^end:
    %s1 = memref.load %t[%c0] : memref<8xi64>
    vector.print %s1 : i64
  return
}
