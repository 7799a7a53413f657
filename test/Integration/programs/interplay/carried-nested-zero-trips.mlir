// Outer and inner loop carry the same state; the inner loop first has no
// iteration.
//
// The value carried through both loops and the new one: 128 bytes.
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %k1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %a) -> (memref<8xi64>) {
    %q = scf.for %j = %c0 to %i step %c1 iter_args(%s = %p) -> (memref<8xi64>) {
      %n = memref.alloc() : memref<8xi64>
      linalg.map { arith.addi } ins(%s, %s : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
      scf.yield %n : memref<8xi64>
    }
    %pr1 = memref.load %q[%c0] : memref<8xi64>
    vector.print %pr1 : i64
    scf.yield %q : memref<8xi64>
  }
  %pr2 = memref.load %r[%c0] : memref<8xi64>
  vector.print %pr2 : i64
  return
}
