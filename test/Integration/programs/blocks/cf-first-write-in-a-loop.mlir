// Loops lowered to blocks: each buffer is first written in a block after that of
// its allocation.
//
// CHECK: {{[0-9]+}}
// Two are live at once.
// CHECK: arena @main: naive=192 others=128
// CHECK-NOT: left

module {
  func.func @main() {
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c0 = arith.constant 0 : index
    %c1_i64 = arith.constant 1 : i64
    %alloc = memref.alloc() : memref<8xi64>
    %alloc_0 = memref.alloc() : memref<8xi64>
    %alloc_1 = memref.alloc() : memref<8xi64>
    cf.br ^bb1(%c0 : index)
  ^bb1(%0: index):  // 2 preds: ^bb0, ^bb2
    %1 = arith.cmpi slt, %0, %c8 : index
    cf.cond_br %1, ^bb2, ^bb3
  ^bb2:  // pred: ^bb1
    memref.store %c1_i64, %alloc[%0] : memref<8xi64>
    %2 = arith.addi %0, %c1 : index
    cf.br ^bb1(%2 : index)
  ^bb3:  // pred: ^bb1
    cf.br ^bb4(%c0 : index)
  ^bb4(%3: index):  // 2 preds: ^bb3, ^bb5
    %4 = arith.cmpi slt, %3, %c8 : index
    cf.cond_br %4, ^bb5, ^bb6
  ^bb5:  // pred: ^bb4
    %5 = memref.load %alloc[%3] : memref<8xi64>
    %6 = memref.load %alloc[%3] : memref<8xi64>
    %7 = arith.addi %5, %6 : i64
    memref.store %7, %alloc_0[%3] : memref<8xi64>
    %8 = arith.addi %3, %c1 : index
    cf.br ^bb4(%8 : index)
  ^bb6:  // pred: ^bb4
    cf.br ^bb7(%c0 : index)
  ^bb7(%9: index):  // 2 preds: ^bb6, ^bb8
    %10 = arith.cmpi slt, %9, %c8 : index
    cf.cond_br %10, ^bb8, ^bb9
  ^bb8:  // pred: ^bb7
    %11 = memref.load %alloc_0[%9] : memref<8xi64>
    %12 = memref.load %alloc_0[%9] : memref<8xi64>
    %13 = arith.addi %11, %12 : i64
    memref.store %13, %alloc_1[%9] : memref<8xi64>
    %14 = arith.addi %9, %c1 : index
    cf.br ^bb7(%14 : index)
  ^bb9:  // pred: ^bb7
    %15 = memref.load %alloc_1[%c0] : memref<8xi64>
    vector.print %15 : i64
    return
  }
}
