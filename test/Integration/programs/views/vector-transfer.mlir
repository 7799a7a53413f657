// Vector loads and stores are accesses.
//
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %k1 = arith.constant 1 : i64
  %k9 = arith.constant 9 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %v = vector.load %a[%c4] : memref<8xi64>, vector<4xi64>
  %w = arith.addi %v, %v : vector<4xi64>
  linalg.fill ins(%k9 : i64) outs(%b : memref<8xi64>)
  vector.store %w, %b[%c4] : memref<8xi64>, vector<4xi64>
  %x = vector.load %a[%c0] : memref<8xi64>, vector<4xi64>
  vector.print %x : vector<4xi64>
  %y = vector.load %b[%c4] : memref<8xi64>, vector<4xi64>
  vector.print %y : vector<4xi64>
  return
}
