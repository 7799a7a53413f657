// Two products in a row, with their intermediate result.
//
// CHECK: arena @main: naive=512 others=512
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k0 = arith.constant 0 : i64
  %k2 = arith.constant 2 : i64
  %a = memref.alloc() : memref<4x4xi64>
  %b = memref.alloc() : memref<4x4xi64>
  %c = memref.alloc() : memref<4x4xi64>
  %d = memref.alloc() : memref<4x4xi64>
  linalg.fill ins(%k2 : i64) outs(%a : memref<4x4xi64>)
  linalg.fill ins(%k2 : i64) outs(%b : memref<4x4xi64>)
  linalg.fill ins(%k0 : i64) outs(%c : memref<4x4xi64>)
  linalg.fill ins(%k0 : i64) outs(%d : memref<4x4xi64>)
  linalg.matmul ins(%a, %b : memref<4x4xi64>, memref<4x4xi64>) outs(%c : memref<4x4xi64>)
  linalg.matmul ins(%c, %a : memref<4x4xi64>, memref<4x4xi64>) outs(%d : memref<4x4xi64>)
  %s1 = memref.load %d[%c0, %c0] : memref<4x4xi64>
  vector.print %s1 : i64
  return
}
