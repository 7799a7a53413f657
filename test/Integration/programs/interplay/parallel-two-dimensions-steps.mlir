// scf.parallel over two dimensions with lower bound and step, and chains of
// private buffers.
//
// 192 bytes of %o; %t, %u and %w for each of four workers: 960.
// CHECK: arena @main: naive=960 others=960
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %k0 = arith.constant 0 : i64
  %o = memref.alloc() : memref<4x6xi64>
  linalg.fill ins(%k0 : i64) outs(%o : memref<4x6xi64>)
  scf.parallel (%i, %j) = (%c1, %c0) to (%c4, %c6) step (%c2, %c3) {
    %t = memref.alloc() : memref<8xi64>
    %u = memref.alloc() : memref<8xi64>
    %iv = arith.index_cast %i : index to i64
    %jv = arith.index_cast %j : index to i64
    %s = arith.addi %iv, %jv : i64
    linalg.fill ins(%s : i64) outs(%t : memref<8xi64>)
    linalg.map { arith.addi } ins(%t, %t : memref<8xi64>, memref<8xi64>) outs(%u : memref<8xi64>)
    %w = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%u, %t : memref<8xi64>, memref<8xi64>) outs(%w : memref<8xi64>)
    %v = memref.load %w[%c3] : memref<8xi64>
    memref.store %v, %o[%i, %j] : memref<4x6xi64>
  }
  %v1 = memref.load %o[%c1, %c3] : memref<4x6xi64>
  vector.print %v1 : i64
  %v2 = memref.load %o[%c3, %c0] : memref<4x6xi64>
  vector.print %v2 : i64
  return
}
