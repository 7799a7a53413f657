// The result of the second select is read after both selects; then its slot is
// written again by the next buffer of the loop: two slots suffice.
//
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k1 = arith.constant 1 : i64
  %k5 = arith.constant 5 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k5 : i64) outs(%a : memref<8xi64>)
  %zero = arith.constant 0 : i64
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%p = %a, %sum = %zero) -> (memref<8xi64>, i64) {
    %n = memref.alloc() : memref<8xi64>
    %v = arith.index_cast %i : index to i64
    %w = arith.addi %v, %k1 : i64
    linalg.fill ins(%w : i64) outs(%n : memref<8xi64>)
    %e = memref.load %p[%c0] : memref<8xi64>
    %f = memref.load %n[%c0] : memref<8xi64>
    %c = arith.cmpi sgt, %e, %f : i64
    %best = arith.select %c, %p, %n : memref<8xi64>
    %other = arith.select %c, %n, %p : memref<8xi64>
    %x = memref.load %other[%c1] : memref<8xi64>
    %s = arith.addi %sum, %x : i64
    scf.yield %best, %s : memref<8xi64>, i64
  }
  %two = arith.constant 2 : i64
  %eight = arith.addi %r#1, %two : i64
  vector.print %eight : i64
  %y = memref.load %r#0[%c0] : memref<8xi64>
  vector.print %y : i64
  return
}
