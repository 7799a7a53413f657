// Stored in memory and loaded again: its uses can no longer be followed.
//
// 64 bytes are live at one time, so no plan is smaller.
// CHECK: arena @main: naive=64 others=64
// Not planned: it is used by 'memref.store', which may keep it.
// CHECK: left @main: 2

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %table = memref.alloc() : memref<2xmemref<8xi64>>
  memref.store %a, %table[%c1] : memref<2xmemref<8xi64>>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  %k = memref.load %table[%c1] : memref<2xmemref<8xi64>>
  %s1 = memref.load %k[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %s2 = memref.load %b[%c0] : memref<8xi64>
  vector.print %s2 : i64
  return
}
