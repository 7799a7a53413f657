// Each iteration writes another buffer.
//
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k6 = arith.constant 6 : i64
  %k9 = arith.constant 9 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  %c = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  linalg.fill ins(%k9 : i64) outs(%c : memref<8xi64>)
  scf.for %i = %c0 to %c2 step %c1 {
    %x = arith.index_cast %i : index to i64
    %odd = arith.trunci %x : i64 to i1
    %r = arith.select %odd, %a, %b : memref<8xi64>
    %y = arith.subi %k6, %x : i64
    linalg.fill ins(%y : i64) outs(%r : memref<8xi64>)
  }
  %s1 = memref.load %a[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %s2 = memref.load %b[%c0] : memref<8xi64>
  vector.print %s2 : i64
  %s3 = memref.load %c[%c0] : memref<8xi64>
  vector.print %s3 : i64
  return
}
