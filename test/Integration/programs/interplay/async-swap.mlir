// Asynchronous double buffering: buffers from outside are exchanged, and
// awaited in the same iteration.
//
// CHECK: 16
// CHECK-NEXT: 15
// %o, and the buffers that the task reads and writes: 192 bytes.
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  %o = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  linalg.fill ins(%k0 : i64) outs(%o : memref<8xi64>)
  %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %a, %q = %b) -> (memref<8xi64>, memref<8xi64>) {
    %t = async.execute {
      linalg.map { arith.addi } ins(%p, %p : memref<8xi64>, memref<8xi64>) outs(%q : memref<8xi64>)
      async.yield
    }
    linalg.map { arith.addi } ins(%o, %p : memref<8xi64>, memref<8xi64>) outs(%o : memref<8xi64>)
    async.await %t : !async.token
    scf.yield %q, %p : memref<8xi64>, memref<8xi64>
  }
  %s1 = memref.load %r#0[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %s2 = memref.load %o[%c0] : memref<8xi64>
  vector.print %s2 : i64
  return
}
