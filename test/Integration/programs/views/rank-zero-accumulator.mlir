// An accumulator in a rank-0 buffer, which each iteration updates.
//
// By size, the 8 bytes follow the 64; by time, the 64 begin at the next
// multiple of the alignment.
// CHECK: arena @main: naive=128 linear-scan=128 greedy=72 greedy-by-breadth=72 best-fit=128 auto=72
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k0 = arith.constant 0 : i64
  %k2 = arith.constant 2 : i64
  %acc = memref.alloc() : memref<i64>
  linalg.fill ins(%k0 : i64) outs(%acc : memref<i64>)
  scf.for %i = %c0 to %c3 step %c1 {
    %t = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k2 : i64) outs(%t : memref<8xi64>)
    %x = memref.load %t[%c0] : memref<8xi64>
    %y = memref.load %acc[] : memref<i64>
    %z = arith.addi %x, %y : i64
    memref.store %z, %acc[] : memref<i64>
  }
  %s1 = memref.load %acc[] : memref<i64>
  vector.print %s1 : i64
  return
}
