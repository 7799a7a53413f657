// Asynchronous work writes the new carried buffer and is awaited in the same
// iteration.
//
// CHECK: 8
// The carried value and the new one: 128 bytes.
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %a) -> (memref<8xi64>) {
    %n = memref.alloc() : memref<8xi64>
    %t = async.execute {
      linalg.map { arith.addi } ins(%x, %x : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
      async.yield
    }
    async.await %t : !async.token
    scf.yield %n : memref<8xi64>
  }
  %pr1 = memref.load %r[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  return
}
