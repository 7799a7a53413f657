// Programs compute the same, bit for bit, when chains of their ops are computed
// in stripes, planned or not: without overlaps, with few of them, and with as
// many as needed.
// RUN: memplan-opt %s --memplan-bufferize | %execute > %t.before
// RUN: memplan-opt %s --memplan-bufferize=stripes=0 | %execute | cmp - %t.before
// RUN: memplan-opt %s --memplan-bufferize=stripes=1000 | %execute | cmp - %t.before
// RUN: memplan-opt %s --memplan-from-tensors="stripes=0 require=verified" | %execute | cmp - %t.before
// RUN: memplan-opt %s --memplan-from-tensors="require=verified" | %execute | cmp - %t.before
// RUN: memplan-opt %s --memplan-from-tensors="stripes=20 require=verified" | %execute | cmp - %t.before
// RUN: memplan-opt %s --memplan-from-tensors="stripes=1000 require=verified" | %execute | cmp - %t.before

// Two separable blocks on 13 rows, which nothing divides.
func.func private @blocks(%x: tensor<1x13x9x16xi8>, %d: tensor<3x3x16xi8>, %p: tensor<1x1x16x16xi8>) -> tensor<1x13x9x16xi8> {
  %v0c = arith.constant 0 : i8
  %v0 = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%p0: index, %p1: index, %p2: index, %p3: index):
    tensor.yield %v0c : i8
  } : tensor<1x13x9x16xi8> to tensor<1x15x11x16xi8>
  %v1e = tensor.empty() : tensor<1x13x9x16xi32>
  %v1z = arith.constant 0 : i32
  %v1 = linalg.fill ins(%v1z : i32) outs(%v1e : tensor<1x13x9x16xi32>) -> tensor<1x13x9x16xi32>
  %v2q = arith.constant 1 : i32
  %v2 = linalg.depthwise_conv_2d_nhwc_hwc_q {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%v0, %d, %v2q, %v2q : tensor<1x15x11x16xi8>, tensor<3x3x16xi8>, i32, i32) outs(%v1 : tensor<1x13x9x16xi32>) -> tensor<1x13x9x16xi32>
  %v3e = tensor.empty() : tensor<1x13x9x16xi8>
  %v3s = arith.constant 5 : i32
  %v3 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v2 : tensor<1x13x9x16xi32>) outs(%v3e : tensor<1x13x9x16xi8>) {
  ^bb0(%a: i32, %b: i8):
    %r = arith.shrsi %a, %v3s : i32
    %t = arith.trunci %r : i32 to i8
    linalg.yield %t : i8
  } -> tensor<1x13x9x16xi8>
  %v4e = tensor.empty() : tensor<1x13x9x16xi32>
  %v4z = arith.constant 0 : i32
  %v4 = linalg.fill ins(%v4z : i32) outs(%v4e : tensor<1x13x9x16xi32>) -> tensor<1x13x9x16xi32>
  %v5q = arith.constant 1 : i32
  %v5 = linalg.conv_2d_nhwc_hwcf_q {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%v3, %p, %v5q, %v5q : tensor<1x13x9x16xi8>, tensor<1x1x16x16xi8>, i32, i32) outs(%v4 : tensor<1x13x9x16xi32>) -> tensor<1x13x9x16xi32>
  %v6e = tensor.empty() : tensor<1x13x9x16xi8>
  %v6s = arith.constant 5 : i32
  %v6 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v5 : tensor<1x13x9x16xi32>) outs(%v6e : tensor<1x13x9x16xi8>) {
  ^bb0(%a: i32, %b: i8):
    %r = arith.shrsi %a, %v6s : i32
    %t = arith.trunci %r : i32 to i8
    linalg.yield %t : i8
  } -> tensor<1x13x9x16xi8>
  %v7c = arith.constant 0 : i8
  %v7 = tensor.pad %v6 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%p0: index, %p1: index, %p2: index, %p3: index):
    tensor.yield %v7c : i8
  } : tensor<1x13x9x16xi8> to tensor<1x15x11x16xi8>
  %v8e = tensor.empty() : tensor<1x13x9x16xi32>
  %v8z = arith.constant 0 : i32
  %v8 = linalg.fill ins(%v8z : i32) outs(%v8e : tensor<1x13x9x16xi32>) -> tensor<1x13x9x16xi32>
  %v9q = arith.constant 1 : i32
  %v9 = linalg.depthwise_conv_2d_nhwc_hwc_q {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%v7, %d, %v9q, %v9q : tensor<1x15x11x16xi8>, tensor<3x3x16xi8>, i32, i32) outs(%v8 : tensor<1x13x9x16xi32>) -> tensor<1x13x9x16xi32>
  %v10e = tensor.empty() : tensor<1x13x9x16xi8>
  %v10s = arith.constant 5 : i32
  %v10 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v9 : tensor<1x13x9x16xi32>) outs(%v10e : tensor<1x13x9x16xi8>) {
  ^bb0(%a: i32, %b: i8):
    %r = arith.shrsi %a, %v10s : i32
    %t = arith.trunci %r : i32 to i8
    linalg.yield %t : i8
  } -> tensor<1x13x9x16xi8>
  %v11e = tensor.empty() : tensor<1x13x9x16xi32>
  %v11z = arith.constant 0 : i32
  %v11 = linalg.fill ins(%v11z : i32) outs(%v11e : tensor<1x13x9x16xi32>) -> tensor<1x13x9x16xi32>
  %v12q = arith.constant 1 : i32
  %v12 = linalg.conv_2d_nhwc_hwcf_q {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%v10, %p, %v12q, %v12q : tensor<1x13x9x16xi8>, tensor<1x1x16x16xi8>, i32, i32) outs(%v11 : tensor<1x13x9x16xi32>) -> tensor<1x13x9x16xi32>
  %v13e = tensor.empty() : tensor<1x13x9x16xi8>
  %v13s = arith.constant 5 : i32
  %v13 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v12 : tensor<1x13x9x16xi32>) outs(%v13e : tensor<1x13x9x16xi8>) {
  ^bb0(%a: i32, %b: i8):
    %r = arith.shrsi %a, %v13s : i32
    %t = arith.trunci %r : i32 to i8
    linalg.yield %t : i8
  } -> tensor<1x13x9x16xi8>
  return %v13 : tensor<1x13x9x16xi8>
}

