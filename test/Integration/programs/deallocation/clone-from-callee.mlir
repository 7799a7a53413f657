// PROGRAM: raise
// PROGRAM: raise scope=module entry-points=main --check-prefix=MODULE
//
// The result of the callee is a copy: %t may have the bytes of %a while the
// copy is read. With one arena for the calls the clone is in it, too.
//
// CHECK: arena @main: naive=128 others=64
// CHECK: left @copies: 1
// MODULE: 1
// MODULE: 5
// MODULE: arena @main: naive=192 others=128
// MODULE-NOT: left

func.func private @copies(%x: memref<8xi64>) -> memref<8xi64> {
  %b = bufferization.clone %x : memref<8xi64> to memref<8xi64>
  return %b : memref<8xi64>
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %k5 = arith.constant 5 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %r = call @copies(%a) : (memref<8xi64>) -> memref<8xi64>
  %t = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k5 : i64) outs(%t : memref<8xi64>)
  %s1 = memref.load %r[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %s2 = memref.load %t[%c0] : memref<8xi64>
  vector.print %s2 : i64
  return
}
