// Returned to a public caller: it remains an allocation.
//
// CHECK: arena @make: naive=64 others=64
// 64 bytes are live at one time, so no plan is smaller.
// CHECK: arena @main: naive=64 others=64
// CHECK: left @make: 1

func.func @make() -> memref<8xi64> {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %t = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%t : memref<8xi64>)
  %r = memref.alloc() : memref<8xi64>
  linalg.map { arith.addi } ins(%t, %t : memref<8xi64>, memref<8xi64>) outs(%r : memref<8xi64>)
  memref.store %k1, %r[%c0] : memref<8xi64>
  return %r : memref<8xi64>
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %k2 = arith.constant 2 : i64
  %r = call @make() : () -> memref<8xi64>
  %s1 = memref.load %r[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  %s2 = memref.load %b[%c0] : memref<8xi64>
  vector.print %s2 : i64
  return
}
