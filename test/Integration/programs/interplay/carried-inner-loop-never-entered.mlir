// The inner loop with a carried buffer never runs; the outer loop carries a new
// buffer.
//
// The carried value and the new one of either loop: 128 bytes.
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %k1 = arith.constant 1 : i64
  %k99 = arith.constant 99 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %a) -> (memref<8xi64>) {
    %s = scf.for %j = %c5 to %c2 step %c1 iter_args(%y = %x) -> (memref<8xi64>) {
      %q = memref.alloc() : memref<8xi64>
      linalg.fill ins(%k99 : i64) outs(%q : memref<8xi64>)
      scf.yield %q : memref<8xi64>
    }
    %n = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%s, %s : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
    scf.yield %n : memref<8xi64>
  }
  %pr1 = memref.load %r[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  return
}
