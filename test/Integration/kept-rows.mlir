// Programs compute the same, bit for bit, where stripes keep rows for the next
// ones, also where that gains nothing.
// RUN: memplan-opt %s --memplan-bufferize=stripe-sums=false | %execute > %t.before
// RUN: memplan-test-opt %s --test-stripes -o %t.kept.mlir
// RUN: FileCheck %s --input-file=%t.kept.mlir
// RUN: memplan-opt %t.kept.mlir --memplan-bufferize | %execute | cmp - %t.before
// RUN: memplan-opt %t.kept.mlir --memplan-from-tensors=require=verified | %execute | cmp - %t.before
// RUN: memplan-test-opt %s --test-stripes=rows=3 | memplan-opt --memplan-from-tensors=require=verified | %execute | cmp - %t.before

// A stripe needs four rows of the padded tensor at once, which has two: it has none above them, and
// none below.
// CHECK: func.func private @few
// CHECK: scf.for %{{.*}} = %c-1 to %c2 step %c1
func.func private @few(%x: tensor<1x2x2xi32>, %w: tensor<5x2x2xi32>) -> tensor<1x2x2xi32> {
  %v1 = tensor.empty() : tensor<1x2x2xi32>
  %v2 = linalg.add ins(%x, %x : tensor<1x2x2xi32>, tensor<1x2x2xi32>) outs(%v1 : tensor<1x2x2xi32>) -> tensor<1x2x2xi32>
  %v3 = arith.constant 7 : i32
  %v4 = tensor.pad %v2 low[0, 2, 0] high[0, 8, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %v3 : i32
  } : tensor<1x2x2xi32> to tensor<1x12x2xi32>
  %v5 = arith.constant -3 : i32
  %v6 = tensor.empty() : tensor<1x2x2xi32>
  %v7 = linalg.fill ins(%v5 : i32) outs(%v6 : tensor<1x2x2xi32>) -> tensor<1x2x2xi32>
  %v8 = tensor.extract_slice %w[0, 0, 0] [5, 2, 2] [1, 1, 1] : tensor<5x2x2xi32> to tensor<5x2x2xi32>
  %v9 = linalg.conv_1d_nwc_wcf {dilations = dense<1> : tensor<1xi64>, strides = dense<4> : tensor<1xi64>}
      ins(%v4, %v8 : tensor<1x12x2xi32>, tensor<5x2x2xi32>) outs(%v7 : tensor<1x2x2xi32>) -> tensor<1x2x2xi32>
  return %v9 : tensor<1x2x2xi32>
}

// Every other row of the first sum is skipped; the last one is read by nobody.
// CHECK: func.func private @skipped
// CHECK: scf.for %{{.*}} = %c-1 to %c3 step %c1
func.func private @skipped(%x: tensor<1x10x2xi32>, %w: tensor<5x2x2xi32>) -> tensor<1x3x2xi32> {
  %v1 = arith.constant -3 : i32
  %v2 = tensor.empty() : tensor<1x8x2xi32>
  %v3 = linalg.fill ins(%v1 : i32) outs(%v2 : tensor<1x8x2xi32>) -> tensor<1x8x2xi32>
  %v4 = tensor.extract_slice %w[0, 0, 0] [3, 2, 2] [1, 1, 1] : tensor<5x2x2xi32> to tensor<3x2x2xi32>
  %v5 = linalg.conv_1d_nwc_wcf {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}
      ins(%x, %v4 : tensor<1x10x2xi32>, tensor<3x2x2xi32>) outs(%v3 : tensor<1x8x2xi32>) -> tensor<1x8x2xi32>
  %v6 = arith.constant -3 : i32
  %v7 = tensor.empty() : tensor<1x4x2xi32>
  %v8 = linalg.fill ins(%v6 : i32) outs(%v7 : tensor<1x4x2xi32>) -> tensor<1x4x2xi32>
  %v9 = tensor.extract_slice %w[0, 0, 0] [1, 2, 2] [1, 1, 1] : tensor<5x2x2xi32> to tensor<1x2x2xi32>
  %v10 = linalg.conv_1d_nwc_wcf {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>}
      ins(%v5, %v9 : tensor<1x8x2xi32>, tensor<1x2x2xi32>) outs(%v8 : tensor<1x4x2xi32>) -> tensor<1x4x2xi32>
  %v11 = arith.constant -3 : i32
  %v12 = tensor.empty() : tensor<1x3x2xi32>
  %v13 = linalg.fill ins(%v11 : i32) outs(%v12 : tensor<1x3x2xi32>) -> tensor<1x3x2xi32>
  %v14 = tensor.extract_slice %w[0, 0, 0] [2, 2, 2] [1, 1, 1] : tensor<5x2x2xi32> to tensor<2x2x2xi32>
  %v15 = linalg.conv_1d_nwc_wcf {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}
      ins(%v10, %v14 : tensor<1x4x2xi32>, tensor<2x2x2xi32>) outs(%v13 : tensor<1x3x2xi32>) -> tensor<1x3x2xi32>
  return %v15 : tensor<1x3x2xi32>
}

