// The output of promote-buffers-to-stack: carried buffers that start with
// allocas.
//
// Three carried buffers and a new one.
// CHECK: arena @main: naive=256 others=256
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k3 = arith.constant 3 : i64
  %a = memref.alloca() : memref<8xi64>
  %b = memref.alloca() : memref<8xi64>
  %c = memref.alloca() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  linalg.fill ins(%k3 : i64) outs(%c : memref<8xi64>)
  %r:3 = scf.for %i = %c0 to %c5 step %c1 iter_args(%p = %a, %q = %b, %s = %c) -> (memref<8xi64>, memref<8xi64>, memref<8xi64>) {
    %n = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%p, %q : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
    linalg.map { arith.addi } ins(%n, %s : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
    scf.yield %q, %s, %n : memref<8xi64>, memref<8xi64>, memref<8xi64>
  }
  %v = memref.load %r#0[%c0] : memref<8xi64>
  vector.print %v : i64
  return
}
