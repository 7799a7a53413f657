// A chain: each buffer is computed from the previous one, which is dead then.
//
// An operand and its result are live together; the third has the bytes of the
// first.
// CHECK: arena @main: naive=256 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  %c = memref.alloc() : memref<8xi64>
  %d = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  linalg.map { arith.addi } ins(%a, %a : memref<8xi64>, memref<8xi64>) outs(%b : memref<8xi64>)
  linalg.map { arith.addi } ins(%b, %b : memref<8xi64>, memref<8xi64>) outs(%c : memref<8xi64>)
  linalg.map { arith.addi } ins(%c, %c : memref<8xi64>, memref<8xi64>) outs(%d : memref<8xi64>)
  %s1 = memref.load %d[%c0] : memref<8xi64>
  vector.print %s1 : i64
  return
}
