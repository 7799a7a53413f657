// A task in each iteration, awaited there; its buffer is free for the next.
//
// 128 bytes are live at one time, so no plan is smaller.
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %o = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k0 : i64) outs(%o : memref<8xi64>)
  scf.for %i = %c0 to %c3 step %c1 {
    %t = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k1 : i64) outs(%t : memref<8xi64>)
    %token = async.execute {
      %x = memref.load %t[%c0] : memref<8xi64>
      %y = memref.load %o[%c0] : memref<8xi64>
      %z = arith.addi %x, %y : i64
      memref.store %z, %o[%c0] : memref<8xi64>
      async.yield
    }
    async.await %token : !async.token
    %s1 = memref.load %o[%c0] : memref<8xi64>
    vector.print %s1 : i64
  }
  return
}
