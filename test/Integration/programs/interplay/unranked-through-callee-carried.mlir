// Cast to unranked, passed to a callee, cast back, and carried.
//
// The carried value and the new one: 128 bytes.
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func private @id(%u: memref<*xi64>) -> memref<*xi64> {
  return %u : memref<*xi64>
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %a) -> (memref<8xi64>) {
    %n = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%x, %x : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
    %u = memref.cast %n : memref<8xi64> to memref<*xi64>
    %v = func.call @id(%u) : (memref<*xi64>) -> memref<*xi64>
    %w = memref.cast %v : memref<*xi64> to memref<8xi64>
    scf.yield %w : memref<8xi64>
  }
  %pr1 = memref.load %r[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  return
}
