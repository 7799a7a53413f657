// Only some iterations replace the buffer.
//
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %k1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %a) -> (memref<8xi64>) {
    %x = arith.index_cast %i : index to i64
    %odd = arith.trunci %x : i64 to i1
    %n = scf.if %odd -> (memref<8xi64>) {
      %f = memref.alloc() : memref<8xi64>
      linalg.fill ins(%k1 : i64) outs(%f : memref<8xi64>)
      linalg.map { arith.addi } ins(%f, %p : memref<8xi64>, memref<8xi64>) outs(%f : memref<8xi64>)
      scf.yield %f : memref<8xi64>
    } else {
      scf.yield %p : memref<8xi64>
    }
    scf.yield %n : memref<8xi64>
  }
  %s1 = memref.load %r[%c0] : memref<8xi64>
  vector.print %s1 : i64
  return
}
