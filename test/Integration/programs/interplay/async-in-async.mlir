// async.execute in async.execute; the inner one is awaited inside, and only it
// uses a buffer from outside.
//
// %a, %b and %c while the tasks run; %d has bytes of a dead buffer: 192 bytes.
// CHECK: arena @main: naive=256 others=192
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k2 = arith.constant 2 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  %c = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k2 : i64) outs(%a : memref<8xi64>)
  %t = async.execute {
    %u = async.execute {
      linalg.map { arith.addi } ins(%a, %a : memref<8xi64>, memref<8xi64>) outs(%b : memref<8xi64>)
      async.yield
    }
    async.await %u : !async.token
    linalg.map { arith.addi } ins(%b, %b : memref<8xi64>, memref<8xi64>) outs(%c : memref<8xi64>)
    async.yield
  }
  async.await %t : !async.token
  %d = memref.alloc() : memref<8xi64>
  linalg.map { arith.addi } ins(%c, %c : memref<8xi64>, memref<8xi64>) outs(%d : memref<8xi64>)
  %pr1 = memref.load %d[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  return
}
