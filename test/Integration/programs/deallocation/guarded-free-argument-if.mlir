// PROGRAM: plain
// PROGRAM: deallocate
// PROGRAM: deallocate scope=module entry-points=main --check-prefix=TREE
//
// A conditional yields a new buffer or the argument. After the deallocation
// pipeline the buffer is freed under the condition of the conditional.
//
// The buffer that is computed from the argument.
// CHECK: arena @net: naive=64 others=64
// The passed buffer, and the copy of the result.
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left
// Both, and the frame of @net while they are live.
// TREE: arena @main: naive=256 others=192
// TREE-NOT: left

func.func @net(%x0: memref<8xi64>, %c: i1, %o: memref<8xi64>) {
  %r = scf.if %c -> (memref<8xi64>) {
    %t = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%x0, %x0 : memref<8xi64>, memref<8xi64>) outs(%t : memref<8xi64>)
    scf.yield %t : memref<8xi64>
  } else {
    scf.yield %x0 : memref<8xi64>
  }
  memref.copy %r, %o : memref<8xi64> to memref<8xi64>
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %true = arith.constant true
  %false = arith.constant false
  %x0 = memref.alloc() : memref<8xi64>
  %o = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%x0 : memref<8xi64>)
  call @net(%x0, %true, %o) : (memref<8xi64>, i1, memref<8xi64>) -> ()
  %pr1 = memref.load %o[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  call @net(%x0, %false, %o) : (memref<8xi64>, i1, memref<8xi64>) -> ()
  %pr2 = memref.load %o[%c0] : memref<8xi64>
  vector.print %pr2 : i64
  return
}
