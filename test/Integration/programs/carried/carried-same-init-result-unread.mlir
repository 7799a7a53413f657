// Both arguments start as %a; the second is replaced in every iteration, the
// first never. %p is %a in all iterations although no result is read. Two slots
// for the buffers of the loop would be one too many; a slot with the bytes of
// %a would be one too few.
//
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c7 = arith.constant 7 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %r:2 = affine.for %i = 0 to 2 iter_args(%p = %a, %q = %a) -> (memref<8xi64>, memref<8xi64>) {
    %x = memref.load %p[%c7] : memref<8xi64>
    vector.print %x : i64
    %n = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k2 : i64) outs(%n : memref<8xi64>)
    affine.yield %p, %n : memref<8xi64>, memref<8xi64>
  }
  return
}
