// A cf.switch in a loop of blocks that exchanges carried buffers.
//
// Two buffers, exchanged on some of the edges of the switch: 128 bytes.
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %n0 = arith.constant 0 : i32
  %n1 = arith.constant 1 : i32
    %a = memref.alloc() : memref<8xi64>
    %b = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
    linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
    cf.br ^head(%n0, %a, %b : i32, memref<8xi64>, memref<8xi64>)
  ^head(%s: i32, %p: memref<8xi64>, %q: memref<8xi64>):
    linalg.map { arith.addi } ins(%p, %q : memref<8xi64>, memref<8xi64>) outs(%p : memref<8xi64>)
    %s1_ = arith.addi %s, %n1 : i32
    cf.switch %s : i32, [
      default: ^end,
      0: ^head(%s1_, %q, %p : i32, memref<8xi64>, memref<8xi64>),
      1: ^head(%s1_, %p, %q : i32, memref<8xi64>, memref<8xi64>),
      2: ^head(%s1_, %q, %p : i32, memref<8xi64>, memref<8xi64>)
    ]
  ^end:
    %s1 = memref.load %p[%c0] : memref<8xi64>
    vector.print %s1 : i64
    %s2 = memref.load %q[%c0] : memref<8xi64>
    vector.print %s2 : i64
  return
}
