// A new candidate is compared with the carried best buffer; a select frees the
// worse one.
//
// CHECK: 7
// The best one and the candidate: 128 bytes.
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %k3 = arith.constant 3 : i64
  %k5 = arith.constant 5 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k3 : i64) outs(%a : memref<8xi64>)
  %r = scf.for %i = %c0 to %c6 step %c1 iter_args(%best = %a) -> (memref<8xi64>) {
    %n = memref.alloc() : memref<8xi64>
    %iv = arith.index_cast %i : index to i64
    %w = arith.xori %iv, %k5 : i64
    linalg.fill ins(%w : i64) outs(%n : memref<8xi64>)
    %e = memref.load %best[%c0] : memref<8xi64>
    %c = arith.cmpi sgt, %w, %e : i64
    %win = arith.select %c, %n, %best : memref<8xi64>
    %lose = arith.select %c, %best, %n : memref<8xi64>
    memref.dealloc %lose : memref<8xi64>
    scf.yield %win : memref<8xi64>
  }
  %pr1 = memref.load %r[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  memref.dealloc %r : memref<8xi64>
  return
}
