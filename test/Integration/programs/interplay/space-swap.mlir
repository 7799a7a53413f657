// Memory spaces 1 and 2: copies to and from local memory, with double buffering
// in space 1.
//
// Two buffers in each space: 128 bytes and 128.
// CHECK: arena @main space 1: naive=128 others=128
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %in = memref.alloc() : memref<8xi64>
  %out = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%in : memref<8xi64>)
  linalg.fill ins(%k0 : i64) outs(%out : memref<8xi64>)
  %l0 = memref.alloc() : memref<8xi64, 1>
  %l1 = memref.alloc() : memref<8xi64, 1>
  memref.copy %in, %l0 : memref<8xi64> to memref<8xi64, 1>
  %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %l0, %q = %l1) -> (memref<8xi64, 1>, memref<8xi64, 1>) {
    memref.copy %in, %q : memref<8xi64> to memref<8xi64, 1>
    linalg.map { arith.addi } ins(%p, %out : memref<8xi64, 1>, memref<8xi64>) outs(%out : memref<8xi64>)
    scf.yield %q, %p : memref<8xi64, 1>, memref<8xi64, 1>
  }
  %s1 = memref.load %out[%c0] : memref<8xi64>
  vector.print %s1 : i64
  return
}
