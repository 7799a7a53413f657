// The best buffer of all iterations and the latest one, which may be the same.
//
// The initial buffer; the new one may continue by two names and is not planned.
// CHECK: arena @main: naive=64 others=64
// CHECK: left @main: 1

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %k1 = arith.constant 1 : i64
  %k5 = arith.constant 5 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %r:2 = scf.for %i = %c0 to %c6 step %c1 iter_args(%cur = %a, %best = %a) -> (memref<8xi64>, memref<8xi64>) {
    %n = memref.alloc() : memref<8xi64>
    %iv = arith.index_cast %i : index to i64
    %w = arith.xori %iv, %k5 : i64
    linalg.fill ins(%w : i64) outs(%n : memref<8xi64>)
    linalg.map { arith.addi } ins(%n, %cur : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
    %e = memref.load %best[%c0] : memref<8xi64>
    %f = memref.load %n[%c0] : memref<8xi64>
    %c = arith.cmpi sgt, %f, %e : i64
    %nb = arith.select %c, %n, %best : memref<8xi64>
    scf.yield %n, %nb : memref<8xi64>, memref<8xi64>
  }
  %pr1 = memref.load %r#0[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  %pr2 = memref.load %r#1[%c0] : memref<8xi64>
  vector.print %pr2 : i64
  return
}
