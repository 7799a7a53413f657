// RUN: memplan-test-opt %s --pass-pipeline='builtin.module(func.func(memplan-fold-transposes,canonicalize))' | FileCheck %s
// RUN: memplan-opt %s --memplan-bufferize | FileCheck %s --check-prefix=MEMREF
// RUN: memplan-opt %s --memplan-bufferize=fold-transposes=false | FileCheck %s --check-prefix=KEPT
// RUN: memplan-opt %s --memplan-from-tensors="fold-transposes=false report=text" -o %t 2>&1 | FileCheck %s --check-prefix=REPORT
// RUN: not memplan-opt %s --memplan-from-tensors=fold-transposes=maybe 2>&1 | FileCheck %s --check-prefix=WRONG

// WRONG: for the --fold-transposes option: 'maybe' is invalid value for boolean argument

// A linear layer: nothing is copied.
// CHECK-DAG: #[[$ROWS:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[$COLUMNS:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-LABEL: func.func @linear(
// MEMREF-LABEL: func.func @linear(
// KEPT-LABEL: func.func @linear(
// REPORT: @linear
func.func @linear(%x: tensor<2x4xf32>, %w: tensor<8x4xf32>, %c: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  // CHECK-NOT: linalg.transpose
  // CHECK: linalg.matmul indexing_maps = [#[[$ROWS]], #[[$COLUMNS]], #{{.*}}] ins(%{{.*}}, %{{.*}} : tensor<2x4xf32>, tensor<8x4xf32>)
  // MEMREF-NOT: linalg.transpose
  // KEPT: linalg.transpose
  %t = linalg.transpose ins(%w : tensor<8x4xf32>) outs(%e : tensor<4x8xf32>) permutation = [1, 0]
  %y = linalg.matmul ins(%x, %t : tensor<2x4xf32>, tensor<4x8xf32>) outs(%c : tensor<2x8xf32>) -> tensor<2x8xf32>
  return %y : tensor<2x8xf32>
}

