// Freed by hand after the await, and used through a view inside the task.
//
// 64 bytes are live at one time, so no plan is smaller.
// CHECK: arena @main: naive=128 others=64
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %k8 = arith.constant 8 : i64
  %a = memref.alloc() : memref<8xi64>
  %t = async.execute {
    %v = memref.subview %a[2] [4] [1]
        : memref<8xi64> to memref<4xi64, strided<[1], offset: 2>>
    linalg.fill ins(%k8 : i64)
        outs(%v : memref<4xi64, strided<[1], offset: 2>>)
    async.yield
  }
  async.await %t : !async.token
  %c2 = arith.constant 2 : index
  %s1 = memref.load %a[%c2] : memref<8xi64>
  vector.print %s1 : i64
  memref.dealloc %a : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%b : memref<8xi64>)
  %s2 = memref.load %b[%c0] : memref<8xi64>
  vector.print %s2 : i64
  memref.dealloc %b : memref<8xi64>
  return
}
