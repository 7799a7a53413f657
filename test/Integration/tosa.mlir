// A TOSA program computes the same before and after planning.
// RUN: memplan-opt %s --memplan-bufferize | %execute > %t.before
// RUN: memplan-opt %s --memplan-from-tensors | %execute > %t.after
// RUN: cmp %t.before %t.after
// RUN: FileCheck %s < %t.after

// The sum of the picture's 3 channels is 0.75 at every pixel. A window inside
// has 9 of them, one at an edge 6, one at a corner 4. The mean of the 64 sums
// is (36 * 9 + 24 * 6 + 4 * 4) / 64 * 0.75 * 0.5 = 2.8359375; with bias 0.25 it
// is 3.0859375.
// CHECK: 3.08594
func.func @network(%x: tensor<1x8x8x3xf32>) -> tensor<1x1x1x4xf32> {
  %w = "tosa.const"() <{values = dense<0.5> : tensor<4x3x3x3xf32>}> : () -> tensor<4x3x3x3xf32>
  %b = "tosa.const"() <{values = dense<0.25> : tensor<4xf32>}> : () -> tensor<4xf32>
  %p = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %1 = tosa.conv2d %x, %w, %b, %p, %p {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x8x8x3xf32>, tensor<4x3x3x3xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x8x8x4xf32>
  %2 = tosa.clamp %1 {min_val = 0.0 : f32, max_val = 6.0 : f32} : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  %3 = tosa.avg_pool2d %2, %p, %p {acc_type = f32, kernel = array<i64: 8, 8>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x8x8x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x1x4xf32>
  return %3 : tensor<1x1x1x4xf32>
}

func.func @main() {
  %i0 = arith.constant 0 : index
  %x = arith.constant dense<0.25> : tensor<1x8x8x3xf32>
  %y = func.call @network(%x) : (tensor<1x8x8x3xf32>) -> tensor<1x1x1x4xf32>
  %s = tensor.extract %y[%i0, %i0, %i0, %i0] : tensor<1x1x1x4xf32>
  vector.print %s : f32
  return
}
