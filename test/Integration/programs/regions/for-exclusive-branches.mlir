// Exclusive branches inside a loop; each iteration takes one.
//
// CHECK: arena @main: naive=128 others=64
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k10 = arith.constant 10 : i64
  %k20 = arith.constant 20 : i64
  scf.for %i = %c0 to %c3 step %c1 {
    %x = arith.index_cast %i : index to i64
    %c = arith.trunci %x : i64 to i1
    scf.if %c {
      %a = memref.alloc() : memref<8xi64>
      linalg.fill ins(%k20 : i64) outs(%a : memref<8xi64>)
      %s1 = memref.load %a[%c0] : memref<8xi64>
      vector.print %s1 : i64
    } else {
      %b = memref.alloc() : memref<8xi64>
      linalg.fill ins(%k10 : i64) outs(%b : memref<8xi64>)
      %s2 = memref.load %b[%c0] : memref<8xi64>
      vector.print %s2 : i64
    }
  }
  return
}
