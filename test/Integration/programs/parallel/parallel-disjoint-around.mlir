// Buffers before and after the parallel loop share bytes.
//
// CHECK: arena @main: naive=256 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %k2 = arith.constant 2 : i64
  %k3 = arith.constant 3 : i64
  %k7 = arith.constant 7 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k2 : i64) outs(%a : memref<8xi64>)
  %s1 = memref.load %a[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %s = memref.alloc() : memref<8xi64>
  %o = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k7 : i64) outs(%s : memref<8xi64>)
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %x = memref.load %s[%i] : memref<8xi64>
    memref.store %x, %o[%i] : memref<8xi64>
    scf.reduce
  }
  %s2 = memref.load %o[%c0] : memref<8xi64>
  vector.print %s2 : i64
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k3 : i64) outs(%b : memref<8xi64>)
  %s3 = memref.load %b[%c0] : memref<8xi64>
  vector.print %s3 : i64
  return
}
