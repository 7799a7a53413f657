// Double buffering: each iteration allocates the next tile, and the old one is
// dead after its use.
//
// %acc, the tile that is read and the next one, which is written before: 192
// bytes.
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %acc = memref.alloc() : memref<8xi64>
  %b0 = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k0 : i64) outs(%acc : memref<8xi64>)
  linalg.fill ins(%k1 : i64) outs(%b0 : memref<8xi64>)
  %r = scf.for %i = %c0 to %c5 step %c1 iter_args(%cur = %b0) -> (memref<8xi64>) {
    %nxt = memref.alloc() : memref<8xi64>
    %iv = arith.index_cast %i : index to i64
    linalg.fill ins(%iv : i64) outs(%nxt : memref<8xi64>)
    linalg.map { arith.addi } ins(%acc, %cur : memref<8xi64>, memref<8xi64>) outs(%acc : memref<8xi64>)
    memref.dealloc %cur : memref<8xi64>
    scf.yield %nxt : memref<8xi64>
  }
  linalg.map { arith.addi } ins(%acc, %r : memref<8xi64>, memref<8xi64>) outs(%acc : memref<8xi64>)
  memref.dealloc %r : memref<8xi64>
  %s1 = memref.load %acc[%c0] : memref<8xi64>
  vector.print %s1 : i64
  return
}
