// The loop carries the result of a callee.
//
// 64 bytes are live at one time, so no plan is smaller.
// CHECK: arena @main: naive=64 others=64
// Not planned: it is returned.
// CHECK: left @next: 1

func.func private @next(%m: memref<8xi64>) -> memref<8xi64> {
  %n = memref.alloc() : memref<8xi64>
  linalg.map { arith.addi } ins(%m, %m : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
  return %n : memref<8xi64>
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %k1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%p = %a) -> (memref<8xi64>) {
    %n = func.call @next(%p) : (memref<8xi64>) -> memref<8xi64>
    scf.yield %n : memref<8xi64>
  }
  %s1 = memref.load %r[%c0] : memref<8xi64>
  vector.print %s1 : i64
  return
}
