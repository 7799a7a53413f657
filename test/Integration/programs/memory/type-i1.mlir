// i1 takes a byte for each element: 72 of them need 72 bytes.
//
// CHECK: arena @main: naive=200 others=200
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %i1_0 = arith.constant false
  %i1_1 = arith.constant true
  %a = memref.alloc() : memref<72xi1>
  %b = memref.alloc() : memref<72xi1>
  linalg.fill ins(%i1_1 : i1) outs(%a : memref<72xi1>)
  linalg.fill ins(%i1_0 : i1) outs(%b : memref<72xi1>)
  %s1 = memref.load %a[%c0] : memref<72xi1>
  vector.print %s1 : i1
  %s2 = memref.load %b[%c0] : memref<72xi1>
  vector.print %s2 : i1
  return
}
