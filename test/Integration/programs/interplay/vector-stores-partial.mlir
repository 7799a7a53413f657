// Vector stores with a mask, scatter and compress to planned buffers.
//
// %a is live with %b and then with %d: 128 bytes.
// CHECK: arena @main: naive=192 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k9 = arith.constant 9 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  %m = arith.constant dense<[true, false, true, true]> : vector<4xi1>
  %v = arith.constant dense<[10, 20, 30, 40]> : vector<4xi64>
  %ix = arith.constant dense<[7, 6, 5, 4]> : vector<4xi64>
  vector.maskedstore %a[%c0], %m, %v : memref<8xi64>, vector<4xi1>, vector<4xi64>
  vector.scatter %b[%c0] [%ix], %m, %v : memref<8xi64>, vector<4xi64>, vector<4xi1>, vector<4xi64>
  vector.compressstore %a[%c4], %m, %v : memref<8xi64>, vector<4xi1>, vector<4xi64>
  %g = vector.gather %b[%c0] [%ix], %m, %v : memref<8xi64>, vector<4xi64>, vector<4xi1>, vector<4xi64> into vector<4xi64>
  %d = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k9 : i64) outs(%d : memref<8xi64>)
  vector.print %g : vector<4xi64>
  %w = vector.load %a[%c4] : memref<8xi64>, vector<4xi64>
  vector.print %w : vector<4xi64>
  %pr1 = memref.load %d[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  return
}
