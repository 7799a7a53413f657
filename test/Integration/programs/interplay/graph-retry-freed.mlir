// A retry loop with a branch back from its middle; the buffer is allocated
// once, in the first iteration (by a flag), and reused.
//
// CHECK: 7
// %a and the buffer of the attempt: 128 bytes.
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k3 = arith.constant 3 : i64
    %a = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
    cf.br ^try(%k0 : i64)
  ^try(%n: i64):
    %w = memref.alloc() : memref<8xi64>
    linalg.fill ins(%n : i64) outs(%w : memref<8xi64>)
    linalg.map { arith.addi } ins(%w, %a : memref<8xi64>, memref<8xi64>) outs(%w : memref<8xi64>)
    %e = memref.load %w[%c0] : memref<8xi64>
    %ok = arith.cmpi sgt, %e, %k3 : i64
    cf.cond_br %ok, ^good, ^bad
  ^bad:
    linalg.map { arith.addi } ins(%a, %w : memref<8xi64>, memref<8xi64>) outs(%a : memref<8xi64>)
    memref.dealloc %w : memref<8xi64>
    %n1 = arith.addi %n, %k1 : i64
    cf.br ^try(%n1 : i64)
  ^good:
    %pr1 = memref.load %w[%c0] : memref<8xi64>
    vector.print %pr1 : i64
    memref.dealloc %w : memref<8xi64>
    memref.dealloc %a : memref<8xi64>
  return
}
