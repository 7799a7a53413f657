// Modules and functions with nothing to plan, or without a point at which to
// free an arena.

// RUN: memplan-opt --plan-memory=prepare=false --split-input-file %s | FileCheck %s
// RUN: memplan-opt --plan-memory="prepare=false strategy=naive lower=false" --memplan-verify --split-input-file %s | FileCheck %s --check-prefix=KEPT

// KEPT-COUNT-5: memplan.arena

// CHECK: module {
// CHECK-NEXT: }
module {}

// -----

// CHECK-LABEL: func.func private @declared(memref<4xf32>) -> memref<4xf32>
// CHECK-NOT: memref
func.func private @declared(memref<4xf32>) -> memref<4xf32>

// -----

// CHECK-LABEL: func.func @empty
// CHECK-NEXT: return
func.func @empty() {
  return
}

// -----

// A function in a module in a module.
// CHECK-LABEL: module @inner
// CHECK: memref.view
module @outer {
  module @inner {
    func.func @f() {
      %c = arith.constant 1.0 : f32
      %a = memref.alloc() : memref<4xf32>
      linalg.fill ins(%c : f32) outs(%a : memref<4xf32>)
      return
    }
  }
}

// -----

// No exit: the arena is never freed.
// CHECK-LABEL: func.func @endless_blocks
// CHECK: memref.view
// CHECK-NOT: memref.dealloc
func.func @endless_blocks() {
  %c = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<4xf32>
  cf.br ^again
^again:
  linalg.fill ins(%c : f32) outs(%a : memref<4xf32>)
  cf.br ^again
}

// -----

// CHECK-LABEL: func.func @endless_while
// CHECK: memref.view
// CHECK: memref.dealloc
// CHECK-NEXT: return
func.func @endless_while() {
  %c = arith.constant 1.0 : f32
  %true = arith.constant true
  %a = memref.alloc() : memref<4xf32>
  scf.while : () -> () {
    scf.condition(%true)
  } do {
    linalg.fill ins(%c : f32) outs(%a : memref<4xf32>)
    scf.yield
  }
  return
}

// -----

// CHECK-LABEL: func.func @ends_unreachable
// CHECK: memref.view
// CHECK: llvm.unreachable
func.func @ends_unreachable() {
  %c = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%c : f32) outs(%a : memref<4xf32>)
  llvm.unreachable
}

// -----

// A kernel is not a function of the host, and is not changed.
// CHECK-LABEL: gpu.func @kernel
// CHECK: memref.alloc() : memref<4xf32>
gpu.module @kernels {
  gpu.func @kernel() kernel {
    %c = arith.constant 1.0 : f32
    %c0 = arith.constant 0 : index
    %a = memref.alloc() : memref<4xf32>
    memref.store %c, %a[%c0] : memref<4xf32>
    gpu.return
  }
}

// -----

// Endless recursion does not affect the planner.
// CHECK-LABEL: func.func @recursive
// CHECK: memref.view
func.func @recursive() {
  %c = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%c : f32) outs(%a : memref<4xf32>)
  call @recursive() : () -> ()
  return
}
