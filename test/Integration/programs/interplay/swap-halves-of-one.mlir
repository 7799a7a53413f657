// A loop exchanges the two halves of one buffer as subviews.
//
// 128 bytes, whose halves are exchanged, and the temporary: 192.
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %k1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<16xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<16xi64>)
  %lo = memref.subview %a[%c0] [8] [1] : memref<16xi64> to memref<8xi64, strided<[1], offset: ?>>
  %hi = memref.subview %a[%c8] [8] [1] : memref<16xi64> to memref<8xi64, strided<[1], offset: ?>>
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %lo, %y = %hi) -> (memref<8xi64, strided<[1], offset: ?>>, memref<8xi64, strided<[1], offset: ?>>) {
    %t = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%x, %y : memref<8xi64, strided<[1], offset: ?>>, memref<8xi64, strided<[1], offset: ?>>) outs(%t : memref<8xi64>)
    memref.copy %t, %x : memref<8xi64> to memref<8xi64, strided<[1], offset: ?>>
    scf.yield %y, %x : memref<8xi64, strided<[1], offset: ?>>, memref<8xi64, strided<[1], offset: ?>>
  }
  %v = memref.load %a[%c0] : memref<16xi64>
  vector.print %v : i64
  %w = memref.load %a[%c8] : memref<16xi64>
  vector.print %w : i64
  return
}
