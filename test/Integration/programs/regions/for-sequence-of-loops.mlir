// Two loops one after another: their temporaries share bytes.
//
// CHECK: arena @main: naive=128 others=64
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  scf.for %i = %c0 to %c2 step %c1 {
    %s = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k1 : i64) outs(%s : memref<8xi64>)
    %s1 = memref.load %s[%c0] : memref<8xi64>
    vector.print %s1 : i64
  }
  scf.for %i = %c0 to %c2 step %c1 {
    %t = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k2 : i64) outs(%t : memref<8xi64>)
    %s2 = memref.load %t[%c0] : memref<8xi64>
    vector.print %s2 : i64
  }
  return
}
