// Jacobi iteration in a while loop that exchanges two region arguments; the
// residual is a temporary of the first region.
//
// Two fields alternate; the condition reads the residual with both: 192 bytes.
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k3 = arith.constant 3 : i64
  %k64 = arith.constant 64 : i64
  %u = memref.alloc() : memref<8xi64>
  %v = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k64 : i64) outs(%u : memref<8xi64>)
  %r:3 = scf.while (%s = %k0, %x = %u, %y = %v) : (i64, memref<8xi64>, memref<8xi64>) -> (i64, memref<8xi64>, memref<8xi64>) {
    %res = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%x, %x : memref<8xi64>, memref<8xi64>) outs(%res : memref<8xi64>)
    %e = memref.load %res[%c1] : memref<8xi64>
    %c = arith.cmpi sgt, %e, %k3 : i64
    scf.condition(%c) %s, %x, %y : i64, memref<8xi64>, memref<8xi64>
  } do {
  ^bb0(%s: i64, %x: memref<8xi64>, %y: memref<8xi64>):
    scf.for %j = %c0 to %c8 step %c1 {
      %e = memref.load %x[%j] : memref<8xi64>
      %h = arith.divsi %e, %k2 : i64
      memref.store %h, %y[%j] : memref<8xi64>
    }
    %n = arith.addi %s, %k1 : i64
    scf.yield %n, %y, %x : i64, memref<8xi64>, memref<8xi64>
  }
  vector.print %r#0 : i64
  %s1 = memref.load %r#1[%c0] : memref<8xi64>
  vector.print %s1 : i64
  return
}
