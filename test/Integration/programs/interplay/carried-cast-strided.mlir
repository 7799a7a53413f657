// Carried with a strided layout type, as one-shot-bufferize makes with fully
// dynamic layout maps.
//
// Carried with a fully dynamic layout: 128 bytes.
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %k1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %x = memref.cast %a : memref<8xi64> to memref<8xi64, strided<[?], offset: ?>>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %x) -> (memref<8xi64, strided<[?], offset: ?>>) {
    %n = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%p, %p : memref<8xi64, strided<[?], offset: ?>>, memref<8xi64, strided<[?], offset: ?>>) outs(%n : memref<8xi64>)
    %y = memref.cast %n : memref<8xi64> to memref<8xi64, strided<[?], offset: ?>>
    scf.yield %y : memref<8xi64, strided<[?], offset: ?>>
  }
  %pr1 = memref.load %r[%c0] : memref<8xi64, strided<[?], offset: ?>>
  vector.print %pr1 : i64
  return
}
