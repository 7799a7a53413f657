// As parallel-private.mlir, with the buffer freed in the body.
//
// 64 bytes, and 64 for each of 8 workers; the deallocation is removed.
// CHECK: arena @main: naive=576 others=576
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %k0 = arith.constant 0 : i64
  %k10 = arith.constant 10 : i64
  %o = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k0 : i64) outs(%o : memref<8xi64>)
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %t = memref.alloc() : memref<8xi64>
    %x = arith.index_cast %i : index to i64
    %y = arith.muli %x, %k10 : i64
    linalg.fill ins(%y : i64) outs(%t : memref<8xi64>)
    %z = memref.load %t[%i] : memref<8xi64>
    memref.store %z, %o[%i] : memref<8xi64>
    memref.dealloc %t : memref<8xi64>
    scf.reduce
  }
  %s1 = memref.load %o[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %p = memref.load %o[%c1] : memref<8xi64>
  vector.print %p : i64
  return
}
