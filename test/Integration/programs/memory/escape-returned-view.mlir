// A view of the buffer is returned.
//
// Not planned: it is returned.
// CHECK: left @make: 1

func.func @make() -> memref<4xi64, strided<[1], offset: 4>> {
  %k1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %v = memref.subview %a[4] [4] [1] : memref<8xi64> to memref<4xi64, strided<[1], offset: 4>>
  return %v : memref<4xi64, strided<[1], offset: 4>>
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %r = call @make() : () -> memref<4xi64, strided<[1], offset: 4>>
  %s1 = memref.load %r[%c0] : memref<4xi64, strided<[1], offset: 4>>
  vector.print %s1 : i64
  return
}
