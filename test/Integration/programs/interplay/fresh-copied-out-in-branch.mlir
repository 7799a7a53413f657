// A new buffer is carried; a branch copies the best one to a buffer from
// outside.
//
// %best, the current buffer and the new one: 192 bytes.
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<8xi64>
  %best = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  linalg.fill ins(%k0 : i64) outs(%best : memref<8xi64>)
  %r = scf.for %i = %c0 to %c6 step %c1 iter_args(%cur = %a) -> (memref<8xi64>) {
    %n = memref.alloc() : memref<8xi64>
    %iv = arith.index_cast %i : index to i64
    linalg.fill ins(%iv : i64) outs(%n : memref<8xi64>)
    linalg.map { arith.addi } ins(%n, %cur : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
    %e = memref.load %best[%c0] : memref<8xi64>
    %f = memref.load %n[%c0] : memref<8xi64>
    %c = arith.cmpi sgt, %f, %e : i64
    scf.if %c {
      memref.copy %n, %best : memref<8xi64> to memref<8xi64>
    }
    scf.yield %n : memref<8xi64>
  }
  %pr1 = memref.load %r[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  %pr2 = memref.load %best[%c0] : memref<8xi64>
  vector.print %pr2 : i64
  return
}
