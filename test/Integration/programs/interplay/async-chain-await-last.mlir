// Three tasks that depend on each other by tokens; awaiting the last one covers
// all; a temporary between them.
//
// %a, %b, %c and %d until the await; %e has bytes of a dead buffer: 256.
// CHECK: arena @main: naive=320 others=256
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %k5 = arith.constant 5 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  %c = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %t1 = async.execute {
    linalg.map { arith.addi } ins(%a, %a : memref<8xi64>, memref<8xi64>) outs(%b : memref<8xi64>)
    async.yield
  }
  %t2 = async.execute [%t1] {
    linalg.map { arith.addi } ins(%b, %b : memref<8xi64>, memref<8xi64>) outs(%c : memref<8xi64>)
    async.yield
  }
  %d = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k5 : i64) outs(%d : memref<8xi64>)
  %pr1 = memref.load %d[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  async.await %t2 : !async.token
  %e = memref.alloc() : memref<8xi64>
  linalg.map { arith.addi } ins(%c, %c : memref<8xi64>, memref<8xi64>) outs(%e : memref<8xi64>)
  %pr2 = memref.load %e[%c0] : memref<8xi64>
  vector.print %pr2 : i64
  %pr3 = memref.load %c[%c0] : memref<8xi64>
  vector.print %pr3 : i64
  return
}