// Sums of floats are added up in the same order.
func.func private @floats(%x: tensor<1x14x14x8xf32>, %w: tensor<3x3x8x16xf32>, %v: tensor<3x3x16x4xf32>) -> tensor<1x14x4xf32> {
  %v0c = arith.constant 0.5 : f32
  %v0 = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%p0: index, %p1: index, %p2: index, %p3: index):
    tensor.yield %v0c : f32
  } : tensor<1x14x14x8xf32> to tensor<1x16x16x8xf32>
  %v1e = tensor.empty() : tensor<1x14x14x16xf32>
  %v1z = arith.constant 0.0 : f32
  %v1 = linalg.fill ins(%v1z : f32) outs(%v1e : tensor<1x14x14x16xf32>) -> tensor<1x14x14x16xf32>
  %v2 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%v0, %w : tensor<1x16x16x8xf32>, tensor<3x3x8x16xf32>) outs(%v1 : tensor<1x14x14x16xf32>) -> tensor<1x14x14x16xf32>
  %v3c = arith.constant 0.0 : f32
  %v3 = tensor.pad %v2 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%p0: index, %p1: index, %p2: index, %p3: index):
    tensor.yield %v3c : f32
  } : tensor<1x14x14x16xf32> to tensor<1x16x16x16xf32>
  %v4e = tensor.empty() : tensor<1x14x14x4xf32>
  %v4z = arith.constant 0.0 : f32
  %v4 = linalg.fill ins(%v4z : f32) outs(%v4e : tensor<1x14x14x4xf32>) -> tensor<1x14x14x4xf32>
  %v5 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%v3, %v : tensor<1x16x16x16xf32>, tensor<3x3x16x4xf32>) outs(%v4 : tensor<1x14x14x4xf32>) -> tensor<1x14x14x4xf32>
  %v6e = tensor.empty() : tensor<1x14x4xf32>
  %v6z = arith.constant 0.0 : f32
  %v6 = linalg.fill ins(%v6z : f32) outs(%v6e : tensor<1x14x4xf32>) -> tensor<1x14x4xf32>
  %v7 = linalg.reduce ins(%v5 : tensor<1x14x14x4xf32>) outs(%v6 : tensor<1x14x4xf32>) dimensions = [1]
    (%a: f32, %b: f32) {
      %s = arith.addf %a, %b : f32
      linalg.yield %s : f32
    }
  return %v7 : tensor<1x14x4xf32>
}
func.func @main() {
  %eblocks_x = tensor.empty() : tensor<1x13x9x16xi8>
  %blocks_x = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%eblocks_x : tensor<1x13x9x16xi8>) {
  ^bb0(%o: i8):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %q = affine.apply affine_map<(a, b, c, d) -> ((a * 12 + b * 25 + c * 38 + d * 51) mod 37 - 18)>(%i0, %i1, %i2, %i3)
    %v = arith.index_cast %q : index to i32
    %w = arith.trunci %v : i32 to i8
    linalg.yield %w : i8
  } -> tensor<1x13x9x16xi8>
  %eblocks_d = tensor.empty() : tensor<3x3x16xi8>
  %blocks_d = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%eblocks_d : tensor<3x3x16xi8>) {
  ^bb0(%o: i8):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %q = affine.apply affine_map<(a, b, c) -> ((a * 19 + b * 32 + c * 45) mod 37 - 18)>(%i0, %i1, %i2)
    %v = arith.index_cast %q : index to i32
    %w = arith.trunci %v : i32 to i8
    linalg.yield %w : i8
  } -> tensor<3x3x16xi8>
  %eblocks_p = tensor.empty() : tensor<1x1x16x16xi8>
  %blocks_p = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%eblocks_p : tensor<1x1x16x16xi8>) {
  ^bb0(%o: i8):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %q = affine.apply affine_map<(a, b, c, d) -> ((a * 26 + b * 39 + c * 52 + d * 65) mod 37 - 18)>(%i0, %i1, %i2, %i3)
    %v = arith.index_cast %q : index to i32
    %w = arith.trunci %v : i32 to i8
    linalg.yield %w : i8
  } -> tensor<1x1x16x16xi8>
  %blocks = func.call @blocks(%blocks_x, %blocks_d, %blocks_p) : (tensor<1x13x9x16xi8>, tensor<3x3x16xi8>, tensor<1x1x16x16xi8>) -> tensor<1x13x9x16xi8>
  %zblocks = arith.constant dense<0> : tensor<i64>
  %tblocks = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> ()>], iterator_types = ["reduction", "reduction", "reduction", "reduction"]} ins(%blocks : tensor<1x13x9x16xi8>) outs(%zblocks : tensor<i64>) {
  ^bb0(%a: i8, %o: i64):
    %m = arith.constant 31 : i64
    %x = arith.muli %o, %m : i64
    %y = arith.extsi %a : i8 to i64
    %s = arith.addi %x, %y : i64
    linalg.yield %s : i64
  } -> tensor<i64>
  %nblocks = tensor.extract %tblocks[] : tensor<i64>
  vector.print %nblocks : i64
  %efloats_x = tensor.empty() : tensor<1x14x14x8xf32>
  %floats_x = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%efloats_x : tensor<1x14x14x8xf32>) {
  ^bb0(%o: f32):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %q = affine.apply affine_map<(a, b, c, d) -> ((a * 12 + b * 25 + c * 38 + d * 51) mod 37 - 18)>(%i0, %i1, %i2, %i3)
    %v = arith.index_cast %q : index to i32
    %w = arith.sitofp %v : i32 to f32
    linalg.yield %w : f32
  } -> tensor<1x14x14x8xf32>
  %efloats_w = tensor.empty() : tensor<3x3x8x16xf32>
  %floats_w = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%efloats_w : tensor<3x3x8x16xf32>) {
  ^bb0(%o: f32):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %q = affine.apply affine_map<(a, b, c, d) -> ((a * 19 + b * 32 + c * 45 + d * 58) mod 37 - 18)>(%i0, %i1, %i2, %i3)
    %v = arith.index_cast %q : index to i32
    %w = arith.sitofp %v : i32 to f32
    linalg.yield %w : f32
  } -> tensor<3x3x8x16xf32>
  %efloats_v = tensor.empty() : tensor<3x3x16x4xf32>
  %floats_v = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%efloats_v : tensor<3x3x16x4xf32>) {
  ^bb0(%o: f32):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %q = affine.apply affine_map<(a, b, c, d) -> ((a * 26 + b * 39 + c * 52 + d * 65) mod 37 - 18)>(%i0, %i1, %i2, %i3)
    %v = arith.index_cast %q : index to i32
    %w = arith.sitofp %v : i32 to f32
    linalg.yield %w : f32
  } -> tensor<3x3x16x4xf32>
  %floats = func.call @floats(%floats_x, %floats_w, %floats_v) : (tensor<1x14x14x8xf32>, tensor<3x3x8x16xf32>, tensor<3x3x16x4xf32>) -> tensor<1x14x4xf32>
  %zfloats = arith.constant dense<0> : tensor<i64>
  %tfloats = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> ()>], iterator_types = ["reduction", "reduction", "reduction"]} ins(%floats : tensor<1x14x4xf32>) outs(%zfloats : tensor<i64>) {
  ^bb0(%a: f32, %o: i64):
    %m = arith.constant 31 : i64
    %x = arith.muli %o, %m : i64
    %b = arith.bitcast %a : f32 to i32
    %y = arith.extsi %b : i32 to i64
    %s = arith.addi %x, %y : i64
    linalg.yield %s : i64
  } -> tensor<i64>
  %nfloats = tensor.extract %tfloats[] : tensor<i64>
  vector.print %nfloats : i64
  return
}
