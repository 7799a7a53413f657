// Two carried buffers are replaced by two new ones, yielded in exchanged order,
// in a for loop of 3 iterations.
//
// CHECK: 29
// CHECK-NEXT: 18
// Two old values and a new one; the second new one has the slot of an old one:
// 192 bytes.
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  %r:2 = scf.for %ri = %c0 to %c3 step %c1 iter_args(%rx0 = %a, %rx1 = %b) -> (memref<8xi64>, memref<8xi64>) {
    %n = memref.alloc() : memref<8xi64>
    %m = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%rx0, %rx1 : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
    linalg.map { arith.addi } ins(%n, %rx0 : memref<8xi64>, memref<8xi64>) outs(%m : memref<8xi64>)
    scf.yield %m, %n : memref<8xi64>, memref<8xi64>
  }
  %pr1 = memref.load %r#0[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  %pr2 = memref.load %r#1[%c0] : memref<8xi64>
  vector.print %pr2 : i64
  return
}
