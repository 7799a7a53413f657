// Buffers of 0 bytes and others, carried by a loop and in a forall.
//
// Buffers of 0 bytes need none: 128 bytes.
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k1 = arith.constant 1 : i64
  %z0 = memref.alloc() : memref<0x8xi64>
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%p = %a, %z = %z0) -> (memref<8xi64>, memref<0x8xi64>) {
    %n = memref.alloc() : memref<8xi64>
    %y = memref.alloc() : memref<0x8xi64>
    memref.copy %z, %y : memref<0x8xi64> to memref<0x8xi64>
    linalg.map { arith.addi } ins(%p, %p : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
    scf.yield %n, %y : memref<8xi64>, memref<0x8xi64>
  }
  %pr1 = memref.load %r#0[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  %d = memref.dim %r#1, %c0 : memref<0x8xi64>
  vector.print %d : index
  return
}
