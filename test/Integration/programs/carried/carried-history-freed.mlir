// As carried-history-of-two.mlir; each buffer is freed three iterations after
// it was made.
//
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %k1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  linalg.fill ins(%k1 : i64) outs(%b : memref<8xi64>)
  %r:2 = scf.for %i = %c0 to %c5 step %c1 iter_args(%p = %a, %q = %b) -> (memref<8xi64>, memref<8xi64>) {
    %n = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%p, %q : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
    memref.dealloc %q : memref<8xi64>
    scf.yield %n, %p : memref<8xi64>, memref<8xi64>
  }
  %s1 = memref.load %r#0[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %s2 = memref.load %r#1[%c0] : memref<8xi64>
  vector.print %s2 : i64
  memref.dealloc %r#0 : memref<8xi64>
  memref.dealloc %r#1 : memref<8xi64>
  return
}
