// index is eight bytes.
//
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %index_3 = arith.constant 3 : index
  %index_4 = arith.constant 4 : index
  %a = memref.alloc() : memref<8xindex>
  %b = memref.alloc() : memref<8xindex>
  linalg.fill ins(%index_3 : index) outs(%a : memref<8xindex>)
  linalg.fill ins(%index_4 : index) outs(%b : memref<8xindex>)
  %s1 = memref.load %a[%c0] : memref<8xindex>
  vector.print %s1 : index
  %s2 = memref.load %b[%c0] : memref<8xindex>
  vector.print %s2 : index
  return
}
