// A buffer of zeros from which three sums start; the last one is computed in
// it.
//
// CHECK: arena @main: naive=192 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k0 = arith.constant 0 : i64
  %k3 = arith.constant 3 : i64
  %zeros = memref.alloc() : memref<8xi64>
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k0 : i64) outs(%zeros : memref<8xi64>)
  memref.copy %zeros, %a : memref<8xi64> to memref<8xi64>
  %x = memref.load %a[%c0] : memref<8xi64>
  %x3 = arith.addi %x, %k3 : i64
  %x6 = arith.addi %x3, %k3 : i64
  memref.store %x6, %a[%c0] : memref<8xi64>
  %s1 = memref.load %a[%c0] : memref<8xi64>
  vector.print %s1 : i64
  memref.copy %zeros, %b : memref<8xi64> to memref<8xi64>
  %y = memref.load %b[%c0] : memref<8xi64>
  %y3 = arith.addi %y, %k3 : i64
  memref.store %y3, %b[%c0] : memref<8xi64>
  %s2 = memref.load %b[%c0] : memref<8xi64>
  vector.print %s2 : i64
  %z = memref.load %zeros[%c0] : memref<8xi64>
  %z12 = arith.addi %z, %x6 : i64
  %z18 = arith.addi %z12, %x6 : i64
  memref.store %z18, %zeros[%c0] : memref<8xi64>
  %s3 = memref.load %zeros[%c0] : memref<8xi64>
  vector.print %s3 : i64
  return
}
