// An asynchronous region uses a buffer: it is live until the await.
//
// All three are live while the task runs: 192 bytes.
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k6 = arith.constant 6 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  linalg.fill ins(%k0 : i64) outs(%b : memref<8xi64>)
  %token = async.execute {
    %x = memref.load %a[%c0] : memref<8xi64>
    %y = arith.addi %x, %k6 : i64
    memref.store %y, %b[%c0] : memref<8xi64>
    async.yield
  }
  %c = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k2 : i64) outs(%c : memref<8xi64>)
  async.await %token : !async.token
  %s1 = memref.load %b[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %s2 = memref.load %a[%c0] : memref<8xi64>
  vector.print %s2 : i64
  %s3 = memref.load %c[%c0] : memref<8xi64>
  vector.print %s3 : i64
  return
}
