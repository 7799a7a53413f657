// Read by all iterations and live after the loop: no other buffer may share its
// bytes.
//
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %a = memref.alloc() : memref<8xi64>
  %o = memref.alloc() : memref<8xi64>
  %s = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  linalg.fill ins(%k2 : i64) outs(%s : memref<8xi64>)
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %x = memref.load %s[%i] : memref<8xi64>
    %y = memref.load %a[%i] : memref<8xi64>
    %z = arith.addi %x, %y : i64
    memref.store %z, %o[%i] : memref<8xi64>
    scf.reduce
  }
  %s1 = memref.load %o[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %s2 = memref.load %s[%c0] : memref<8xi64>
  vector.print %s2 : i64
  %p = memref.load %o[%c7] : memref<8xi64>
  vector.print %p : i64
  return
}
