// A function in a module inside of a function has slots of its own.
// RUN: memplan-opt %s --memplan-observe=guard=64 --plan-memory="lower=false" --memplan-lower=guard | FileCheck %s

// CHECK-LABEL: func.func @outer(
// CHECK-COUNT-1: call @memplanGuardBirth(
// CHECK:       builtin.module
// CHECK:       func.func @inner(
// CHECK-COUNT-1: call @memplanGuardBirth(
// CHECK:       return
// CHECK-NOT:   call @memplanGuardBirth(
func.func @outer(%x: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  linalg.exp ins(%a : memref<16xf32>) outs(%x : memref<16xf32>)
  builtin.module {
    func.func @inner(%y: memref<16xf32>) {
      %b = memref.alloc() : memref<16xf32>
      linalg.exp ins(%y : memref<16xf32>) outs(%b : memref<16xf32>)
      linalg.exp ins(%b : memref<16xf32>) outs(%y : memref<16xf32>)
      return
    }
  }
  return
}
