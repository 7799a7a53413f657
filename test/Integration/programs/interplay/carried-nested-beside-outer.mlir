// The inner result and the previous outer value are both carried and both read.
//
// The outer value, the inner one and the new one: 192 bytes.
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

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
  %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %a, %o = %b) -> (memref<8xi64>, memref<8xi64>) {
    %q = scf.for %j = %c0 to %i step %c1 iter_args(%s = %o) -> (memref<8xi64>) {
      %n = memref.alloc() : memref<8xi64>
      linalg.map { arith.addi } ins(%s, %p : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
      scf.yield %n : memref<8xi64>
    }
    %m = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%q, %p : memref<8xi64>, memref<8xi64>) outs(%m : memref<8xi64>)
    scf.yield %q, %m : memref<8xi64>, memref<8xi64>
  }
  %pr1 = memref.load %r#0[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  %pr2 = memref.load %r#1[%c0] : memref<8xi64>
  vector.print %pr2 : i64
  return
}
