// A conditional yields two carried buffers in one of two orders; the first one
// is freed then and replaced by a new one.
//
// Both carried buffers are read while the new one is written: 192 bytes.
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
    %lh:2 = scf.if %c -> (memref<8xi64>, memref<8xi64>) {
      scf.yield %p, %q : memref<8xi64>, memref<8xi64>
    } else {
      scf.yield %q, %p : memref<8xi64>, memref<8xi64>
    }
    %n = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%lh#0, %lh#1 : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
    memref.dealloc %lh#0 : memref<8xi64>
    scf.yield %lh#1, %n : memref<8xi64>, memref<8xi64>
  }
  %pr1 = memref.load %r#0[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  %pr2 = memref.load %r#1[%c0] : memref<8xi64>
  vector.print %pr2 : i64
  memref.dealloc %r#0 : memref<8xi64>
  memref.dealloc %r#1 : memref<8xi64>
  return
}
