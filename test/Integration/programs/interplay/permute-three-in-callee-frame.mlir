// PROGRAM: scope=module entry-points=main
//
// Three buffers permuted by a for loop of 3 iterations in a callee.
//
// %q and %o, and three slots in the frame of @f: 320 bytes.
// CHECK: arena @main: naive=512 others=320
// CHECK-NOT: left

func.func private @f(%in: memref<8xi64>, %out: memref<8xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %a = memref.alloc() : memref<8xi64>
  memref.copy %in, %a : memref<8xi64> to memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  memref.copy %in, %b : memref<8xi64> to memref<8xi64>
  %c = memref.alloc() : memref<8xi64>
  memref.copy %in, %c : memref<8xi64> to memref<8xi64>
  %r:3 = scf.for %ri = %c0 to %c3 step %c1 iter_args(%rx0 = %a, %rx1 = %b, %rx2 = %c) -> (memref<8xi64>, memref<8xi64>, memref<8xi64>) {
    linalg.map { arith.addi } ins(%rx0, %rx2 : memref<8xi64>, memref<8xi64>) outs(%rx0 : memref<8xi64>)
    scf.yield %rx1, %rx2, %rx0 : memref<8xi64>, memref<8xi64>, memref<8xi64>
  }
  linalg.map { arith.addi } ins(%r#0, %out : memref<8xi64>, memref<8xi64>) outs(%out : memref<8xi64>)
  linalg.map { arith.addi } ins(%r#1, %out : memref<8xi64>, memref<8xi64>) outs(%out : memref<8xi64>)
  linalg.map { arith.addi } ins(%r#2, %out : memref<8xi64>, memref<8xi64>) outs(%out : memref<8xi64>)
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %k0 = arith.constant 0 : i64
  %k3 = arith.constant 3 : i64
  %q = memref.alloc() : memref<8xi64>
  %o = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k3 : i64) outs(%q : memref<8xi64>)
  linalg.fill ins(%k0 : i64) outs(%o : memref<8xi64>)
  call @f(%q, %o) : (memref<8xi64>, memref<8xi64>) -> ()
  call @f(%o, %q) : (memref<8xi64>, memref<8xi64>) -> ()
  %pr1 = memref.load %q[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  %pr2 = memref.load %o[%c0] : memref<8xi64>
  vector.print %pr2 : i64
  return
}
