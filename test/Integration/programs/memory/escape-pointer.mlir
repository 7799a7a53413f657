// The address is taken as a number and used through it.
//
// 64 bytes are live at one time, so no plan is smaller.
// CHECK: arena @main: naive=64 others=64
// Not planned: it has its pointer taken by 'memref.extract_aligned_pointer_as_index'.
// CHECK: left @main: 1

func.func @main() {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %p = memref.extract_aligned_pointer_as_index %a : memref<8xi64> -> index
  %i = arith.index_cast %p : index to i64
  %ptr = llvm.inttoptr %i : i64 to !llvm.ptr
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  %x = llvm.load %ptr : !llvm.ptr -> i64
  vector.print %x : i64
  %s1 = memref.load %b[%c0] : memref<8xi64>
  vector.print %s1 : i64
  return
}
