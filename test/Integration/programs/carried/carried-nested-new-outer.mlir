// The outer loop makes a new buffer, the inner loop replaces it.
//
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %k1 = arith.constant 1 : i64
  %k100 = arith.constant 100 : i64
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%z = %c0) -> (index) {
    %a = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k100 : i64) outs(%a : memref<8xi64>)
    %s = scf.for %j = %c0 to %c3 step %c1 iter_args(%q = %a) -> (memref<8xi64>) {
      %n = memref.alloc() : memref<8xi64>
      linalg.fill ins(%k1 : i64) outs(%n : memref<8xi64>)
      linalg.map { arith.addi } ins(%n, %q : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
      scf.yield %n : memref<8xi64>
    }
    %s1 = memref.load %s[%c0] : memref<8xi64>
    vector.print %s1 : i64
    scf.yield %z : index
  }
  return
}
