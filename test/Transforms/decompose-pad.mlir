// RUN: memplan-test-opt %s --pass-pipeline='builtin.module(func.func(memplan-decompose-pad,canonicalize))' | FileCheck %s
// RUN: memplan-opt %s --memplan-bufferize | FileCheck %s --check-prefix=MEMREF

// The operand is computed inside of the padded buffer: nothing is copied.
// CHECK-LABEL: func.func @computed(
// MEMREF-LABEL: func.func @computed(
func.func @computed(%in: tensor<4x4xf32>) -> tensor<6x6xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x4xf32>
  // CHECK: %[[A:.*]] = linalg.exp
  // CHECK: %[[E:.*]] = tensor.empty() : tensor<6x6xf32>
  // CHECK: %[[F:.*]] = linalg.fill ins({{.*}}) outs(%[[E]]
  // CHECK: tensor.insert_slice %[[A]] into %[[F]][1, 1] [4, 4] [1, 1]
  // MEMREF: %[[P:.*]] = memref.alloc() {{.*}} : memref<6x6xf32>
  // MEMREF: linalg.fill {{.*}} outs(%[[P]]
  // MEMREF: %[[S:.*]] = memref.subview %[[P]][1, 1] [4, 4] [1, 1]
  // MEMREF: linalg.exp {{.*}} outs(%[[S]]
  // MEMREF-NOT: memref.copy
  // MEMREF: return %[[P]]
  %a = linalg.exp ins(%in : tensor<4x4xf32>) outs(%empty : tensor<4x4xf32>) -> tensor<4x4xf32>
  %p = tensor.pad %a low[1, 1] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<4x4xf32> to tensor<6x6xf32>
  return %p : tensor<6x6xf32>
}

// The operand has another use.
// CHECK-LABEL: func.func @used_twice(
func.func @used_twice(%in: tensor<4xf32>) -> (tensor<6xf32>, tensor<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4xf32>
  %a = linalg.exp ins(%in : tensor<4xf32>) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  // CHECK: tensor.pad
  %p = tensor.pad %a low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<4xf32> to tensor<6xf32>
  return %p, %a : tensor<6xf32>, tensor<4xf32>
}

// The operand is an argument, which no op computes.
// CHECK-LABEL: func.func @argument(
func.func @argument(%a: tensor<4xf32>) -> tensor<6xf32> {
  %zero = arith.constant 0.0 : f32
  // CHECK: tensor.pad
  %p = tensor.pad %a low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<4xf32> to tensor<6xf32>
  return %p : tensor<6xf32>
}

// The value depends on the index.
// CHECK-LABEL: func.func @other_value(
func.func @other_value(%in: tensor<4xi32>) -> tensor<6xi32> {
  %empty = tensor.empty() : tensor<4xi32>
  %a = linalg.map { arith.addi } ins(%in, %in : tensor<4xi32>, tensor<4xi32>) outs(%empty : tensor<4xi32>)
  // CHECK: tensor.pad
  %p = tensor.pad %a low[1] high[1] {
  ^bb0(%i: index):
    %v = arith.index_cast %i : index to i32
    tensor.yield %v : i32
  } : tensor<4xi32> to tensor<6xi32>
  return %p : tensor<6xi32>
}

// CHECK-LABEL: func.func @dynamic(
func.func @dynamic(%in: tensor<4xf32>, %n: index) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4xf32>
  %a = linalg.exp ins(%in : tensor<4xf32>) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  // CHECK: tensor.pad
  %p = tensor.pad %a low[%n] high[1] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<4xf32> to tensor<?xf32>
  return %p : tensor<?xf32>
}
