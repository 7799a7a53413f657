// The result of a loop with a carried buffer is read in a forall after the
// loop, and then written.
//
// Two alternating slots and four frames at a distance of 64 bytes: 384.
// CHECK: arena @main: naive=384 others=384
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %a, %s = %k0) -> (memref<8xi64>, i64) {
    %n = memref.alloc() : memref<8xi64>
    scf.forall (%j) in (4) {
      %t = memref.alloc() : memref<1xi64>
      %v = memref.load %x[%j] : memref<8xi64>
      memref.store %v, %t[%c0] : memref<1xi64>
      %w = memref.load %t[%c0] : memref<1xi64>
      %z = arith.addi %w, %v : i64
      memref.store %z, %n[%j] : memref<8xi64>
    }
    %v = memref.load %x[%c0] : memref<8xi64>
    %s1 = arith.addi %s, %v : i64
    scf.yield %n, %s1 : memref<8xi64>, i64
  }
  %pr1 = memref.load %r#0[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  vector.print %r#1 : i64
  return
}
