// A view of a carried buffer of the previous iteration is kept one iteration longer.
//
// 64 bytes are live at one time, so no plan is smaller.
// CHECK: arena @main: naive=64 others=64
// Not planned: it is carried around the loop it is allocated in.
// CHECK: left @main: 1

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k0 : i64) outs(%a : memref<8xi64>)
  %v0 = memref.cast %a : memref<8xi64> to memref<?xi64>
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%p = %a, %v = %v0) -> (memref<8xi64>, memref<?xi64>) {
    %n = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k1 : i64) outs(%n : memref<8xi64>)
    linalg.map { arith.addi } ins(%n, %p : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
    %s1 = memref.load %v[%c0] : memref<?xi64>
    vector.print %s1 : i64
    %w = memref.cast %n : memref<8xi64> to memref<?xi64>
    scf.yield %n, %w : memref<8xi64>, memref<?xi64>
  }
  return
}
