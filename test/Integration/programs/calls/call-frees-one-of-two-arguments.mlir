// PROGRAM: scope=module entry-points=main
//
// One buffer for both arguments, of which the callee frees one; and two
// buffers.
//
// %c has the bytes of %b: 128 bytes.
// CHECK: arena @main: naive=192 others=128
// CHECK-NOT: left

func.func private @add(%a: memref<8xi64>, %b: memref<8xi64>) -> i64 {
  %c0 = arith.constant 0 : index
  %s = memref.load %a[%c0] : memref<8xi64>
  %t = memref.load %b[%c0] : memref<8xi64>
  %u = arith.addi %s, %t : i64
  memref.dealloc %b : memref<8xi64>
  return %u : i64
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  %s = call @add(%a, %b) : (memref<8xi64>, memref<8xi64>) -> i64
  vector.print %s : i64
  %t = call @add(%a, %a) : (memref<8xi64>, memref<8xi64>) -> i64
  %c = memref.alloc() : memref<8xi64>
  linalg.fill ins(%t : i64) outs(%c : memref<8xi64>)
  vector.print %t : i64
  %u = memref.load %c[%c0] : memref<8xi64>
  vector.print %u : i64
  memref.dealloc %c : memref<8xi64>
  return
}
