// An alignment below the default does not lower it.
//
// CHECK: arena @main: naive=68 others=68
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %i8_1 = arith.constant 1 : i8
  %i8_2 = arith.constant 2 : i8
  %a = memref.alloc() {alignment = 1 : i64} : memref<4xi8>
  %b = memref.alloc() {alignment = 2 : i64} : memref<4xi8>
  linalg.fill ins(%i8_1 : i8) outs(%a : memref<4xi8>)
  linalg.fill ins(%i8_2 : i8) outs(%b : memref<4xi8>)
  %s1 = memref.load %a[%c0] : memref<4xi8>
  vector.print %s1 : i8
  %s2 = memref.load %b[%c0] : memref<4xi8>
  vector.print %s2 : i8
  return
}
