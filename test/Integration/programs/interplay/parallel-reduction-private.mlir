// scf.parallel with scf.reduce of a value from a private buffer.
//
// %t and %u for each of four workers: 512 bytes.
// CHECK: arena @main: naive=512 others=512
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %k0 = arith.constant 0 : i64
  %s = scf.parallel (%i) = (%c0) to (%c4) step (%c1) init (%k0) -> i64 {
    %t = memref.alloc() : memref<8xi64>
    %u = memref.alloc() : memref<8xi64>
    %iv = arith.index_cast %i : index to i64
    linalg.fill ins(%iv : i64) outs(%t : memref<8xi64>)
    linalg.map { arith.addi } ins(%t, %t : memref<8xi64>, memref<8xi64>) outs(%u : memref<8xi64>)
    %e = memref.load %u[%i] : memref<8xi64>
    scf.reduce(%e : i64) {
    ^bb0(%l: i64, %r: i64):
      %z = arith.addi %l, %r : i64
      scf.reduce.return %z : i64
    }
  }
  vector.print %s : i64
  return
}
