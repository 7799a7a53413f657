// Rank-0 buffers have one element each.
//
// CHECK: arena @main: naive=72 others=72
// CHECK-NOT: left

func.func @main() {
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %a = memref.alloc() : memref<i64>
  %b = memref.alloc() : memref<i64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<i64>)
  linalg.fill ins(%k2 : i64) outs(%b : memref<i64>)
  %s1 = memref.load %a[] : memref<i64>
  vector.print %s1 : i64
  %s2 = memref.load %b[] : memref<i64>
  vector.print %s2 : i64
  return
}
