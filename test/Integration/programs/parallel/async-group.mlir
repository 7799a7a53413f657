// The tasks of a loop run at once and are awaited together: their buffer is in
// use until then, after the loop that started them.
//
// 208 bytes are live at one time, so no plan is smaller.
// CHECK: arena @main: naive=208 others=208
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %k0 = arith.constant 0 : i64
  %k3 = arith.constant 3 : i64
  %a = memref.alloc() : memref<10xi64>
  %g = async.create_group %c10 : !async.group
  scf.for %i = %c0 to %c10 step %c1 {
    %t = async.execute {
      %v = arith.index_cast %i : index to i64
      memref.store %v, %a[%i] : memref<10xi64>
      async.yield
    }
    %n = async.add_to_group %t, %g : !async.token
  }
  %b = memref.alloc() : memref<10xi64>
  linalg.fill ins(%k3 : i64) outs(%b : memref<10xi64>)
  %s2 = memref.load %b[%c1] : memref<10xi64>
  async.await_all %g
  %sum = scf.for %i = %c0 to %c10 step %c1 iter_args(%s = %k0) -> i64 {
    %x = memref.load %a[%i] : memref<10xi64>
    %y = arith.addi %s, %x : i64
    scf.yield %y : i64
  }
  vector.print %sum : i64
  vector.print %s2 : i64
  return
}
