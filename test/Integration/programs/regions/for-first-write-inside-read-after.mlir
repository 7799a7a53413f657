// The loop writes the buffer, and the read is after the loop; the loop runs at
// least once.
//
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k7 = arith.constant 7 : i64
  %a = memref.alloc() : memref<8xi64>
  scf.for %i = %c0 to %c3 step %c1 {
    %x = arith.index_cast %i : index to i64
    linalg.fill ins(%x : i64) outs(%a : memref<8xi64>)
  }
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k7 : i64) outs(%b : memref<8xi64>)
  %s1 = memref.load %a[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %s2 = memref.load %b[%c0] : memref<8xi64>
  vector.print %s2 : i64
  return
}
