// PROGRAM: scope=module entry-points=main
//
// Ownership is passed: each callee frees its argument and returns a new buffer.
// After planning the caller frees and provides both.
//
// An argument and the result: 128 bytes.
// CHECK: arena @main: naive=256 others=128
// CHECK-NOT: left

func.func private @consume(%a: memref<8xi64>) -> memref<8xi64> {
  %t = memref.alloc() : memref<8xi64>
  linalg.map { arith.addi } ins(%a, %a : memref<8xi64>, memref<8xi64>) outs(%t : memref<8xi64>)
  memref.dealloc %a : memref<8xi64>
  return %t : memref<8xi64>
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %b = call @consume(%a) : (memref<8xi64>) -> memref<8xi64>
  %c = call @consume(%b) : (memref<8xi64>) -> memref<8xi64>
  %d = call @consume(%c) : (memref<8xi64>) -> memref<8xi64>
  %s1 = memref.load %d[%c0] : memref<8xi64>
  vector.print %s1 : i64
  memref.dealloc %d : memref<8xi64>
  return
}
