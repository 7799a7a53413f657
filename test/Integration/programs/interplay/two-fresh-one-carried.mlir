// Two new buffers in each iteration; a condition determines which one is
// carried.
//
// The carried buffer and two new ones, of which either is carried: 192 bytes.
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %k1 = arith.constant 1 : i64
  %k5 = arith.constant 5 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %r = scf.for %i = %c0 to %c5 step %c1 iter_args(%p = %a) -> (memref<8xi64>) {
    %t = memref.alloc() : memref<8xi64>
    %n = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%p, %p : memref<8xi64>, memref<8xi64>) outs(%t : memref<8xi64>)
    linalg.fill ins(%k5 : i64) outs(%n : memref<8xi64>)
    linalg.map { arith.addi } ins(%n, %p : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
    %m = arith.andi %i, %c1 : index
    %c = arith.cmpi eq, %m, %c0 : index
    %y = scf.if %c -> (memref<8xi64>) {
      %pr1 = memref.load %n[%c0] : memref<8xi64>
      vector.print %pr1 : i64
      scf.yield %t : memref<8xi64>
    } else {
      %pr2 = memref.load %t[%c0] : memref<8xi64>
      vector.print %pr2 : i64
      scf.yield %n : memref<8xi64>
    }
    scf.yield %y : memref<8xi64>
  }
  %pr3 = memref.load %r[%c0] : memref<8xi64>
  vector.print %pr3 : i64
  return
}
