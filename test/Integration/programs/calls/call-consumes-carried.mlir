// PROGRAM: scope=module entry-points=main
//
// Each iteration passes the buffer of the previous one to a callee that frees
// it, and carries the result of the callee.
//
// The carried value and the callee's result: 128 bytes.
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func private @step(%a: memref<8xi64>) -> memref<8xi64> {
  %t = memref.alloc() : memref<8xi64>
  linalg.map { arith.addi } ins(%a, %a : memref<8xi64>, memref<8xi64>) outs(%t : memref<8xi64>)
  memref.dealloc %a : memref<8xi64>
  return %t : memref<8xi64>
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %k1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %r = scf.for %i = %c0 to %c5 step %c1 iter_args(%p = %a) -> (memref<8xi64>) {
    %n = func.call @step(%p) : (memref<8xi64>) -> memref<8xi64>
    scf.yield %n : memref<8xi64>
  }
  %s1 = memref.load %r[%c0] : memref<8xi64>
  vector.print %s1 : i64
  memref.dealloc %r : memref<8xi64>
  return
}
