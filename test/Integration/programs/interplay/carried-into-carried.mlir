// The result of a loop with a carried buffer is the initial value of a second
// loop with two.
//
// One slot is free after the first loop; the second has two buffers and a new
// one: 192 bytes.
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%p = %a) -> (memref<8xi64>) {
    %n = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%p, %p : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
    scf.yield %n : memref<8xi64>
  }
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  %s:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%p = %r, %q = %b) -> (memref<8xi64>, memref<8xi64>) {
    %n = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%p, %q : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
    scf.yield %q, %n : memref<8xi64>, memref<8xi64>
  }
  %pr1 = memref.load %s#0[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  %pr2 = memref.load %s#1[%c0] : memref<8xi64>
  vector.print %pr2 : i64
  return
}
