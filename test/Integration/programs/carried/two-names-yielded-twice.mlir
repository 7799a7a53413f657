// A new buffer continues by two names.
//
// The two initial buffers; the new one continues by two names and is not
// planned.
// CHECK: arena @main: naive=128 others=128
// CHECK: left @main: 1

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %a, %q = %b) -> (memref<8xi64>, memref<8xi64>) {
    %n = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%p, %q : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
    scf.yield %n, %n : memref<8xi64>, memref<8xi64>
  }
  linalg.map { arith.addi } ins(%r#0, %r#1 : memref<8xi64>, memref<8xi64>) outs(%r#0 : memref<8xi64>)
  %pr1 = memref.load %r#1[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  return
}
