// Double buffering with tasks: one buffer is summed up while the other is
// filled; both tasks are awaited before the buffers are exchanged. Each
// iteration makes one buffer again: two slots alternate, and %sum is live with
// them.
//
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %k0 = arith.constant 0 : i64
  %sum = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k0 : i64) outs(%sum : memref<8xi64>)
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k0 : i64) outs(%a : memref<8xi64>)
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%current = %a) -> memref<8xi64> {
    %v = arith.index_cast %i : index to i64
    %next = memref.alloc() : memref<8xi64>
    %t = async.execute {
      linalg.fill ins(%v : i64) outs(%next : memref<8xi64>)
      async.yield
    }
    %u = async.execute {
      linalg.add ins(%sum, %current : memref<8xi64>, memref<8xi64>) outs(%sum : memref<8xi64>)
      async.yield
    }
    async.await %t : !async.token
    async.await %u : !async.token
    scf.yield %next : memref<8xi64>
  }
  %x = memref.load %sum[%c0] : memref<8xi64>
  vector.print %x : i64
  %y = memref.load %r[%c0] : memref<8xi64>
  %one = arith.constant 1 : i64
  %z = arith.subi %y, %one : i64
  vector.print %z : i64
  return
}
