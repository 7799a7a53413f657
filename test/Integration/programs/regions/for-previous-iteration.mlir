// The body reads the buffer before it writes it: it reads what the previous
// iteration wrote.
//
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k5 = arith.constant 5 : i64
  %k7 = arith.constant 7 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k5 : i64) outs(%a : memref<8xi64>)
  scf.for %i = %c0 to %c3 step %c1 {
    %s1 = memref.load %a[%c0] : memref<8xi64>
    vector.print %s1 : i64
    %x = arith.index_cast %i : index to i64
    linalg.fill ins(%x : i64) outs(%a : memref<8xi64>)
    %t = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k7 : i64) outs(%t : memref<8xi64>)
    %l = memref.load %t[%c0] : memref<8xi64>
    memref.store %l, %t[%c1] : memref<8xi64>
  }
  return
}
