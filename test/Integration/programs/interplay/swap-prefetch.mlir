// Double buffering by hand: the next tile is loaded while the current one is
// used; the tiles are exchanged, and the first one is loaded before the loop.
//
// %acc and the two tiles: 192 bytes; the first is written before the loop, the
// second in it.
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %acc = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k0 : i64) outs(%acc : memref<8xi64>)
  %b0 = memref.alloc() : memref<8xi64>
  %b1 = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%b0 : memref<8xi64>)
  %r:2 = scf.for %i = %c0 to %c5 step %c1 iter_args(%cur = %b0, %nxt = %b1) -> (memref<8xi64>, memref<8xi64>) {
    %iv = arith.index_cast %i : index to i64
    linalg.fill ins(%iv : i64) outs(%nxt : memref<8xi64>)
    linalg.map { arith.addi } ins(%acc, %cur : memref<8xi64>, memref<8xi64>) outs(%acc : memref<8xi64>)
    scf.yield %nxt, %cur : memref<8xi64>, memref<8xi64>
  }
  linalg.map { arith.addi } ins(%acc, %r#0 : memref<8xi64>, memref<8xi64>) outs(%acc : memref<8xi64>)
  %s1 = memref.load %acc[%c0] : memref<8xi64>
  vector.print %s1 : i64
  return
}
