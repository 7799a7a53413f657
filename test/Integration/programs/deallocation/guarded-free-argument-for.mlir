// PROGRAM: plain
// PROGRAM: deallocate
// PROGRAM: deallocate scope=module entry-points=main --check-prefix=TREE
//
// A loop starts with the function's argument and continues with new buffers.
// After the deallocation pipeline an i1 with the buffer tells whether it may be
// freed: never the argument.
//
// The buffers of the previous and of this iteration.
// CHECK: arena @net: naive=128 others=128
// The passed buffer, and the copy of the result.
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left
// Both, and the frame of @net while they are live.
// TREE: arena @main: naive=384 others=256
// TREE-NOT: left

func.func @net(%x0: memref<8xi64>, %n: index, %o: memref<8xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %x0) -> (memref<8xi64>) {
    %t = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%x, %x : memref<8xi64>, memref<8xi64>) outs(%t : memref<8xi64>)
    scf.yield %t : memref<8xi64>
  }
  memref.copy %r, %o : memref<8xi64> to memref<8xi64>
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %k1 = arith.constant 1 : i64
  %x0 = memref.alloc() : memref<8xi64>
  %o = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%x0 : memref<8xi64>)
  call @net(%x0, %c3, %o) : (memref<8xi64>, index, memref<8xi64>) -> ()
  %pr1 = memref.load %o[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  call @net(%x0, %c0, %o) : (memref<8xi64>, index, memref<8xi64>) -> ()
  %pr2 = memref.load %o[%c0] : memref<8xi64>
  vector.print %pr2 : i64
  return
}
