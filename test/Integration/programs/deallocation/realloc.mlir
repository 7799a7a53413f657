// memref.realloc frees its operand and may move the contents.
//
// 64 bytes are live at one time, so no plan is smaller.
// CHECK: arena @main: naive=64 others=64
// Not planned: it is reallocated.
// CHECK: left @main: 1

func.func @main() {
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k3 = arith.constant 3 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %r = memref.realloc %a : memref<8xi64> to memref<16xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  %l = memref.load %r[%c7] : memref<16xi64>
  vector.print %l : i64
  %s1 = memref.load %b[%c0] : memref<8xi64>
  vector.print %s1 : i64
  linalg.fill ins(%k3 : i64) outs(%r : memref<16xi64>)
  %s2 = memref.load %r[%c0] : memref<16xi64>
  vector.print %s2 : i64
  memref.dealloc %r : memref<16xi64>
  return
}
