// scf.forall with private scratch in each iteration of a loop that exchanges
// two carried buffers.
//
// Two alternating buffers and 64 bytes for each of two workers: 256.
// CHECK: arena @main: naive=256 others=256
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %k1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %r:2 = scf.for %t = %c0 to %c3 step %c1 iter_args(%p = %a, %q = %b) -> (memref<8xi64>, memref<8xi64>) {
    scf.forall (%i) in (2) {
      %s = memref.alloc() : memref<8xi64>
      linalg.map { arith.addi } ins(%p, %p : memref<8xi64>, memref<8xi64>) outs(%s : memref<8xi64>)
      %lo = arith.muli %i, %c4 : index
      %sv = memref.subview %s[%lo] [4] [1] : memref<8xi64> to memref<4xi64, strided<[1], offset: ?>>
      %dv = memref.subview %q[%lo] [4] [1] : memref<8xi64> to memref<4xi64, strided<[1], offset: ?>>
      memref.copy %sv, %dv : memref<4xi64, strided<[1], offset: ?>> to memref<4xi64, strided<[1], offset: ?>>
    }
    scf.yield %q, %p : memref<8xi64>, memref<8xi64>
  }
  %s1 = memref.load %r#0[%c0] : memref<8xi64>
  vector.print %s1 : i64
  return
}
