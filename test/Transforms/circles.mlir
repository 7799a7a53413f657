// The ops of a block that control never reaches may depend on each other.
// REQUIRES: opgraph
// RUN: split-file %s %t
// RUN: not memplan-opt %t/view.mlir --plan-memory 2>&1 | FileCheck %t/view.mlir
// RUN: not memplan-opt %t/view.mlir --memplan-extract 2>&1 | FileCheck %t/view.mlir
// RUN: not memplan-test-opt %t/view.mlir --memplan-sink-fills 2>&1 | FileCheck %t/view.mlir
// RUN: not memplan-opt %t/view.mlir --memplan-assign-spaces=capacity=512 2>&1 | FileCheck %t/view.mlir
// RUN: not memplan-opt %t/view.mlir --memplan-fit=budget=50%% 2>&1 | FileCheck %t/view.mlir
// RUN: not memplan-opt %t/size.mlir --memplan-profile 2>&1 | FileCheck %t/size.mlir
// RUN: not memplan-opt %t/size.mlir --memplan-cost 2>&1 | FileCheck %t/size.mlir
// RUN: memplan-opt %t/loop.mlir --plan-memory | FileCheck %t/loop.mlir

//--- view.mlir
func.func @view(%m: memref<?xf32>, %k: f32) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%k : f32) outs(%a : memref<8xf32>)
  memref.dealloc %a : memref<8xf32>
  return
^unreachable:
  // CHECK: :[[@LINE+1]]:{{.*}}error: 'memref.cast' op depends on itself, in a block that control never reaches; --canonicalize removes the block
  %x = memref.cast %y : memref<?xf32> to memref<?xf32, strided<[?], offset: ?>>
  %y = memref.cast %x : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32>
  memref.store %k, %y[%c0] : memref<?xf32>
  cf.br ^unreachable
}

//--- size.mlir
func.func @size(%n: index, %k: f32) {
  return
^unreachable:
  // CHECK: error: 'arith.addi' op depends on itself
  %x = arith.addi %y, %n : index
  %y = arith.addi %x, %n : index
  %e = memref.alloc(%x) : memref<?xf32>
  linalg.fill ins(%k : f32) outs(%e : memref<?xf32>)
  cf.br ^unreachable
}

// No circle: what a loop carries is an argument.
//--- loop.mlir
// CHECK: cf.br
func.func @loop(%n: index, %k: f32, %m: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%k : f32) outs(%a : memref<8xf32>)
  memref.copy %a, %m : memref<8xf32> to memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  return
^unreachable(%x: index):
  %y = arith.addi %x, %n : index
  cf.br ^unreachable(%y : index)
}
