// affine.if with a buffer in each branch.
//
// CHECK: arena @main: naive=128 others=64
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k0 = arith.constant 0 : i64
  %k7 = arith.constant 7 : i64
  affine.for %i = 0 to 4 {
    affine.if affine_set<(d0) : (d0 - 2 >= 0)>(%i) {
      %a = memref.alloc() : memref<8xi64>
      linalg.fill ins(%k7 : i64) outs(%a : memref<8xi64>)
      %s1 = memref.load %a[%c0] : memref<8xi64>
      vector.print %s1 : i64
    } else {
      %b = memref.alloc() : memref<8xi64>
      linalg.fill ins(%k0 : i64) outs(%b : memref<8xi64>)
      %s2 = memref.load %b[%c0] : memref<8xi64>
      vector.print %s2 : i64
    }
  }
  return
}
