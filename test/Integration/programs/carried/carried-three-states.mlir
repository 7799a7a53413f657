// The step of an optimizer: three states, which are replaced by new ones one
// after the other. The states have four slots, one of them free in turn, and
// the temporaries one more: five buffers are live at once.
//
// CHECK: arena @main: naive=384 others=320
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k0 = arith.constant 0 : i64
  %k9 = arith.constant 9 : i64
  %x0 = memref.alloc() : memref<8xi64>
  %m0 = memref.alloc() : memref<8xi64>
  %v0 = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k9 : i64) outs(%x0 : memref<8xi64>)
  linalg.fill ins(%k0 : i64) outs(%m0 : memref<8xi64>)
  linalg.fill ins(%k0 : i64) outs(%v0 : memref<8xi64>)
  %r:3 = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %x0, %m = %m0, %v = %v0) -> (memref<8xi64>, memref<8xi64>, memref<8xi64>) {
    %m1 = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%m, %x : memref<8xi64>, memref<8xi64>) outs(%m1 : memref<8xi64>)
    memref.dealloc %m : memref<8xi64>
    %sq = memref.alloc() : memref<8xi64>
    %v1 = memref.alloc() : memref<8xi64>
    linalg.map { arith.muli } ins(%x, %x : memref<8xi64>, memref<8xi64>) outs(%sq : memref<8xi64>)
    linalg.map { arith.addi } ins(%v, %sq : memref<8xi64>, memref<8xi64>) outs(%v1 : memref<8xi64>)
    memref.dealloc %v : memref<8xi64>
    memref.dealloc %sq : memref<8xi64>
    %u = memref.alloc() : memref<8xi64>
    %x1 = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%m1, %v1 : memref<8xi64>, memref<8xi64>) outs(%u : memref<8xi64>)
    linalg.map { arith.subi } ins(%x, %u : memref<8xi64>, memref<8xi64>) outs(%x1 : memref<8xi64>)
    memref.dealloc %x : memref<8xi64>
    memref.dealloc %u : memref<8xi64>
    scf.yield %x1, %m1, %v1 : memref<8xi64>, memref<8xi64>, memref<8xi64>
  }
  %pr1 = memref.load %r#0[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  %pr2 = memref.load %r#1[%c0] : memref<8xi64>
  vector.print %pr2 : i64
  %pr3 = memref.load %r#2[%c0] : memref<8xi64>
  vector.print %pr3 : i64
  memref.dealloc %r#0 : memref<8xi64>
  memref.dealloc %r#1 : memref<8xi64>
  memref.dealloc %r#2 : memref<8xi64>
  return
}
