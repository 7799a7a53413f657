// The result of a branch is retained, the buffers that it may be are freed.
//
// 192 bytes are live at one time, so no plan is smaller.
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k5 = arith.constant 5 : i64
  %true = arith.constant true
  %false = arith.constant false
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  %r = arith.select %false, %a, %b : memref<8xi64>
  %own = bufferization.dealloc (%a, %b : memref<8xi64>, memref<8xi64>) if (%true, %true) retain (%r : memref<8xi64>)
  %c = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k5 : i64) outs(%c : memref<8xi64>)
  %s1 = memref.load %r[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %s2 = memref.load %c[%c0] : memref<8xi64>
  vector.print %s2 : i64
  scf.if %own {
    memref.dealloc %r : memref<8xi64>
  }
  return
}
