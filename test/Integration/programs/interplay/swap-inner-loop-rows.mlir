// Dynamic programming: the previous and the current row are exchanged; the
// inner loop is nested.
//
// The input and two rows: 192 bytes.
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %k0 = arith.constant 0 : i64
  %k3 = arith.constant 3 : i64
  %in = memref.alloc() : memref<8xi64>
  %prev = memref.alloc() : memref<8xi64>
  %cur = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k3 : i64) outs(%in : memref<8xi64>)
  linalg.fill ins(%k0 : i64) outs(%prev : memref<8xi64>)
  %r:2 = scf.for %i = %c0 to %c6 step %c1 iter_args(%p = %prev, %c = %cur) -> (memref<8xi64>, memref<8xi64>) {
    %z = memref.load %p[%c0] : memref<8xi64>
    memref.store %z, %c[%c0] : memref<8xi64>
    scf.for %j = %c1 to %c8 step %c1 {
      %jm = arith.subi %j, %c1 : index
      %a = memref.load %p[%j] : memref<8xi64>
      %b = memref.load %c[%jm] : memref<8xi64>
      %x = memref.load %in[%j] : memref<8xi64>
      %m = arith.maxsi %a, %b : i64
      %s = arith.addi %m, %x : i64
      memref.store %s, %c[%j] : memref<8xi64>
    }
    scf.yield %c, %p : memref<8xi64>, memref<8xi64>
  }
  %o = memref.load %r#0[%c7] : memref<8xi64>
  vector.print %o : i64
  return
}
