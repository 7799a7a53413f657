// RUN: memplan-test-opt %s --pass-pipeline='builtin.module(func.func(memplan-decompose-concat,canonicalize))' | FileCheck %s

// CHECK-LABEL: func.func @static(
// CHECK-SAME:    %[[A:.*]]: tensor<2x4xf32>, %[[B:.*]]: tensor<3x4xf32>)
func.func @static(%a: tensor<2x4xf32>, %b: tensor<3x4xf32>) -> tensor<5x4xf32> {
  // CHECK-NEXT: %[[E:.*]] = tensor.empty() : tensor<5x4xf32>
  // CHECK-NEXT: %[[I:.*]] = tensor.insert_slice %[[A]] into %[[E]][0, 0] [2, 4] [1, 1]
  // CHECK-NEXT: %[[C:.*]] = tensor.insert_slice %[[B]] into %[[I]][2, 0] [3, 4] [1, 1]
  // CHECK-NEXT: return %[[C]]
  %c = tensor.concat dim(0) %a, %b
      : (tensor<2x4xf32>, tensor<3x4xf32>) -> tensor<5x4xf32>
  return %c : tensor<5x4xf32>
}

// The sizes of dynamic operands are added.
// CHECK-LABEL: func.func @dynamic(
func.func @dynamic(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  // CHECK: %[[N:.*]] = affine.apply
  // CHECK: tensor.empty(%[[N]])
  // CHECK: tensor.insert_slice
  // CHECK: tensor.insert_slice
  %c = tensor.concat dim(0) %a, %b
      : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %c : tensor<?xf32>
}
