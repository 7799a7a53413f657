// A retained buffer is not freed, whatever its name is.
//
// CHECK: arena @main: naive=192 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k3 = arith.constant 3 : i64
  %true = arith.constant true
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  %v = memref.cast %a : memref<8xi64> to memref<?xi64>
  %own:1 = bufferization.dealloc (%a, %b : memref<8xi64>, memref<8xi64>) if (%true, %true) retain (%v : memref<?xi64>)
  %c = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k3 : i64) outs(%c : memref<8xi64>)
  %s1 = memref.load %v[%c0] : memref<?xi64>
  vector.print %s1 : i64
  %s2 = memref.load %c[%c0] : memref<8xi64>
  vector.print %s2 : i64
  scf.if %own#0 {
    memref.dealloc %v : memref<?xi64>
  }
  return
}
