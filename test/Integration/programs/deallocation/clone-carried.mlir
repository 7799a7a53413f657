// PROGRAM: raise
//
// Each iteration clones its carried buffer, changes the clone and frees the
// original. One slot would not suffice, as both are live at the addition.
//
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %a) -> (memref<8xi64>) {
    %b = bufferization.clone %x : memref<8xi64> to memref<8xi64>
    linalg.map { arith.addi } ins(%x, %b : memref<8xi64>, memref<8xi64>) outs(%b : memref<8xi64>)
    memref.dealloc %x : memref<8xi64>
    scf.yield %b : memref<8xi64>
  }
  %s = memref.load %r[%c0] : memref<8xi64>
  vector.print %s : i64
  memref.dealloc %r : memref<8xi64>
  return
}
