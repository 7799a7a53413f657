// PROGRAM: --check-prefixes=CHECK,PLAIN
// PROGRAM: deallocate --check-prefixes=CHECK,OWNED
// PROGRAM: deallocate scope=module entry-points=main --check-prefix=TREE
//
// Arguments are exchanged with each other and with a new buffer: after the
// deallocation pipeline one deallocation passes ownership to the next.
//
// Two carried buffers and a new one.
// CHECK: arena @net: naive=192 others=192
// PLAIN: arena @main: naive=192 others=192
// PLAIN-NOT: left
// The results of deallocations of several memrefs are not followed for callers,
// but the plan of @net has removed them.
// OWNED: arena @main: naive=192 others=192
// OWNED-NOT: left
// The three of @main, and the frame of @net; naively one for each call.
// TREE: arena @main: naive=576 others=384
// TREE-NOT: left

func.func @net(%x0: memref<8xi64>, %y0: memref<8xi64>, %n: index, %o: memref<8xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %x0, %y = %y0) -> (memref<8xi64>, memref<8xi64>) {
    %t = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%x, %y : memref<8xi64>, memref<8xi64>) outs(%t : memref<8xi64>)
    scf.yield %y, %t : memref<8xi64>, memref<8xi64>
  }
  linalg.map { arith.addi } ins(%r#0, %r#1 : memref<8xi64>, memref<8xi64>) outs(%o : memref<8xi64>)
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
  call @net(%x, %y, %c3, %o) : (memref<8xi64>, memref<8xi64>, index, memref<8xi64>) -> ()
  %p = memref.load %o[%c0] : memref<8xi64>
  vector.print %p : i64
  call @net(%y, %y, %c0, %o) : (memref<8xi64>, memref<8xi64>, index, memref<8xi64>) -> ()
  %q = memref.load %o[%c0] : memref<8xi64>
  vector.print %q : i64
  return
}
