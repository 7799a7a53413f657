// A loop carries a new static and a new dynamic buffer.
//
// Two slots for the static buffers, and the first buffer of dynamic type; the one
// that the loop makes is not planned.
// CHECK: arena @main: naive=160 others=160
// CHECK: left @main: 1

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %d = memref.alloc(%c4) : memref<?xi64>
  linalg.fill ins(%k2 : i64) outs(%d : memref<?xi64>)
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%p = %a, %q = %d) -> (memref<8xi64>, memref<?xi64>) {
    %n = memref.alloc() : memref<8xi64>
    %v = memref.load %q[%c0] : memref<?xi64>
    linalg.fill ins(%v : i64) outs(%n : memref<8xi64>)
    linalg.map { arith.addi } ins(%n, %p : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
    %sz = arith.addi %i, %c4 : index
    %m = memref.alloc(%sz) : memref<?xi64>
    %u = memref.load %p[%c1] : memref<8xi64>
    linalg.fill ins(%u : i64) outs(%m : memref<?xi64>)
    scf.yield %n, %m : memref<8xi64>, memref<?xi64>
  }
  %s1 = memref.load %r#0[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %s2 = memref.load %r#1[%c0] : memref<?xi64>
  vector.print %s2 : i64
  return
}
