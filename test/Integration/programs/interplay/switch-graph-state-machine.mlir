// A state machine with cf.switch as dispatch and one buffer for each state, in
// a loop of blocks without carried memrefs.
//
// CHECK: 111
// %log and the buffer of one state at a time: 128 bytes.
// CHECK: arena @main: naive=256 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k10 = arith.constant 10 : i64
  %k100 = arith.constant 100 : i64
  %n0 = arith.constant 0 : i32
  %n1 = arith.constant 1 : i32
  %n2 = arith.constant 2 : i32
  %n3 = arith.constant 3 : i32
    %log = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k0 : i64) outs(%log : memref<8xi64>)
    cf.br ^disp(%n0, %k0 : i32, i64)
  ^disp(%s: i32, %n: i64):
    cf.switch %s : i32, [
      default: ^end,
      0: ^s0,
      1: ^s1,
      2: ^s2
    ]
  ^s0:
    %a = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
    linalg.map { arith.addi } ins(%log, %a : memref<8xi64>, memref<8xi64>) outs(%log : memref<8xi64>)
    cf.br ^disp(%n1, %k1 : i32, i64)
  ^s1:
    %b = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k10 : i64) outs(%b : memref<8xi64>)
    linalg.map { arith.addi } ins(%log, %b : memref<8xi64>, memref<8xi64>) outs(%log : memref<8xi64>)
    cf.br ^disp(%n2, %k1 : i32, i64)
  ^s2:
    %c = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k100 : i64) outs(%c : memref<8xi64>)
    linalg.map { arith.addi } ins(%log, %c : memref<8xi64>, memref<8xi64>) outs(%log : memref<8xi64>)
    cf.br ^disp(%n3, %k1 : i32, i64)
  ^end:
    %s1 = memref.load %log[%c0] : memref<8xi64>
    vector.print %s1 : i64
  return
}
