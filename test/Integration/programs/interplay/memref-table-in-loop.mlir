// Addresses of two buffers alternate through a table in memory.
//
// 64 bytes are live at one time, so no plan is smaller.
// CHECK: arena @main: naive=64 others=64
// Not planned: it is used by 'memref.store', which may keep it.
// CHECK: left @main: 3

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k7 = arith.constant 7 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  %table = memref.alloc() : memref<2xmemref<8xi64>>
  memref.store %a, %table[%c0] : memref<2xmemref<8xi64>>
  memref.store %b, %table[%c1] : memref<2xmemref<8xi64>>
  scf.for %i = %c0 to %c3 step %c1 {
    %j = arith.remui %i, %c2 : index
    %m = memref.load %table[%j] : memref<2xmemref<8xi64>>
    %t = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k7 : i64) outs(%t : memref<8xi64>)
    %s1 = memref.load %m[%c0] : memref<8xi64>
    vector.print %s1 : i64
    %x = memref.load %t[%c0] : memref<8xi64>
    memref.store %x, %t[%c1] : memref<8xi64>
  }
  return
}
