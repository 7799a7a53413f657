// A view of the new buffer is carried, not the buffer itself.
//
// CHECK: arena @main: naive=256 others=256
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<16xi64>
  linalg.fill ins(%k0 : i64) outs(%a : memref<16xi64>)
  %v = memref.subview %a[4] [8] [1] : memref<16xi64> to memref<8xi64, strided<[1], offset: 4>>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%p = %v) -> (memref<8xi64, strided<[1], offset: 4>>) {
    %n = memref.alloc() : memref<16xi64>
    linalg.fill ins(%k1 : i64) outs(%n : memref<16xi64>)
    %w = memref.subview %n[4] [8] [1] : memref<16xi64> to memref<8xi64, strided<[1], offset: 4>>
    linalg.map { arith.addi } ins(%w, %p : memref<8xi64, strided<[1], offset: 4>>, memref<8xi64, strided<[1], offset: 4>>) outs(%w : memref<8xi64, strided<[1], offset: 4>>)
    scf.yield %w : memref<8xi64, strided<[1], offset: 4>>
  }
  %s1 = memref.load %r[%c0] : memref<8xi64, strided<[1], offset: 4>>
  vector.print %s1 : i64
  return
}
