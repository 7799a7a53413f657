// A buffer made inside the asynchronous region.
//
// Both are live while the task runs: 128 bytes.
// CHECK: arena @main: naive=128 others=128
// Not planned: the buffer that is allocated inside the task.
// CHECK: left @main: 1

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k0 = arith.constant 0 : i64
  %k2 = arith.constant 2 : i64
  %k5 = arith.constant 5 : i64
  %o = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k0 : i64) outs(%o : memref<8xi64>)
  %token = async.execute {
    %t = memref.alloc() : memref<8xi64>
    memref.store %k5, %t[%c1] : memref<8xi64>
    %x = memref.load %t[%c1] : memref<8xi64>
    memref.store %x, %o[%c0] : memref<8xi64>
    memref.dealloc %t : memref<8xi64>
    async.yield
  }
  %c = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k2 : i64) outs(%c : memref<8xi64>)
  async.await %token : !async.token
  %s1 = memref.load %o[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %s2 = memref.load %c[%c0] : memref<8xi64>
  vector.print %s2 : i64
  return
}
