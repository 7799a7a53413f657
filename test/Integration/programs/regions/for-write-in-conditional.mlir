// Only one iteration writes; the later ones read what it wrote.
//
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %k5 = arith.constant 5 : i64
  %k7 = arith.constant 7 : i64
  %k8 = arith.constant 8 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k5 : i64) outs(%a : memref<8xi64>)
  scf.for %i = %c0 to %c4 step %c1 {
    %w = arith.cmpi eq, %i, %c2 : index
    scf.if %w {
      linalg.fill ins(%k7 : i64) outs(%a : memref<8xi64>)
    }
    %t = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k8 : i64) outs(%t : memref<8xi64>)
    %l = memref.load %t[%c0] : memref<8xi64>
    memref.store %l, %t[%c1] : memref<8xi64>
    %s1 = memref.load %a[%c0] : memref<8xi64>
    vector.print %s1 : i64
  }
  return
}
