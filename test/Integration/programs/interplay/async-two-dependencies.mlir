// Work that depends on two tokens; awaiting it covers both.
//
// CHECK: 10
// %a, %b and %c until the one await that covers all three tasks: 192 bytes.
// CHECK: arena @main: naive=256 others=192
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k2 = arith.constant 2 : i64
  %k3 = arith.constant 3 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  %c = memref.alloc() : memref<8xi64>
  %t = async.execute {
    linalg.fill ins(%k2 : i64) outs(%a : memref<8xi64>)
    async.yield
  }
  %u = async.execute {
    linalg.fill ins(%k3 : i64) outs(%b : memref<8xi64>)
    async.yield
  }
  %v = async.execute [%t, %u] {
    linalg.map { arith.addi } ins(%a, %b : memref<8xi64>, memref<8xi64>) outs(%c : memref<8xi64>)
    async.yield
  }
  async.await %v : !async.token
  %d = memref.alloc() : memref<8xi64>
  linalg.map { arith.addi } ins(%c, %c : memref<8xi64>, memref<8xi64>) outs(%d : memref<8xi64>)
  %pr1 = memref.load %d[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  return
}
