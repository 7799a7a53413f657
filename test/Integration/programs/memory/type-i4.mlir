// i4 takes a byte for each element.
//
// CHECK: arena @main: naive=72 others=72
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : index
  %i4_1 = arith.constant 1 : i4
  %i4_2 = arith.constant 2 : i4
  %a = memref.alloc() : memref<8xi4>
  %b = memref.alloc() : memref<8xi4>
  linalg.fill ins(%i4_1 : i4) outs(%a : memref<8xi4>)
  linalg.fill ins(%i4_2 : i4) outs(%b : memref<8xi4>)
  %x = memref.load %a[%c7] : memref<8xi4>
  %y = arith.extui %x : i4 to i64
  vector.print %y : i64
  %z = memref.load %b[%c0] : memref<8xi4>
  %w = arith.extui %z : i4 to i64
  vector.print %w : i64
  return
}
