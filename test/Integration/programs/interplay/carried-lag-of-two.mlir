// x(t) depends on x(t-2): three buffers are live when the new one is written.
//
// Two carried values and the new one: 192 bytes.
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  %r:2 = scf.for %i = %c0 to %c5 step %c1 iter_args(%x = %a, %y = %b) -> (memref<8xi64>, memref<8xi64>) {
    %n = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%x, %x : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
    %pr1 = memref.load %y[%c0] : memref<8xi64>
    vector.print %pr1 : i64
    scf.yield %y, %n : memref<8xi64>, memref<8xi64>
  }
  %pr2 = memref.load %r#0[%c0] : memref<8xi64>
  vector.print %pr2 : i64
  %pr3 = memref.load %r#1[%c0] : memref<8xi64>
  vector.print %pr3 : i64
  return
}
