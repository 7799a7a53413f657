// As while-init-is-result-in-loop.mlir, with the previous buffer freed in each
// iteration and the result after the loop.
//
// As without the deallocations: the carried value and the new one.
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k5 = arith.constant 5 : i64
  scf.for %k = %c0 to %c3 step %c1 {
    %a = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k5 : i64) outs(%a : memref<8xi64>)
    %kv = arith.index_cast %k : index to i64
    %r:2 = scf.while (%i = %kv, %p = %a) : (i64, memref<8xi64>) -> (i64, memref<8xi64>) {
      %c = arith.cmpi slt, %i, %k2 : i64
      scf.condition(%c) %i, %p : i64, memref<8xi64>
    } do {
    ^bb0(%i: i64, %p: memref<8xi64>):
      %n = memref.alloc() : memref<8xi64>
      linalg.map { arith.addi } ins(%p, %p : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
      memref.dealloc %p : memref<8xi64>
      %i1 = arith.addi %i, %k1 : i64
      scf.yield %i1, %n : i64, memref<8xi64>
    }
    %s1 = memref.load %r#1[%c0] : memref<8xi64>
    vector.print %s1 : i64
    memref.dealloc %r#1 : memref<8xi64>
  }
  return
}
