// RUN: memplan-opt %s --memplan-from-tensors -split-input-file | FileCheck %s
// RUN: memplan-opt %s --memplan-bufferize -split-input-file | FileCheck %s --check-prefix=UNPLANNED
// RUN: memplan-opt %s --memplan-from-tensors=lower=false -split-input-file | FileCheck %s --check-prefix=OPS

#id = affine_map<(i, j) -> (i, j)>

// Arguments and results become memrefs of identity layout at the same
// positions; the result is a separate allocation, the intermediate is in the
// arena.
// CHECK-LABEL: func.func @linalg(
// CHECK-SAME:    %[[A:.*]]: memref<8x8xf32>, %[[B:.*]]: memref<8x8xf32>) -> memref<8x8xf32>
// UNPLANNED-LABEL: func.func @linalg(
// UNPLANNED-SAME:    memref<8x8xf32>, %{{.*}}: memref<8x8xf32>) -> memref<8x8xf32>
// OPS-LABEL: func.func @linalg(
func.func @linalg(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %c0 = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %z = linalg.fill ins(%c0 : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK: %[[ARENA:.*]] = memref.alloc() {alignment = 64 : i64, bufferization.manual_deallocation, memplan.arena} : memref<256xi8>
  // CHECK: %[[T:.*]] = memref.view %[[ARENA]]
  // CHECK: linalg.matmul ins(%[[A]], %[[B]] : {{.*}}) outs(%[[T]] :
  // OPS: %[[ARENA:.*]] = memplan.arena align(64) : memref<256xi8>
  // OPS: memplan.view %[[ARENA]][0] align(64) : memref<256xi8> to memref<8x8xf32>
  // UNPLANNED-NOT: memplan.arena
  // UNPLANNED: memref.alloc() {alignment = 64 : i64} : memref<8x8xf32>
  %1 = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK: %[[R:.*]] = memref.alloc() {{.*}} : memref<8x8xf32>
  // CHECK: linalg.matmul ins(%[[T]], %[[B]] : {{.*}}) outs(%[[R]] :
  // CHECK: memref.dealloc %[[ARENA]]
  // CHECK: return %[[R]]
  %2 = linalg.matmul ins(%1, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// -----

// The operands of a concatenation are computed in their slices: nothing is
// copied.
// CHECK-LABEL: func.func @concat(
// UNPLANNED-LABEL: func.func @concat(
func.func @concat(%a: tensor<8x8xf32>) -> f32 {
  %i0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<8x8xf32>
  // CHECK-NOT: memref.copy
  // CHECK-NOT: memref<8x8xf32> to
  // UNPLANNED-COUNT-1: memref.alloc()
  // UNPLANNED-NOT: memref.alloc()
  // UNPLANNED-NOT: memref.copy
  %x = linalg.exp ins(%a : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %y = linalg.abs ins(%a : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %c = tensor.concat dim(0) %x, %y : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
  %r = tensor.extract %c[%i0, %i0] : tensor<16x8xf32>
  // CHECK: return
  // UNPLANNED: return
  return %r : f32
}

// -----

// TOSA is lowered through linalg.
// CHECK-LABEL: func.func @tosa(
// CHECK-SAME:    %{{.*}}: memref<1x8x8x3xf32>) -> memref<1x8x8x4xf32>
// CHECK: memref.alloc() {alignment = 64 : i64, bufferization.manual_deallocation, memplan.arena}
// CHECK-NOT: tosa.
// CHECK: linalg.conv_2d_nhwc_fhwc
// CHECK-NOT: tosa.
func.func @tosa(%x: tensor<1x8x8x3xf32>) -> tensor<1x8x8x4xf32> {
  %w = "tosa.const"() <{values = dense<0.5> : tensor<4x3x3x3xf32>}> : () -> tensor<4x3x3x3xf32>
  %b = "tosa.const"() <{values = dense<0.25> : tensor<4xf32>}> : () -> tensor<4xf32>
  %p = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %1 = tosa.conv2d %x, %w, %b, %p, %p {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x8x8x3xf32>, tensor<4x3x3x3xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x8x8x4xf32>
  %2 = tosa.clamp %1 {min_val = 0.0 : f32, max_val = 6.0 : f32} : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  %3 = tosa.sigmoid %2 : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  return %3 : tensor<1x8x8x4xf32>
}

// -----

// The same for arithmetic and math on whole tensors.
// CHECK-LABEL: func.func @elementwise(
// CHECK-SAME:    -> memref<4xf32>
// CHECK: linalg.generic
// CHECK: math.cos
func.func @elementwise(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.cos %a : tensor<4xf32>
  %1 = arith.addf %0, %a : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// A loop may yield a new tensor.
// CHECK-LABEL: func.func @loop(
// CHECK: scf.for
func.func @loop(%a: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %r = scf.for %i = %i0 to %n step %i1 iter_args(%x = %a) -> tensor<4xf32> {
    %e = tensor.empty() : tensor<4xf32>
    %y = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %y : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

// A function without work.
// CHECK: func.func private @declared(memref<4xf32>) -> memref<4xf32>
func.func private @declared(tensor<4xf32>) -> tensor<4xf32>
// CHECK-LABEL: func.func @empty()
// CHECK-NEXT:    return
func.func @empty() {
  return
}
