// Written before the loop, partly overwritten in it, read by the next
// iteration.
//
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %k1 = arith.constant 1 : i64
  %k9 = arith.constant 9 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  scf.for %i = %c0 to %c3 step %c1 {
    %l = memref.load %a[%c2] : memref<8xi64>
    vector.print %l : i64
    %t = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k9 : i64) outs(%t : memref<8xi64>)
    %m = memref.load %t[%c0] : memref<8xi64>
    memref.store %m, %a[%c2] : memref<8xi64>
  }
  %s1 = memref.load %a[%c0] : memref<8xi64>
  vector.print %s1 : i64
  return
}
