// An asynchronous region uses the result of a callee that returns its argument.
//
// %a under its other name, %b and %d: 192 bytes.
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

func.func private @id(%a: memref<8xi64>) -> memref<8xi64> {
  return %a : memref<8xi64>
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %k5 = arith.constant 5 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %x = func.call @id(%a) : (memref<8xi64>) -> memref<8xi64>
  %tok = async.execute {
    linalg.map { arith.addi } ins(%x, %x : memref<8xi64>, memref<8xi64>) outs(%b : memref<8xi64>)
    async.yield
  }
  %d = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k5 : i64) outs(%d : memref<8xi64>)
  async.await %tok : !async.token
  %pr1 = memref.load %b[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  %pr2 = memref.load %d[%c0] : memref<8xi64>
  vector.print %pr2 : i64
  return
}
