// Breadth-first search: the frontier is carried, the next one is new, the old
// one is freed; a flag ends the while loop.
//
// %dist, the frontier and the next one: 192 bytes.
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k3 = arith.constant 3 : i64
  %k40 = arith.constant 40 : i64
  %dist = memref.alloc() : memref<8xi64>
  %f0 = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k0 : i64) outs(%dist : memref<8xi64>)
  linalg.fill ins(%k1 : i64) outs(%f0 : memref<8xi64>)
  %r:2 = scf.while (%d = %k0, %f = %f0) : (i64, memref<8xi64>) -> (i64, memref<8xi64>) {
    %e = memref.load %f[%c0] : memref<8xi64>
    %c = arith.cmpi slt, %e, %k40 : i64
    scf.condition(%c) %d, %f : i64, memref<8xi64>
  } do {
  ^bb0(%d: i64, %f: memref<8xi64>):
    %n = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k0 : i64) outs(%n : memref<8xi64>)
    scf.for %j = %c0 to %c8 step %c1 {
      %e = memref.load %f[%j] : memref<8xi64>
      %t = arith.muli %e, %k3 : i64
      memref.store %t, %n[%j] : memref<8xi64>
    }
    linalg.map { arith.addi } ins(%dist, %n : memref<8xi64>, memref<8xi64>) outs(%dist : memref<8xi64>)
    memref.dealloc %f : memref<8xi64>
    %d1 = arith.addi %d, %k1 : i64
    scf.yield %d1, %n : i64, memref<8xi64>
  }
  vector.print %r#0 : i64
  %s1 = memref.load %r#1[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %s2 = memref.load %dist[%c0] : memref<8xi64>
  vector.print %s2 : i64
  memref.dealloc %r#1 : memref<8xi64>
  return
}
