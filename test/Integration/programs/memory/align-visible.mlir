// The program checks that its requested alignment is kept.
//
// 64 bytes are live at one time, so no plan is smaller.
// CHECK: arena @main: naive=64 others=64
// Not planned: it has its pointer taken by 'memref.extract_aligned_pointer_as_index'.
// CHECK: left @main: 1

func.func @main() {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() {alignment = 256 : i64} : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  %s1 = memref.load %a[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %p = memref.extract_aligned_pointer_as_index %b : memref<8xi64> -> index
  %q = arith.remui %p, %c256 : index
  %r = arith.cmpi eq, %q, %c0 : index
  scf.if %r {
    %s2 = memref.load %b[%c0] : memref<8xi64>
    vector.print %s2 : i64
  }
  return
}
