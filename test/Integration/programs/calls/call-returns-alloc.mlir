// The callee returns a new buffer, which its caller frees.
//
// 64 bytes are live at one time, so no plan is smaller.
// CHECK: arena @main: naive=64 others=64
// Not planned: it is returned.
// CHECK: left @make: 1

func.func private @make() -> memref<8xi64> {
  %k5 = arith.constant 5 : i64
  %m = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k5 : i64) outs(%m : memref<8xi64>)
  return %m : memref<8xi64>
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %k2 = arith.constant 2 : i64
  %r = call @make() : () -> memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  %s1 = memref.load %r[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %s2 = memref.load %b[%c0] : memref<8xi64>
  vector.print %s2 : i64
  memref.dealloc %r : memref<8xi64>
  return
}
