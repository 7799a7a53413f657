// Each iteration starts a task, computes at the same time and awaits it: the
// buffers of an iteration are disjoint, and those after the await have the same
// bytes.
//
// 128 bytes are live at one time, so no plan is smaller.
// CHECK: arena @main: naive=256 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %k0 = arith.constant 0 : i64
  %k6 = arith.constant 6 : i64
  %sum = scf.for %i = %c0 to %c10 step %c1 iter_args(%s = %k0) -> i64 {
    %v = arith.index_cast %i : index to i64
    %a = memref.alloc() : memref<8xi64>
    %t = async.execute {
      linalg.fill ins(%v : i64) outs(%a : memref<8xi64>)
      async.yield
    }
    %b = memref.alloc() : memref<8xi64>
    linalg.fill ins(%v : i64) outs(%b : memref<8xi64>)
    async.await %t : !async.token
    %x = memref.load %a[%c1] : memref<8xi64>
    %y = memref.load %b[%c1] : memref<8xi64>
    %c = memref.alloc() : memref<16xi64>
    linalg.fill ins(%y : i64) outs(%c : memref<16xi64>)
    %z = memref.load %c[%c10] : memref<16xi64>
    %xz = arith.addi %x, %z : i64
    %next = arith.addi %s, %xz : i64
    scf.yield %next : i64
  }
  vector.print %sum : i64
  vector.print %k6 : i64
  return
}
