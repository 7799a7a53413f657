// A buffer is replaced in each iteration of an outer loop; in a forall in it,
// each worker replaces a private buffer and reads the outer one.
//
// 128 bytes outside, and 128 for each of two workers: 384.
// CHECK: arena @main: naive=384 others=384
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %k1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%p = %a) -> (memref<8xi64>) {
    %n = memref.alloc() : memref<8xi64>
    scf.forall (%w) in (2) {
      %z = memref.alloc() : memref<8xi64>
      memref.copy %p, %z : memref<8xi64> to memref<8xi64>
      %q = scf.for %j = %c0 to %c2 step %c1 iter_args(%s = %z) -> (memref<8xi64>) {
        %m = memref.alloc() : memref<8xi64>
        linalg.map { arith.addi } ins(%s, %p : memref<8xi64>, memref<8xi64>) outs(%m : memref<8xi64>)
        scf.yield %m : memref<8xi64>
      }
      %lo = arith.muli %w, %c4 : index
      %sv = memref.subview %q[%lo] [4] [1] : memref<8xi64> to memref<4xi64, strided<[1], offset: ?>>
      %dv = memref.subview %n[%lo] [4] [1] : memref<8xi64> to memref<4xi64, strided<[1], offset: ?>>
      memref.copy %sv, %dv : memref<4xi64, strided<[1], offset: ?>> to memref<4xi64, strided<[1], offset: ?>>
    }
    scf.yield %n : memref<8xi64>
  }
  %pr1 = memref.load %r[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  return
}
