// RUN: memplan-opt %s --memplan-compare-bufferized=output=- -o /dev/null | FileCheck %s
// RUN: memplan-opt %s --memplan-compare-bufferized=output=%t.txt | FileCheck %s --check-prefix=SAME
// SAME: linalg.generic
// SAME-NOT: memref

// The second op overwrites the result of the first one; the estimate includes
// this.
// CHECK-LABEL: @in_place: estimated peak 64 bytes, bufferized 64
// CHECK-NOT: 'linalg.generic'
func.func @in_place(%x: tensor<16xf32>) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<16xf32>
  %a = linalg.exp ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %b = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a : tensor<16xf32>) outs(%e : tensor<16xf32>) {
  ^bb0(%u: f32, %v: f32):
    %w = math.absf %u : f32
    linalg.yield %w : f32
  } -> tensor<16xf32>
  return %b : tensor<16xf32>
}

// The argument must not be written to: its contents are copied first.
// CHECK-LABEL: @copied:
// CHECK: copy of 64 bytes inserted
func.func @copied(%x: tensor<16xf32>, %y: tensor<4xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
  %i = tensor.insert_slice %y into %x[0] [4] [1] : tensor<4xf32> into tensor<16xf32>
  return %i, %x : tensor<16xf32>, tensor<16xf32>
}
