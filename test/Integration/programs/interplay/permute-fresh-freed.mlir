// Fibonacci numbers: carries a and b; the next are b and a new a + b, and a is
// freed.
//
// The last two buffers and the new one: 192 bytes.
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k0 : i64) outs(%a : memref<8xi64>)
  linalg.fill ins(%k1 : i64) outs(%b : memref<8xi64>)
  %r:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%p = %a, %q = %b) -> (memref<8xi64>, memref<8xi64>) {
    %n = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%p, %q : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
    memref.dealloc %p : memref<8xi64>
    scf.yield %q, %n : memref<8xi64>, memref<8xi64>
  }
  %pr1 = memref.load %r#1[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  memref.dealloc %r#0 : memref<8xi64>
  memref.dealloc %r#1 : memref<8xi64>
  return
}
