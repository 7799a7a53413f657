// PROGRAM: scope=module
//
// The frames of a callee's workers are in its frame, which is in the arena of
// its caller, in the bytes of %x, which is dead by then.
//
// 64 bytes of %o, and 3 workers of 64 bytes.
// CHECK: arena @main: naive=320 others=256
// CHECK-NOT: left

func.func private @fill(%o: memref<8xi64>, %k: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.parallel (%i) = (%c0) to (%c3) step (%c1) {
    %t = memref.alloc() : memref<8xi64>
    %x = arith.index_cast %i : index to i64
    %y = arith.addi %x, %k : i64
    linalg.fill ins(%y : i64) outs(%t : memref<8xi64>)
    %z = memref.load %t[%i] : memref<8xi64>
    memref.store %z, %o[%i] : memref<8xi64>
  }
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k7 = arith.constant 7 : i64
  %x = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k7 : i64) outs(%x : memref<8xi64>)
  %k = memref.load %x[%c0] : memref<8xi64>
  %o = memref.alloc() : memref<8xi64>
  call @fill(%o, %k) : (memref<8xi64>, i64) -> ()
  scf.for %p = %c0 to %c3 step %c1 {
    %q = memref.load %o[%p] : memref<8xi64>
    vector.print %q : i64
  }
  return
}
