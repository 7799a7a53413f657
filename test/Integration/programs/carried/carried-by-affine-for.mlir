// affine.for carries memrefs as scf.for does.
//
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k0 : i64) outs(%a : memref<8xi64>)
  %r = affine.for %i = 0 to 3 iter_args(%p = %a) -> (memref<8xi64>) {
    %n = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k1 : i64) outs(%n : memref<8xi64>)
    linalg.map { arith.addi } ins(%n, %p : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
    affine.yield %n : memref<8xi64>
  }
  %s1 = memref.load %r[%c0] : memref<8xi64>
  vector.print %s1 : i64
  return
}
