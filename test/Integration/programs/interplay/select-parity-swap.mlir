// Stages as in an FFT with a doubling span; arith.select exchanges two buffers
// by the parity of the stage.
//
// Two buffers that selects exchange by the parity of the stage: 128 bytes.
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %true = arith.constant true
  %false = arith.constant false
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  scf.for %j = %c0 to %c8 step %c1 {
    %jv = arith.index_cast %j : index to i64
    memref.store %jv, %a[%j] : memref<8xi64>
  }
  %flag = scf.for %st = %c0 to %c3 step %c1 iter_args(%f = %false) -> (i1) {
    %src = arith.select %f, %b, %a : memref<8xi64>
    %dst = arith.select %f, %a, %b : memref<8xi64>
    %sp = arith.shli %c1, %st : index
    scf.for %j = %c0 to %c8 step %c1 {
      %x = arith.xori %j, %sp : index
      %p = memref.load %src[%j] : memref<8xi64>
      %q = memref.load %src[%x] : memref<8xi64>
      %r = arith.addi %p, %q : i64
      memref.store %r, %dst[%j] : memref<8xi64>
    }
    %nf = arith.xori %f, %true : i1
    scf.yield %nf : i1
  }
  %res = arith.select %flag, %b, %a : memref<8xi64>
  %s1 = memref.load %res[%c0] : memref<8xi64>
  vector.print %s1 : i64
  return
}