// Pads and windows of several steps: the loop starts several stripes early.
// CHECK: func.func private @deep
// CHECK: scf.for %{{.*}} = %c-5 to %c14 step %c1
func.func private @deep(%x: tensor<1x13x2xi32>, %w: tensor<5x2x2xi32>) -> tensor<1x14x2xi32> {
  %v1 = tensor.empty() : tensor<1x13x2xi32>
  %v2 = linalg.add ins(%x, %x : tensor<1x13x2xi32>, tensor<1x13x2xi32>) outs(%v1 : tensor<1x13x2xi32>) -> tensor<1x13x2xi32>
  %v3 = arith.constant 7 : i32
  %v4 = tensor.pad %v2 low[0, 2, 0] high[0, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %v3 : i32
  } : tensor<1x13x2xi32> to tensor<1x16x2xi32>
  %v5 = arith.constant -3 : i32
  %v6 = tensor.empty() : tensor<1x12x2xi32>
  %v7 = linalg.fill ins(%v5 : i32) outs(%v6 : tensor<1x12x2xi32>) -> tensor<1x12x2xi32>
  %v8 = tensor.extract_slice %w[0, 0, 0] [5, 2, 2] [1, 1, 1] : tensor<5x2x2xi32> to tensor<5x2x2xi32>
  %v9 = linalg.conv_1d_nwc_wcf {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}
      ins(%v4, %v8 : tensor<1x16x2xi32>, tensor<5x2x2xi32>) outs(%v7 : tensor<1x12x2xi32>) -> tensor<1x12x2xi32>
  %v10 = arith.constant 7 : i32
  %v11 = tensor.pad %v9 low[0, 1, 0] high[0, 3, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %v10 : i32
  } : tensor<1x12x2xi32> to tensor<1x16x2xi32>
  %v12 = arith.constant -3 : i32
  %v13 = tensor.empty() : tensor<1x14x2xi32>
  %v14 = linalg.fill ins(%v12 : i32) outs(%v13 : tensor<1x14x2xi32>) -> tensor<1x14x2xi32>
  %v15 = tensor.extract_slice %w[0, 0, 0] [3, 2, 2] [1, 1, 1] : tensor<5x2x2xi32> to tensor<3x2x2xi32>
  %v16 = linalg.conv_1d_nwc_wcf {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}
      ins(%v11, %v15 : tensor<1x16x2xi32>, tensor<3x2x2xi32>) outs(%v14 : tensor<1x14x2xi32>) -> tensor<1x14x2xi32>
  %v17 = arith.constant 7 : i32
  %v18 = tensor.pad %v16 low[0, 3, 0] high[0, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %v17 : i32
  } : tensor<1x14x2xi32> to tensor<1x17x2xi32>
  %v19 = arith.constant -3 : i32
  %v20 = tensor.empty() : tensor<1x14x2xi32>
  %v21 = linalg.fill ins(%v19 : i32) outs(%v20 : tensor<1x14x2xi32>) -> tensor<1x14x2xi32>
  %v22 = tensor.extract_slice %w[0, 0, 0] [4, 2, 2] [1, 1, 1] : tensor<5x2x2xi32> to tensor<4x2x2xi32>
  %v23 = linalg.conv_1d_nwc_wcf {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}
      ins(%v18, %v22 : tensor<1x17x2xi32>, tensor<4x2x2xi32>) outs(%v21 : tensor<1x14x2xi32>) -> tensor<1x14x2xi32>
  %v24 = tensor.empty() : tensor<1x14x2xi32>
  %v25 = linalg.add ins(%v23, %v23 : tensor<1x14x2xi32>, tensor<1x14x2xi32>) outs(%v24 : tensor<1x14x2xi32>) -> tensor<1x14x2xi32>
  return %v25 : tensor<1x14x2xi32>
}

