// The token is awaited on only one of two paths, so the buffer is not planned.
//
// 64 bytes are live at one time, so no plan is smaller.
// CHECK: arena @main: naive=64 others=64
// Not planned: it is used by 'async.execute', which is not awaited on every path.
// CHECK: left @main: 1

func.func @main() {
  %c0 = arith.constant 0 : index
  %k3 = arith.constant 3 : i64
  %k4 = arith.constant 4 : i64
  %a = memref.alloc() : memref<8xi64>
  %t = async.execute {
    linalg.fill ins(%k3 : i64) outs(%a : memref<8xi64>)
    async.yield
  }
  %yes = func.call @yes() : () -> i1
  scf.if %yes {
    async.await %t : !async.token
    %s1 = memref.load %a[%c0] : memref<8xi64>
    vector.print %s1 : i64
  }
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k4 : i64) outs(%b : memref<8xi64>)
  %s2 = memref.load %b[%c0] : memref<8xi64>
  vector.print %s2 : i64
  return
}

func.func @yes() -> i1 {
  %true = arith.constant true
  return %true : i1
}
