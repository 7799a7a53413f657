// The second task starts when the first has ended, so awaiting it suffices. The
// buffers after the await have the bytes of the tasks' buffers.
//
// 128 bytes are live at one time, so no plan is smaller.
// CHECK: arena @main: naive=256 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k2 = arith.constant 2 : i64
  %k4 = arith.constant 4 : i64
  %k5 = arith.constant 5 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  %t = async.execute {
    linalg.fill ins(%k4 : i64) outs(%a : memref<8xi64>)
    async.yield
  }
  %u = async.execute [%t] {
    %x = memref.load %a[%c0] : memref<8xi64>
    %y = arith.addi %x, %k5 : i64
    linalg.fill ins(%y : i64) outs(%b : memref<8xi64>)
    async.yield
  }
  async.await %u : !async.token
  %s1 = memref.load %b[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %c = memref.alloc() : memref<16xi64>
  linalg.fill ins(%k2 : i64) outs(%c : memref<16xi64>)
  %s2 = memref.load %c[%c0] : memref<16xi64>
  vector.print %s2 : i64
  return
}
