// One bufferization.dealloc of two buffers, one of which has a constant as its size.
//
// CHECK: arena @main: naive=128 others=64

func.func @main() {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %true = arith.constant true
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %s1 = memref.load %a[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %n = memref.alloc(%c8) : memref<?xi64>
  linalg.fill ins(%k2 : i64) outs(%n : memref<?xi64>)
  %s2 = memref.load %n[%c0] : memref<?xi64>
  vector.print %s2 : i64
  bufferization.dealloc (%a, %n : memref<8xi64>, memref<?xi64>) if (%true, %true)
  return
}
