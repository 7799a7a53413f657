// Either branch makes the buffer that a task fills after the join; the task is
// awaited in the same block, so both branches share one slot.
//
// CHECK: arena @f: naive=64 others=64
// CHECK-NOT: left

func.func @f(%c: i1) {
  %c0 = arith.constant 0 : index
  %k5 = arith.constant 5 : i64
  %r = scf.if %c -> memref<8xi64> {
    %a = memref.alloc() : memref<8xi64>
    scf.yield %a : memref<8xi64>
  } else {
    %b = memref.alloc() : memref<8xi64>
    scf.yield %b : memref<8xi64>
  }
  %t = async.execute {
    linalg.fill ins(%k5 : i64) outs(%r : memref<8xi64>)
    async.yield
  }
  async.await %t : !async.token
  %x = memref.load %r[%c0] : memref<8xi64>
  vector.print %x : i64
  return
}
func.func @main() {
  %t = arith.constant true
  %f = arith.constant false
  call @f(%t) : (i1) -> ()
  call @f(%f) : (i1) -> ()
  return
}