func.func @main() {
  %0 = arith.constant 0 : index
  %pad = arith.constant 0 : i32
  %we = tensor.empty() : tensor<5x2x2xi32>
  %w = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%we : tensor<5x2x2xi32>) {
  ^bb0(%o: i32):
    %a = linalg.index 0 : index
    %b = linalg.index 1 : index
    %c = linalg.index 2 : index
    %q = affine.apply affine_map<(a, b, c) -> ((a * 12 + b * 25 + c * 38) mod 37 - 18)>(%a, %b, %c)
    %r = arith.index_cast %q : index to i32
    linalg.yield %r : i32
  } -> tensor<5x2x2xi32>
  %fewxe = tensor.empty() : tensor<1x2x2xi32>
  %fewx = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%fewxe : tensor<1x2x2xi32>) {
  ^bb0(%o: i32):
    %a = linalg.index 0 : index
    %b = linalg.index 1 : index
    %c = linalg.index 2 : index
    %q = affine.apply affine_map<(a, b, c) -> ((a * 12 + b * 19 + c * 38) mod 37 - 18)>(%a, %b, %c)
    %r = arith.index_cast %q : index to i32
    linalg.yield %r : i32
  } -> tensor<1x2x2xi32>
  %few = func.call @few(%fewx, %w) : (tensor<1x2x2xi32>, tensor<5x2x2xi32>) -> tensor<1x2x2xi32>
  %fewv = vector.transfer_read %few[%0, %0, %0], %pad : tensor<1x2x2xi32>, vector<1x2x2xi32>
  vector.print %fewv : vector<1x2x2xi32>
  %skippedxe = tensor.empty() : tensor<1x10x2xi32>
  %skippedx = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%skippedxe : tensor<1x10x2xi32>) {
  ^bb0(%o: i32):
    %a = linalg.index 0 : index
    %b = linalg.index 1 : index
    %c = linalg.index 2 : index
    %q = affine.apply affine_map<(a, b, c) -> ((a * 12 + b * 19 + c * 38) mod 37 - 18)>(%a, %b, %c)
    %r = arith.index_cast %q : index to i32
    linalg.yield %r : i32
  } -> tensor<1x10x2xi32>
  %skipped = func.call @skipped(%skippedx, %w) : (tensor<1x10x2xi32>, tensor<5x2x2xi32>) -> tensor<1x3x2xi32>
  %skippedv = vector.transfer_read %skipped[%0, %0, %0], %pad : tensor<1x3x2xi32>, vector<1x3x2xi32>
  vector.print %skippedv : vector<1x3x2xi32>
  %deepxe = tensor.empty() : tensor<1x13x2xi32>
  %deepx = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%deepxe : tensor<1x13x2xi32>) {
  ^bb0(%o: i32):
    %a = linalg.index 0 : index
    %b = linalg.index 1 : index
    %c = linalg.index 2 : index
    %q = affine.apply affine_map<(a, b, c) -> ((a * 12 + b * 19 + c * 38) mod 37 - 18)>(%a, %b, %c)
    %r = arith.index_cast %q : index to i32
    linalg.yield %r : i32
  } -> tensor<1x13x2xi32>
  %deep = func.call @deep(%deepx, %w) : (tensor<1x13x2xi32>, tensor<5x2x2xi32>) -> tensor<1x14x2xi32>
  %deepv = vector.transfer_read %deep[%0, %0, %0], %pad : tensor<1x14x2xi32>, vector<1x14x2xi32>
  vector.print %deepv : vector<1x14x2xi32>
  return
}