// Free sizes, and the other operand.
// CHECK-LABEL: func.func @left(
// MEMREF-LABEL: func.func @left(
func.func @left(%x: tensor<?x?xf32>, %w: tensor<?x?xf32>, %c: tensor<?x?xf32>, %e: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // CHECK-NOT: linalg.transpose
  // CHECK: linalg.matmul indexing_maps
  %t = linalg.transpose ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) permutation = [1, 0]
  %y = linalg.matmul ins(%t, %w : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// Attention: keys are transposed, then their batch and heads become one.
// CHECK-LABEL: func.func @keys(
// CHECK-SAME: %[[Q:.*]]: tensor<6x5x4xf32>, %[[K:.*]]: tensor<2x3x?x4xf32>
func.func @keys(%q: tensor<6x5x4xf32>, %k: tensor<2x3x?x4xf32>, %e: tensor<2x3x4x?xf32>, %c: tensor<6x5x?xf32>) -> tensor<6x5x?xf32> {
  // CHECK-NOT: linalg.transpose
  // CHECK: %[[C:.*]] = tensor.collapse_shape %[[K]] {{\[}}[0, 1], [2], [3]] : tensor<2x3x?x4xf32> into tensor<6x?x4xf32>
  // CHECK: linalg.batch_matmul indexing_maps = {{.*}} ins(%[[Q]], %[[C]]
  %t = linalg.transpose ins(%k : tensor<2x3x?x4xf32>) outs(%e : tensor<2x3x4x?xf32>) permutation = [0, 1, 3, 2]
  %m = tensor.collapse_shape %t [[0, 1], [2], [3]] : tensor<2x3x4x?xf32> into tensor<6x4x?xf32>
  %y = linalg.batch_matmul ins(%q, %m : tensor<6x5x4xf32>, tensor<6x4x?xf32>) outs(%c : tensor<6x5x?xf32>) -> tensor<6x5x?xf32>
  return %y : tensor<6x5x?xf32>
}

// The groups are not contiguous in the operand: the copy stays.
// CHECK-LABEL: func.func @split_heads(
func.func @split_heads(%q: tensor<6x5x4xf32>, %k: tensor<2x7x3x4xf32>, %e: tensor<2x3x4x7xf32>, %c: tensor<6x5x7xf32>) -> tensor<6x5x7xf32> {
  // CHECK: linalg.transpose
  // CHECK: tensor.collapse_shape
  // CHECK: linalg.batch_matmul ins
  %t = linalg.transpose ins(%k : tensor<2x7x3x4xf32>) outs(%e : tensor<2x3x4x7xf32>) permutation = [0, 2, 3, 1]
  %m = tensor.collapse_shape %t [[0, 1], [2], [3]] : tensor<2x3x4x7xf32> into tensor<6x4x7xf32>
  %y = linalg.batch_matmul ins(%q, %m : tensor<6x5x4xf32>, tensor<6x4x7xf32>) outs(%c : tensor<6x5x7xf32>) -> tensor<6x5x7xf32>
  return %y : tensor<6x5x7xf32>
}

// The batch moves: linalg.batch_matmul wants it first.
// CHECK-LABEL: func.func @batch_last(
func.func @batch_last(%q: tensor<6x5x4xf32>, %k: tensor<4x7x6xf32>, %e: tensor<6x4x7xf32>, %c: tensor<6x5x7xf32>) -> tensor<6x5x7xf32> {
  // CHECK-NOT: linalg.transpose
  // CHECK: linalg.generic
  // CHECK-SAME: iterator_types = ["parallel", "parallel", "parallel", "reduction"]
  %t = linalg.transpose ins(%k : tensor<4x7x6xf32>) outs(%e : tensor<6x4x7xf32>) permutation = [2, 0, 1]
  %y = linalg.batch_matmul ins(%q, %t : tensor<6x5x4xf32>, tensor<6x4x7xf32>) outs(%c : tensor<6x5x7xf32>) -> tensor<6x5x7xf32>
  return %y : tensor<6x5x7xf32>
}

// A named op without indexing maps.
// CHECK-LABEL: func.func @vector(
func.func @vector(%x: tensor<4xf32>, %w: tensor<8x4xf32>, %c: tensor<8xf32>, %e: tensor<4x8xf32>) -> tensor<8xf32> {
  // CHECK-NOT: linalg.transpose
  // CHECK: linalg.generic
  %t = linalg.transpose ins(%w : tensor<8x4xf32>) outs(%e : tensor<4x8xf32>) permutation = [1, 0]
  %y = linalg.vecmat ins(%x, %t : tensor<4xf32>, tensor<4x8xf32>) outs(%c : tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// Two contractions read it, one of them twice.
// CHECK-LABEL: func.func @shared(
func.func @shared(%w: tensor<4x4xf32>, %x: tensor<4x4xf32>, %c: tensor<4x4xf32>, %e: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  // CHECK-NOT: linalg.transpose
  // CHECK-COUNT-2: linalg.matmul indexing_maps
  %t = linalg.transpose ins(%w : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) permutation = [1, 0]
  %y = linalg.matmul ins(%t, %t : tensor<4x4xf32>, tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  %z = linalg.matmul ins(%x, %t : tensor<4x4xf32>, tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %y, %z : tensor<4x4xf32>, tensor<4x4xf32>
}

// Another op reads it as well.
// CHECK-LABEL: func.func @also_added(
func.func @also_added(%w: tensor<4x4xf32>, %x: tensor<4x4xf32>, %c: tensor<4x4xf32>, %e: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  // CHECK: linalg.transpose
  // CHECK: linalg.matmul ins
  %t = linalg.transpose ins(%w : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) permutation = [1, 0]
  %y = linalg.matmul ins(%x, %t : tensor<4x4xf32>, tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  %z = linalg.add ins(%t, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %y, %z : tensor<4x4xf32>, tensor<4x4xf32>
}

// A contraction that accumulates into it writes it.
// CHECK-LABEL: func.func @accumulated(
func.func @accumulated(%w: tensor<4x4xf32>, %x: tensor<4x4xf32>, %e: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // CHECK: linalg.transpose
  %t = linalg.transpose ins(%w : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) permutation = [1, 0]
  %y = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%t : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

// One contraction that must become a generic op reads it twice.
// CHECK-LABEL: func.func @batch_twice(
func.func @batch_twice(%w: tensor<2x2x2xf32>, %c: tensor<2x2x2xf32>, %e: tensor<2x2x2xf32>) -> tensor<2x2x2xf32> {
  // CHECK-NOT: linalg.transpose
  // CHECK: linalg.generic
  // CHECK-SAME: ins(%[[W:.*]], %[[W]] :
  %t = linalg.transpose ins(%w : tensor<2x2x2xf32>) outs(%e : tensor<2x2x2xf32>) permutation = [1, 0, 2]
  %y = linalg.batch_matmul ins(%t, %t : tensor<2x2x2xf32>, tensor<2x2x2xf32>) outs(%c : tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  return %y : tensor<2x2x2xf32>
}

// The memory is written before the contraction would read it.
// CHECK-LABEL: func.func @transposed_before_written(
// CHECK: linalg.transpose
// CHECK: linalg.fill
// CHECK: linalg.matmul ins(
func.func @transposed_before_written(%x: tensor<2x4xf32>, %w: memref<8x4xf32>, %i: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %zero = arith.constant 0.0 : f32
  %t = bufferization.to_tensor %w restrict : memref<8x4xf32> to tensor<8x4xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %tr = linalg.transpose ins(%t : tensor<8x4xf32>) outs(%e : tensor<4x8xf32>) permutation = [1, 0]
  linalg.fill ins(%zero : f32) outs(%w : memref<8x4xf32>)
  %r = linalg.matmul ins(%x, %tr : tensor<2x4xf32>, tensor<4x8xf32>) outs(%i : tensor<2x8xf32>) -> tensor<2x8xf32>
  return %r : tensor<2x8xf32>
}

// So it is inside of the loop that reads it.
// CHECK-LABEL: func.func @written_in_loop(
// CHECK: linalg.transpose
// CHECK: scf.for
// CHECK: linalg.matmul ins(
func.func @written_in_loop(%x: tensor<2x4xf32>, %w: memref<8x4xf32>, %i: tensor<2x8xf32>, %n: index) -> tensor<2x8xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = bufferization.to_tensor %w restrict : memref<8x4xf32> to tensor<8x4xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %tr = linalg.transpose ins(%t : tensor<8x4xf32>) outs(%e : tensor<4x8xf32>) permutation = [1, 0]
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%sum = %i) -> tensor<2x8xf32> {
    linalg.fill ins(%zero : f32) outs(%w : memref<8x4xf32>)
    %y = linalg.matmul ins(%x, %tr : tensor<2x4xf32>, tensor<4x8xf32>) outs(%sum : tensor<2x8xf32>) -> tensor<2x8xf32>
    scf.yield %y : tensor<2x8xf32>
  }
  return %r : tensor<2x8xf32>
}

// A collapsed transposition is read behind the write.
// CHECK-LABEL: func.func @collapsed_before_written(
// CHECK: linalg.transpose
// CHECK: linalg.fill
// CHECK: linalg.matmul ins(
func.func @collapsed_before_written(%x: tensor<2x4xf32>, %w: memref<8x2x2xf32>, %i: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %zero = arith.constant 0.0 : f32
  %t = bufferization.to_tensor %w restrict : memref<8x2x2xf32> to tensor<8x2x2xf32>
  %e = tensor.empty() : tensor<2x2x8xf32>
  %tr = linalg.transpose ins(%t : tensor<8x2x2xf32>) outs(%e : tensor<2x2x8xf32>) permutation = [1, 2, 0]
  %c = tensor.collapse_shape %tr [[0, 1], [2]] : tensor<2x2x8xf32> into tensor<4x8xf32>
  linalg.fill ins(%zero : f32) outs(%w : memref<8x2x2xf32>)
  %y = linalg.matmul ins(%x, %c : tensor<2x4xf32>, tensor<4x8xf32>) outs(%i : tensor<2x8xf32>) -> tensor<2x8xf32>
  return %y : tensor<2x8xf32>
}
