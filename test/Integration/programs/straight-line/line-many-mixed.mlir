// Ten buffers of mixed sizes, each live only with its neighbours.
//
// Neighbours need at most 384 bytes, which only an exact solver achieves.
// CHECK: arena @main: naive=832 linear-scan=448 greedy=448 greedy-by-breadth=448 best-fit=448 auto=384
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k1 = arith.constant 1 : i64
  %k50 = arith.constant 50 : i64
  %a = memref.alloc() : memref<16xi64>
  %b = memref.alloc() : memref<32xi64>
  %c = memref.alloc() : memref<8xi64>
  %d = memref.alloc() : memref<16xi64>
  %e = memref.alloc() : memref<32xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<16xi64>)
  %v1 = memref.load %a[%c0] : memref<16xi64>
  linalg.fill ins(%v1 : i64) outs(%b : memref<32xi64>)
  %w1 = memref.load %a[%c1] : memref<16xi64>
  %v2 = memref.load %b[%c0] : memref<32xi64>
  %v2s = arith.addi %v2, %w1 : i64
  linalg.fill ins(%v2s : i64) outs(%c : memref<8xi64>)
  %w2 = memref.load %b[%c1] : memref<32xi64>
  %v3 = memref.load %c[%c0] : memref<8xi64>
  %v3s = arith.addi %v3, %w2 : i64
  linalg.fill ins(%v3s : i64) outs(%d : memref<16xi64>)
  %w3 = memref.load %c[%c1] : memref<8xi64>
  %v4 = memref.load %d[%c0] : memref<16xi64>
  %v4s = arith.muli %v4, %k50 : i64
  linalg.fill ins(%v4s : i64) outs(%e : memref<32xi64>)
  %w4 = memref.load %d[%c1] : memref<16xi64>
  %v5 = memref.load %e[%c1] : memref<32xi64>
  %v6 = arith.divsi %v5, %w4 : i64
  %v7 = arith.addi %v6, %w3 : i64
  %v8 = arith.addi %v7, %w4 : i64
  vector.print %v8 : i64
  return
}
