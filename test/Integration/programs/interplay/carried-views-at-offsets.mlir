// Subviews at different offsets of one new buffer, carried from alternate
// branches.
//
// The buffers of the carried views: 256 bytes.
// CHECK: arena @main: naive=256 others=256
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %k1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<16xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<16xi64>)
  %v = memref.subview %a[%c4] [8] [1] : memref<16xi64> to memref<8xi64, strided<[1], offset: ?>>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %v) -> (memref<8xi64, strided<[1], offset: ?>>) {
    %n = memref.alloc() : memref<16xi64>
    %w = memref.subview %n[%i] [8] [1] : memref<16xi64> to memref<8xi64, strided<[1], offset: ?>>
    linalg.map { arith.addi } ins(%p, %p : memref<8xi64, strided<[1], offset: ?>>, memref<8xi64, strided<[1], offset: ?>>) outs(%w : memref<8xi64, strided<[1], offset: ?>>)
    scf.yield %w : memref<8xi64, strided<[1], offset: ?>>
  }
  %pr1 = memref.load %r[%c0] : memref<8xi64, strided<[1], offset: ?>>
  vector.print %pr1 : i64
  return
}
