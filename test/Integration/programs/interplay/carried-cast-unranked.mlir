// One branch allocates 2x4 elements, the other 8; both are joined as an
// unranked memref and carried.
//
// They have static shapes where they are allocated: 128 bytes.
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %k1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %x = memref.cast %a : memref<8xi64> to memref<*xi64>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %x) -> (memref<*xi64>) {
    %f = memref.cast %p : memref<*xi64> to memref<8xi64>
    %n = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%f, %f : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
    %y = memref.cast %n : memref<8xi64> to memref<*xi64>
    scf.yield %y : memref<*xi64>
  }
  %z = memref.cast %r : memref<*xi64> to memref<8xi64>
  %pr1 = memref.load %z[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  return
}
