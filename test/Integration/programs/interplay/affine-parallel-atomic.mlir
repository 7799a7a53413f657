// affine.parallel with private buffers, reduction by atomic into shared.
//
// 64 bytes of %o and 64 for each of four workers: 320.
// CHECK: arena @main: naive=320 others=320
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k0 = arith.constant 0 : i64
  %o = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k0 : i64) outs(%o : memref<8xi64>)
  affine.parallel (%i) = (0) to (4) {
    %t = memref.alloc() : memref<8xi64>
    %iv = arith.index_cast %i : index to i64
    linalg.fill ins(%iv : i64) outs(%t : memref<8xi64>)
    affine.for %j = 0 to 8 {
      %e = affine.load %t[%j] : memref<8xi64>
      %x = memref.atomic_rmw addi %e, %o[%j] : (i64, memref<8xi64>) -> i64
    }
  }
  %pr1 = memref.load %o[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  return
}
