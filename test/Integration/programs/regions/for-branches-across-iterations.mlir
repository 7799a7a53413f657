// One branch writes in an even iteration the buffer that the other reads in the
// odd one.
//
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %k7 = arith.constant 7 : i64
  %k9 = arith.constant 9 : i64
  %a = memref.alloc() : memref<8xi64>
  scf.for %i = %c0 to %c4 step %c1 {
    %x = arith.index_cast %i : index to i64
    %c = arith.trunci %x : i64 to i1
    scf.if %c {
      %s1 = memref.load %a[%c0] : memref<8xi64>
      vector.print %s1 : i64
    } else {
      linalg.fill ins(%k7 : i64) outs(%a : memref<8xi64>)
    }
    %t = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k9 : i64) outs(%t : memref<8xi64>)
    %l = memref.load %t[%c0] : memref<8xi64>
    memref.store %l, %t[%c1] : memref<8xi64>
  }
  return
}
