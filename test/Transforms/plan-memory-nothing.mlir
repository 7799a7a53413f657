// If nothing can be planned in a module, a remark describes its contents.
// RUN: split-file %s %t
// RUN: memplan-opt %t/tensors.mlir --plan-memory -o /dev/null 2>&1 | FileCheck %s --check-prefix=TENSORS
// RUN: memplan-opt %t/device.mlir --plan-memory -o /dev/null 2>&1 | FileCheck %s --check-prefix=DEVICE
// RUN: memplan-opt %t/none.mlir --plan-memory -o /dev/null 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: memplan-opt %t/plain.mlir --plan-memory -o /dev/null 2>&1 | FileCheck %s --check-prefix=PLAIN
// RUN: memplan-opt %t/plan.mlir --plan-memory -o %t/planned.mlir 2>&1 | count 0
// RUN: memplan-opt %t/planned.mlir --plan-memory=report=text -o %t/again.mlir 2>&1 | FileCheck %s --check-prefix=AGAIN
// RUN: diff %t/planned.mlir %t/again.mlir
// Allocations by ops other than the planned kinds are named as well.
// RUN: memplan-opt %t/beside.mlir --plan-memory --remark-format=emitRemark --remarks-filter='plan.*' -o /dev/null 2>&1 | FileCheck %s --check-prefix=BESIDE
// RUN: not memplan-opt %t/beside.mlir --plan-memory=require=planned -o /dev/null 2>&1 | FileCheck %s --check-prefix=REQUIRED
// The verifier reports how many plans it has checked, and that there was none.
// RUN: memplan-opt %t/planned.mlir --memplan-verify -o /dev/null 2>&1 | FileCheck %s --check-prefix=VERIFIED
// RUN: memplan-opt %t/planned.mlir --memplan-verify=quiet -o /dev/null 2>&1 | count 0
// RUN: memplan-opt %t/plan.mlir --memplan-verify=quiet -o /dev/null 2>&1 | FileCheck %s --check-prefix=UNVERIFIED

// TENSORS: warning: nothing to plan: 2 functions are on tensors: memplan-from-tensors bufferizes and plans them; 1 function allocates nothing
// DEVICE: warning: nothing to plan: 1 'gpu.func' is no func.func, and is not planned
// NONE: remark: nothing to plan: there is no function with a body
// PLAIN: remark: nothing to plan: 1 function allocates nothing
// AGAIN: remark: nothing to plan: 2 functions have an arena already
// AGAIN: arena of @f in memory space 0: planned before, 64 bytes
// AGAIN: arena of @g in memory space 0: planned before, 64 bytes
// AGAIN: total: {{.*}}; planned before 2 arenas, 128 bytes
// BESIDE: beside.mlir:3:8: remark: [Missed] BufferNotPlanned | Category:plan-memory | Function=g | Remark="not planned: its function is no func.func but 'llvm.func'"
// REQUIRED: beside.mlir:3:8: error: not planned: its function is no func.func but 'llvm.func'
// VERIFIED: remark: verified the plans of 2 functions
// UNVERIFIED: warning: there is no plan to verify: no function has an arena

//--- tensors.mlir
func.func @a(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @b() -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  return %e : tensor<4xf32>
}
func.func @c() {
  return
}

//--- device.mlir
gpu.module @kernels {
  gpu.func @k() kernel {
    gpu.return
  }
}

//--- none.mlir
func.func private @declared()

//--- plain.mlir
func.func @f(%m: memref<4xf32>, %f: f32, %i: index) {
  memref.store %f, %m[%i] : memref<4xf32>
  return
}

//--- plan.mlir
func.func @f(%f: f32, %i: index) {
  %a = memref.alloc() : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  return
}
func.func @g(%f: f32, %i: index) {
  %a = memref.alloc() : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  return
}

//--- beside.mlir
llvm.func @g(%f: f32) {
  %i = arith.constant 0 : index
  %a = memref.alloc() : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  llvm.return
}
func.func @f(%f: f32, %i: index) {
  %a = memref.alloc() : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  return
}
