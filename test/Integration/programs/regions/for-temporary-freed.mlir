// As for-temporary.mlir, with the deallocation in the loop body.
//
// CHECK: arena @main: naive=128 others=64
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k9 = arith.constant 9 : i64
  scf.for %i = %c0 to %c3 step %c1 {
    %t = memref.alloc() : memref<8xi64>
    %x = arith.index_cast %i : index to i64
    linalg.fill ins(%x : i64) outs(%t : memref<8xi64>)
    %s1 = memref.load %t[%c0] : memref<8xi64>
    vector.print %s1 : i64
    memref.dealloc %t : memref<8xi64>
  }
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k9 : i64) outs(%a : memref<8xi64>)
  %s2 = memref.load %a[%c0] : memref<8xi64>
  vector.print %s2 : i64
  return
}
