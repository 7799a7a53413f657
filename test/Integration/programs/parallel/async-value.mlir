// A buffer returned through an async value.
//
// 64 bytes are live at one time, so no plan is smaller.
// CHECK: arena @main: naive=64 others=64
// Not planned: it is allocated inside 'async.execute', which may run on while others do.
// CHECK: left @main: 1

func.func @main() {
  %c0 = arith.constant 0 : index
  %k2 = arith.constant 2 : i64
  %k3 = arith.constant 3 : i64
  %c = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k2 : i64) outs(%c : memref<8xi64>)
  %token, %v = async.execute -> !async.value<memref<8xi64>> {
    %t = memref.alloc() : memref<8xi64>
    memref.store %k3, %t[%c0] : memref<8xi64>
    async.yield %t : memref<8xi64>
  }
  %r = async.await %v : !async.value<memref<8xi64>>
  %s1 = memref.load %r[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %s2 = memref.load %c[%c0] : memref<8xi64>
  vector.print %s2 : i64
  return
}
