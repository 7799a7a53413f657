// RUN: memplan-opt %s --memplan-cost="output=- dim-hint=3" -o /dev/null | FileCheck %s
// An op of TOSA costs as much as its lowered form.
// RUN: memplan-opt %s --memplan-cost="output=- format=json" -o /dev/null | FileCheck %s --check-prefix=JSON

// Columns: ops, FLOPs, bytes read, bytes written.

// Output 1x3x3x4 (stride 2 on 7x7 with a 3x3 window), 3x3x2 products for each element:
// 2 x 36 x 18 = 1296, as linalg.conv_2d_nhwc_hwcf. Input, weights and bias are read.
// CHECK-LABEL: @conv: 1296 FLOPs
// CHECK: tosa.conv2d {{ *}}1 {{ *}}1296 {{ *}}696 {{ *}}144
// JSON: "function": "conv"
// JSON: "exact": true
func.func @conv(%i: tensor<1x7x7x2xf32>, %w: tensor<4x3x3x2xf32>, %b: tensor<4xf32>) -> tensor<1x3x3x4xf32> {
  %zp = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %r = tosa.conv2d %i, %w, %b, %zp, %zp {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>}
    : (tensor<1x7x7x2xf32>, tensor<4x3x3x2xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x3x4xf32>
  return %r : tensor<1x3x3x4xf32>
}

// Depthwise: 2 x 1x6x6x2 x 3x3 = 1296.
// CHECK-LABEL: @depthwise: 1296 FLOPs
func.func @depthwise(%i: tensor<1x8x8x2xf32>, %w: tensor<3x3x2x1xf32>, %b: tensor<2xf32>) -> tensor<1x6x6x2xf32> {
  %zp = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %r = tosa.depthwise_conv2d %i, %w, %b, %zp, %zp {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>}
    : (tensor<1x8x8x2xf32>, tensor<3x3x2x1xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x6x2xf32>
  return %r : tensor<1x6x6x2xf32>
}

// Each of the 1x4x4x2 input elements contributes to 3x3x5 output elements: 2 x
// 32 x 45.
// CHECK-LABEL: @transposed: 2880 FLOPs
func.func @transposed(%i: tensor<1x4x4x2xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<1x9x9x5xf32> {
  %zp = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %r = tosa.transpose_conv2d %i, %w, %b, %zp, %zp {acc_type = f32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>}
    : (tensor<1x4x4x2xf32>, tensor<5x3x3x2xf32>, tensor<5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x9x9x5xf32>
  return %r : tensor<1x9x9x5xf32>
}

// 2 x 2x4x8 x 16; for integers with a zero point twice that, without one the
// same.
// CHECK-LABEL: @matmuls: 8192 FLOPs
// CHECK: tosa.matmul {{ *}}3 {{ *}}8192
// JSON: "function": "matmuls"
// JSON: "flops_by_type": {
// JSON-NEXT: "f32": 2048
// JSON-NEXT: "i32": 6144
func.func @matmuls(%a: tensor<2x4x16xf32>, %b: tensor<2x16x8xf32>, %c: tensor<2x4x16xi8>, %d: tensor<2x16x8xi8>) {
  %zp = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %none = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %some = "tosa.const"() {values = dense<3> : tensor<1xi8>} : () -> tensor<1xi8>
  %0 = tosa.matmul %a, %b, %zp, %zp : (tensor<2x4x16xf32>, tensor<2x16x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x4x8xf32>
  %1 = tosa.matmul %c, %d, %none, %none : (tensor<2x4x16xi8>, tensor<2x16x8xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x4x8xi32>
  %2 = tosa.matmul %c, %d, %some, %some : (tensor<2x4x16xi8>, tensor<2x16x8xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x4x8xi32>
  return
}

// Windows of 2x2 of 1x2x2x4 elements: 64 maxima; 64 sums and 16 divisions.
// CHECK-LABEL: @pools: 144 FLOPs
// CHECK: tosa.avg_pool2d {{ *}}1 {{ *}}80 {{ *}}256 {{ *}}64
// CHECK: tosa.max_pool2d {{ *}}1 {{ *}}64 {{ *}}256 {{ *}}64
func.func @pools(%i: tensor<1x4x4x4xf32>) {
  %zp = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = tosa.max_pool2d %i {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x4x4x4xf32>) -> tensor<1x2x2x4xf32>
  %1 = tosa.avg_pool2d %i, %zp, %zp {acc_type = f32, kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x4x4x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x2x4xf32>
  return
}

// Unknown extents are propagated: the batch is 3 by the hint. An addition and a
// clamp (2) of 3x8 elements, and a sum of as many; a reshape is a view and
// costs nothing, a transpose copies.
// CHECK-LABEL: @dynamic: 96 FLOPs
// CHECK: tosa.clamp {{ *}}1 {{ *}}48 {{ *}}96 {{ *}}96
// CHECK: tosa.add {{ *}}1 {{ *}}24 {{ *}}128 {{ *}}96
// CHECK: tosa.reduce_sum {{ *}}1 {{ *}}24 {{ *}}96 {{ *}}12
// CHECK: tosa.transpose {{ *}}1 {{ *}}0 {{ *}}96 {{ *}}96
// CHECK-NOT: not exact
// RUN: memplan-opt %s --memplan-profile="function=dynamic dim-hint=3" -o /dev/null 2>&1 | FileCheck %s --check-prefix=PROFILE
// PROFILE: peak: {{.*}} bytes
// PROFILE-NEXT: = {{.*}}arg0_d0{{[^s]*}}, under the hints given
func.func @dynamic(%x: tensor<?x8xf32>, %b: tensor<1x8xf32>) -> tensor<?x1xf32> {
  %0 = tosa.add %x, %b : (tensor<?x8xf32>, tensor<1x8xf32>) -> tensor<?x8xf32>
  %1 = tosa.clamp %0 {max_val = 6.0 : f32, min_val = 0.0 : f32} : (tensor<?x8xf32>) -> tensor<?x8xf32>
  %2 = tosa.transpose %1 {perms = array<i32: 1, 0>} : (tensor<?x8xf32>) -> tensor<8x?xf32>
  %s = tosa.const_shape {values = dense<[-1, 8]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %3 = tosa.reshape %2, %s : (tensor<8x?xf32>, !tosa.shape<2>) -> tensor<?x8xf32>
  %4 = tosa.reduce_sum %3 {axis = 1 : i32} : (tensor<?x8xf32>) -> tensor<?x1xf32>
  return %4 : tensor<?x1xf32>
}

// Ops without a model are reported.
// CHECK-LABEL: @unknown: 0 FLOPs
// CHECK: tosa.resize {{.*}} not exact
func.func @unknown(%x: tensor<1x2x2x1xf32>) -> tensor<1x4x4x1xf32> {
  %scale = tosa.const_shape {values = dense<[4, 2, 4, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %offset = tosa.const_shape {values = dense<[-1, -1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %border = tosa.const_shape {values = dense<[1, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.resize %x, %scale, %offset, %border {mode = BILINEAR} : (tensor<1x2x2x1xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x4x4x1xf32>
  return %0 : tensor<1x4x4x1xf32>
}
