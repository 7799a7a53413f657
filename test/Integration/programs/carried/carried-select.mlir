// The next iteration gets one of two buffers by a select.
//
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%p = %a) -> (memref<8xi64>) {
    %s1 = memref.load %p[%c0] : memref<8xi64>
    vector.print %s1 : i64
    %x = arith.index_cast %i : index to i64
    %odd = arith.trunci %x : i64 to i1
    %n = arith.select %odd, %a, %b : memref<8xi64>
    scf.yield %n : memref<8xi64>
  }
  %s2 = memref.load %r[%c0] : memref<8xi64>
  vector.print %s2 : i64
  return
}
