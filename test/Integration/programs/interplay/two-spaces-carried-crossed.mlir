// One loop carries and replaces buffers in two memory spaces.
//
// A carried value and a new one in each space: 128 bytes and 128.
// CHECK: arena @main space 1: naive=128 others=128
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64, 1>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64, 1>)
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %a, %y = %b) -> (memref<8xi64>, memref<8xi64, 1>) {
    %n = memref.alloc() : memref<8xi64>
    %m = memref.alloc() : memref<8xi64, 1>
    linalg.map { arith.addi } ins(%x, %y : memref<8xi64>, memref<8xi64, 1>) outs(%n : memref<8xi64>)
    linalg.map { arith.addi } ins(%n, %y : memref<8xi64>, memref<8xi64, 1>) outs(%m : memref<8xi64, 1>)
    scf.yield %n, %m : memref<8xi64>, memref<8xi64, 1>
  }
  %pr1 = memref.load %r#0[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  %x = memref.load %r#1[%c0] : memref<8xi64, 1>
  vector.print %x : i64
  return
}
