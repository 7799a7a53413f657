// The caller runs a callee with temporaries in async.execute, twice at once.
//
// %a, %o and %q; each activation of @f allocates an arena of its own.
// CHECK: arena @f: naive=64 others=64
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

func.func private @f(%a: memref<8xi64>, %o: memref<8xi64>) {
  %t = memref.alloc() : memref<8xi64>
  linalg.map { arith.addi } ins(%a, %a : memref<8xi64>, memref<8xi64>) outs(%t : memref<8xi64>)
  linalg.map { arith.addi } ins(%t, %a : memref<8xi64>, memref<8xi64>) outs(%o : memref<8xi64>)
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<8xi64>
  %o = memref.alloc() : memref<8xi64>
  %q = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %x = async.execute {
    func.call @f(%a, %o) : (memref<8xi64>, memref<8xi64>) -> ()
    async.yield
  }
  %y = async.execute {
    func.call @f(%a, %q) : (memref<8xi64>, memref<8xi64>) -> ()
    async.yield
  }
  async.await %x : !async.token
  async.await %y : !async.token
  linalg.map { arith.addi } ins(%o, %q : memref<8xi64>, memref<8xi64>) outs(%q : memref<8xi64>)
  %pr1 = memref.load %q[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  return
}
