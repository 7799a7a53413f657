// PROGRAM: deallocate
// PROGRAM: then-deallocate
// PROGRAM: then-deallocate scope=module
//
// The pipeline with private functions that return and get buffers.
//
// 64 bytes are live at one time, so no plan is smaller.
// CHECK: arena @main: naive=64 others=64
// Not planned: it is returned.
// CHECK: left @next: 1
// Not planned: it shares a deallocation with memory that is not planned.
// CHECK: left @main: 1

func.func private @next(%m: memref<8xi64>) -> memref<8xi64> {
  %k1 = arith.constant 1 : i64
  %n = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%n : memref<8xi64>)
  linalg.map { arith.addi } ins(%n, %m : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
  return %n : memref<8xi64>
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k0 = arith.constant 0 : i64
  %k4 = arith.constant 4 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k0 : i64) outs(%a : memref<8xi64>)
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%p = %a) -> (memref<8xi64>) {
    %n = func.call @next(%p) : (memref<8xi64>) -> memref<8xi64>
    scf.yield %n : memref<8xi64>
  }
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k4 : i64) outs(%b : memref<8xi64>)
  %s1 = memref.load %r[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %s2 = memref.load %b[%c0] : memref<8xi64>
  vector.print %s2 : i64
  return
}
