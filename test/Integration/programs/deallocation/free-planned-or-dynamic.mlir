// One deallocation frees a buffer of static type or one of dynamic type.
//
// CHECK: arena @main: naive=192 others=192

func.func @main() {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k3 = arith.constant 3 : i64
  %false = arith.constant false
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %d = memref.alloc(%c8) : memref<?xi64>
  linalg.fill ins(%k2 : i64) outs(%d : memref<?xi64>)
  %v = memref.cast %a : memref<8xi64> to memref<?xi64>
  %r = arith.select %false, %v, %d : memref<?xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k3 : i64) outs(%b : memref<8xi64>)
  %s1 = memref.load %r[%c0] : memref<?xi64>
  vector.print %s1 : i64
  %s2 = memref.load %b[%c0] : memref<8xi64>
  vector.print %s2 : i64
  memref.dealloc %r : memref<?xi64>
  return
}
