// PROGRAM: scope=module entry-points=main
//
// The callee starts a task and awaits it; it has a frame in its caller, which
// has a temporary after it.
//
// %o and %q or %a, and the frame of 128 bytes: 256.
// CHECK: arena @main: naive=448 others=256
// CHECK-NOT: left

func.func private @f(%a: memref<8xi64>, %o: memref<8xi64>) {
  %k3 = arith.constant 3 : i64
  %t = memref.alloc() : memref<8xi64>
  %x = async.execute {
    linalg.map { arith.addi } ins(%a, %a : memref<8xi64>, memref<8xi64>) outs(%t : memref<8xi64>)
    async.yield
  }
  %u = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k3 : i64) outs(%u : memref<8xi64>)
  async.await %x : !async.token
  linalg.map { arith.addi } ins(%t, %u : memref<8xi64>, memref<8xi64>) outs(%o : memref<8xi64>)
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<8xi64>
  %o = memref.alloc() : memref<8xi64>
  %q = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  call @f(%a, %o) : (memref<8xi64>, memref<8xi64>) -> ()
  call @f(%o, %q) : (memref<8xi64>, memref<8xi64>) -> ()
  %pr1 = memref.load %q[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  return
}
