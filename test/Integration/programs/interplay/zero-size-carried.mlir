// A carried buffer of 0 bytes and another one.
//
// 128 bytes are live at one time, so no plan is smaller.
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k5 = arith.constant 5 : i64
  %z = memref.alloc() : memref<0xi64>
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k0 : i64) outs(%a : memref<8xi64>)
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%p = %a, %e = %z) -> (memref<8xi64>, memref<0xi64>) {
    %n = memref.alloc() : memref<8xi64>
    %y = memref.alloc() : memref<0xi64>
    linalg.fill ins(%k1 : i64) outs(%n : memref<8xi64>)
    linalg.fill ins(%k5 : i64) outs(%y : memref<0xi64>)
    linalg.map { arith.addi } ins(%n, %p : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
    scf.yield %n, %y : memref<8xi64>, memref<0xi64>
  }
  %s1 = memref.load %r#0[%c0] : memref<8xi64>
  vector.print %s1 : i64
  return
}
