// PROGRAM: deallocate
// PROGRAM: deallocate scope=module entry-points=main
//
// The sizes of the callee's buffers follow from its arguments. Its raised
// deallocations never free its arguments, so the buffers of its caller are
// planned.
//
// CHECK: arena @net: naive=any others=any
// 192 bytes are live at one time, so no plan is smaller.
// CHECK: arena @main: naive=192 others=192

func.func private @net(%x0: memref<?xi64>, %y0: memref<?xi64>, %n: index, %o: memref<8xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = memref.dim %x0, %c0 : memref<?xi64>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %x0, %y = %y0) -> (memref<?xi64>, memref<?xi64>) {
    %t = memref.alloc(%c8) : memref<?xi64>
    %u = memref.alloc(%c8) : memref<?xi64>
    memref.copy %x, %t : memref<?xi64> to memref<?xi64>
    memref.copy %y, %u : memref<?xi64> to memref<?xi64>
    scf.yield %t, %u : memref<?xi64>, memref<?xi64>
  }
  %v = memref.load %r#0[%c1] : memref<?xi64>
  %w = memref.load %r#1[%c1] : memref<?xi64>
  %z = arith.addi %v, %w : i64
  linalg.fill ins(%z : i64) outs(%o : memref<8xi64>)
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %k1 = arith.constant 1 : i64
  %x = memref.alloc() : memref<8xi64>
  %y = memref.alloc() : memref<8xi64>
  %o = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%x : memref<8xi64>)
  linalg.fill ins(%k1 : i64) outs(%y : memref<8xi64>)
  %xd = memref.cast %x : memref<8xi64> to memref<?xi64>
  %yd = memref.cast %y : memref<8xi64> to memref<?xi64>
  call @net(%xd, %yd, %c3, %o) : (memref<?xi64>, memref<?xi64>, index, memref<8xi64>) -> ()
  %p = memref.load %o[%c0] : memref<8xi64>
  vector.print %p : i64
  return
}
