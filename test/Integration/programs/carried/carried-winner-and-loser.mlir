// Two selects with one condition give the smaller and the larger of two
// buffers, so the two values are the two buffers. The smaller one is dead then,
// the larger one is carried; with the new one three are live at once.
//
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %k1 = arith.constant 1 : i64
  %k5 = arith.constant 5 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  linalg.fill ins(%k5 : i64) outs(%b : memref<8xi64>)
  %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %a, %q = %b) -> (memref<8xi64>, memref<8xi64>) {
    %e = memref.load %p[%c0] : memref<8xi64>
    %f = memref.load %q[%c0] : memref<8xi64>
    %c = arith.cmpi slt, %e, %f : i64
    %lo = arith.select %c, %p, %q : memref<8xi64>
    %hi = arith.select %c, %q, %p : memref<8xi64>
    %n = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%lo, %hi : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
    scf.yield %hi, %n : memref<8xi64>, memref<8xi64>
  }
  %pr1 = memref.load %r#0[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  %pr2 = memref.load %r#1[%c0] : memref<8xi64>
  vector.print %pr2 : i64
  return
}
