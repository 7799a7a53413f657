// PROGRAM: plain
// PROGRAM: deallocate
// PROGRAM: deallocate scope=module entry-points=main --check-prefix=TREE
//
// As guarded-free-argument-for.mlir, through both regions of a scf.while.
//
// The buffers of the previous and of this iteration.
// CHECK: arena @net: naive=128 others=128
// The passed buffer, and the copy of the result.
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left
// Both, and the frame of @net while they are live.
// TREE: arena @main: naive=384 others=256
// TREE-NOT: left

func.func @net(%x0: memref<8xi64>, %n: i64, %o: memref<8xi64>) {
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %r:2 = scf.while (%i = %k0, %p = %x0) : (i64, memref<8xi64>) -> (i64, memref<8xi64>) {
    %c = arith.cmpi slt, %i, %n : i64
    scf.condition(%c) %i, %p : i64, memref<8xi64>
  } do {
  ^bb0(%i: i64, %p: memref<8xi64>):
    %t = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%p, %p : memref<8xi64>, memref<8xi64>) outs(%t : memref<8xi64>)
    %i1 = arith.addi %i, %k1 : i64
    scf.yield %i1, %t : i64, memref<8xi64>
  }
  memref.copy %r#1, %o : memref<8xi64> to memref<8xi64>
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k3 = arith.constant 3 : i64
  %x0 = memref.alloc() : memref<8xi64>
  %o = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%x0 : memref<8xi64>)
  call @net(%x0, %k3, %o) : (memref<8xi64>, i64, memref<8xi64>) -> ()
  %pr1 = memref.load %o[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  call @net(%x0, %k0, %o) : (memref<8xi64>, i64, memref<8xi64>) -> ()
  %pr2 = memref.load %o[%c0] : memref<8xi64>
  vector.print %pr2 : i64
  return
}
