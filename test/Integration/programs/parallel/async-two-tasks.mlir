// Two tasks run at once, each with its own buffer.
//
// 128 bytes are live at one time, so no plan is smaller.
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k0 : i64) outs(%a : memref<8xi64>)
  linalg.fill ins(%k0 : i64) outs(%b : memref<8xi64>)
  %t = async.execute {
    memref.store %k1, %a[%c0] : memref<8xi64>
    async.yield
  }
  %u = async.execute {
    memref.store %k2, %b[%c0] : memref<8xi64>
    async.yield
  }
  async.await %t : !async.token
  async.await %u : !async.token
  %s1 = memref.load %a[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %s2 = memref.load %b[%c0] : memref<8xi64>
  vector.print %s2 : i64
  return
}
