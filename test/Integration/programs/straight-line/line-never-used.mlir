// An allocation without any access, freed or not.
//
// CHECK: arena @main: naive=192 others=64
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<8xi64>
  %unused = memref.alloc() : memref<8xi64>
  %unused2 = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %s1 = memref.load %a[%c0] : memref<8xi64>
  vector.print %s1 : i64
  memref.dealloc %unused : memref<8xi64>
  return
}
