// A global is not planned; it is the source and the target of copies.
//
// CHECK: arena @main: naive=64 others=64
// CHECK-NOT: left

memref.global "private" @g : memref<8xi64> = dense<5>
func.func @main() {
  %c0 = arith.constant 0 : index
  %k6 = arith.constant 6 : i64
  %g = memref.get_global @g : memref<8xi64>
  %a = memref.alloc() : memref<8xi64>
  memref.copy %g, %a : memref<8xi64> to memref<8xi64>
  %s1 = memref.load %a[%c0] : memref<8xi64>
  vector.print %s1 : i64
  linalg.fill ins(%k6 : i64) outs(%a : memref<8xi64>)
  memref.copy %a, %g : memref<8xi64> to memref<8xi64>
  %s2 = memref.load %g[%c0] : memref<8xi64>
  vector.print %s2 : i64
  return
}
