// A growing vector: a carried dynamic memref that a loop reallocates, with a
// static initial value.
//
// The reallocated buffer is not planned; %n and %t are: 128 bytes.
// CHECK: arena @main: naive=128 others=128
// CHECK: left @main: 1

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<1xi64>
  memref.store %k1, %a[%c0] : memref<1xi64>
  %x = memref.cast %a : memref<1xi64> to memref<?xi64>
  %n = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k0 : i64) outs(%n : memref<8xi64>)
  %r = scf.for %i = %c1 to %c5 step %c1 iter_args(%p = %x) -> (memref<?xi64>) {
    %sz = arith.addi %i, %c1 : index
    %q = memref.realloc %p(%sz) : memref<?xi64> to memref<?xi64>
    %iv = arith.index_cast %i : index to i64
    memref.store %iv, %q[%i] : memref<?xi64>
    %t = memref.alloc() : memref<8xi64>
    linalg.fill ins(%iv : i64) outs(%t : memref<8xi64>)
    linalg.map { arith.addi } ins(%n, %t : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
    scf.yield %q : memref<?xi64>
  }
  %e = memref.load %r[%c4] : memref<?xi64>
  vector.print %e : i64
  %pr1 = memref.load %n[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  memref.dealloc %r : memref<?xi64>
  return
}
