// RUN: memplan-opt %s --memplan-cost="output=- per-op dim-hint=3" -o /dev/null \
// RUN:   | FileCheck %s
// RUN: memplan-opt %s --memplan-cost="output=- format=json" -o /dev/null \
// RUN:   | FileCheck %s --check-prefix=JSON

// Columns: ops, FLOPs, bytes read, bytes written, scratch, FLOPs per byte.

// 2 x 4 x 8 x 16 = 1024. The zeros are read, as the product is added to them.
// CHECK-LABEL: @matmul: 1024 FLOPs
// CHECK: linalg.fill {{.*}} 1 0 0 128 0 0.000
// CHECK: linalg.matmul {{.*}} 1 1024 896 128 0 1.000
// JSON: "function": "matmul"
// JSON-NEXT: "flops": 1024
// JSON: "exact": true
func.func @matmul(%a: tensor<4x16xf32>, %b: tensor<16x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %m = linalg.matmul ins(%a, %b : tensor<4x16xf32>, tensor<16x8xf32>) outs(%z : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %m : tensor<4x8xf32>
}

// The same on memrefs.
// CHECK-LABEL: @matmul_memref: 1024 FLOPs
// CHECK: linalg.matmul {{.*}} 1 1024 896 128 0 1.000
func.func @matmul_memref(%a: memref<4x16xf32>, %b: memref<16x8xf32>, %c: memref<4x8xf32>) {
  linalg.matmul ins(%a, %b : memref<4x16xf32>, memref<16x8xf32>) outs(%c : memref<4x8xf32>)
  return
}

// Output 1x3x3x4 (stride 2 on 8x8 with a 3x3 window), 3x3x2 for each element:
// 2 x 36 x 18 = 1296.
// CHECK-LABEL: @conv: 1296 FLOPs
// CHECK: linalg.conv_2d_nhwc_hwcf {{.*}} 1 1296 944 144 0
func.func @conv(%i: tensor<1x8x8x2xf32>, %w: tensor<3x3x2x4xf32>, %o: tensor<1x3x3x4xf32>) -> tensor<1x3x3x4xf32> {
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
    ins(%i, %w : tensor<1x8x8x2xf32>, tensor<3x3x2x4xf32>) outs(%o : tensor<1x3x3x4xf32>) -> tensor<1x3x3x4xf32>
  return %r : tensor<1x3x3x4xf32>
}

// One addition for each of 3 x 3 window positions of 1x2x2x4 elements: 144. The
// window tensor is a shape: it is not read.
// CHECK-LABEL: @pool: 144 FLOPs
// CHECK: linalg.pooling_nhwc_sum {{.*}} 1 144 320 64 0
func.func @pool(%i: tensor<1x4x4x4xf32>, %w: tensor<3x3xf32>, %o: tensor<1x2x2x4xf32>) -> tensor<1x2x2x4xf32> {
  %r = linalg.pooling_nhwc_sum {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%i, %w : tensor<1x4x4x4xf32>, tensor<3x3xf32>) outs(%o : tensor<1x2x2x4xf32>) -> tensor<1x2x2x4xf32>
  return %r : tensor<1x2x2x4xf32>
}

// Quantized: each product subtracts two zero points. 4 x 4 x 8 x 16 = 2048.
// CHECK-LABEL: @quantized: 2048 FLOPs
// JSON: "function": "quantized"
// JSON: "flops_by_type": {
// JSON-NEXT: "i32": 2048
func.func @quantized(%a: tensor<4x16xi8>, %b: tensor<16x8xi8>, %za: i32, %zb: i32, %c: tensor<4x8xi32>) -> tensor<4x8xi32> {
  %m = linalg.quantized_matmul ins(%a, %b, %za, %zb : tensor<4x16xi8>, tensor<16x8xi8>, i32, i32) outs(%c : tensor<4x8xi32>) -> tensor<4x8xi32>
  return %m : tensor<4x8xi32>
}

// 5 for each of 32 elements: maximum, difference, exponential, sum, quotient.
// CHECK-LABEL: @softmax: 160 FLOPs
func.func @softmax(%x: tensor<4x8xf32>, %o: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %s = linalg.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%o : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %s : tensor<4x8xf32>
}

// Conversion, select and index computations cost nothing; comparison, function
// and fused multiply-add cost 1 + 1 + 2 for each of 16 elements.
// CHECK-LABEL: @body: 64 FLOPs
func.func @body(%x: tensor<16xf32>, %o: tensor<16xf16>) -> tensor<16xf16> {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<16xf32>) outs(%o : tensor<16xf16>) {
  ^bb0(%a: f32, %b: f16):
    %i = linalg.index 0 : index
    %j = arith.addi %i, %i : index
    %e = math.exp %a : f32
    %f = math.fma %e, %a, %a : f32
    %c = arith.cmpf ogt, %e, %f : f32
    %s = arith.select %c, %e, %f : f32
    %t = arith.truncf %s : f32 to f16
    linalg.yield %t : f16
  } -> tensor<16xf16>
  return %r : tensor<16xf16>
}

// A broadcast operand is read once: 4 + 64 bytes.
// CHECK-LABEL: @broadcast: 16 FLOPs
// CHECK: linalg.generic {{.*}} 1 16 68 64 0
func.func @broadcast(%x: tensor<16xf32>, %s: tensor<f32>, %o: tensor<16xf32>) -> tensor<16xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x, %s : tensor<16xf32>, tensor<f32>) outs(%o : tensor<16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<16xf32>
  return %r : tensor<16xf32>
}

// 8 rows of 4 of a table of 1000: 128 bytes, and the indices, 64; of the small
// table at most all bytes, 8 of 64 bytes each 4 times.
// CHECK-LABEL: @gathers: 0 FLOPs
// CHECK: linalg.generic {{.*}} 1 0 192 128 0
// CHECK: linalg.generic {{.*}} 1 0 80 128 0
func.func @gathers(%table: tensor<1000x4xf32>, %small: tensor<1x4xf32>, %i: tensor<8xi64>, %o: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%i : tensor<8xi64>) outs(%o : tensor<8x4xf32>) {
  ^bb0(%a: i64, %b: f32):
    %row = arith.index_cast %a : i64 to index
    %column = linalg.index 1 : index
    %e = tensor.extract %table[%row, %column] : tensor<1000x4xf32>
    linalg.yield %e : f32
  } -> tensor<8x4xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%i : tensor<8xi64>) outs(%o : tensor<8x4xf32>) {
  ^bb0(%a: i64, %b: f32):
    %row = arith.index_cast %a : i64 to index
    %column = linalg.index 1 : index
    %e = tensor.extract %small[%row, %column] : tensor<1x4xf32>
    linalg.yield %e : f32
  } -> tensor<8x4xf32>
  return %r, %s : tensor<8x4xf32>, tensor<8x4xf32>
}

// 10 x 5 iterations of a load, an addition and a store.
// CHECK-LABEL: @loops: 50 FLOPs
// CHECK: scf.for {{.*}} 1 50 200 200 0
func.func @loops(%m: memref<16xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  scf.for %i = %c0 to %c10 step %c1 {
    affine.for %j = 0 to 10 step 2 {
      %v = affine.load %m[%j] : memref<16xf32>
      %s = arith.addf %v, %x : f32
      affine.store %s, %m[%j] : memref<16xf32>
    }
  }
  return
}

// CHECK-LABEL: @unknown_trips: 1 FLOPs
// CHECK: scf.for {{.*}} not exact
// CHECK: total {{.*}} not exact
func.func @unknown_trips(%n: index, %m: memref<16xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %s = arith.addf %x, %x : f32
    memref.store %s, %m[%i] : memref<16xf32>
  }
  return
}

// With a hint the number of iterations is known: 7.
// CHECK-LABEL: @hinted_trips: 7 FLOPs
// CHECK-NOT: not exact
func.func @hinted_trips(%n: index {memplan.hint = 7 : i64}, %m: memref<16xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %s = arith.addf %x, %x : f32
    memref.store %s, %m[%i] : memref<16xf32>
  }
  return
}

// 5 x 16 by the hints of the argument; the other extent has the default, 3. The
// extents are propagated through the dimension, the empty tensor and the slice.
// CHECK-LABEL: @hinted_extents: 83 FLOPs
func.func @hinted_extents(%x: tensor<?x16xf32> {memplan.dim_hints = array<i64: 5, 0>}, %y: tensor<?xf32>) -> (tensor<?x16xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?x16xf32>
  %e = tensor.empty(%d) : tensor<?x16xf32>
  %r = linalg.exp ins(%x : tensor<?x16xf32>) outs(%e : tensor<?x16xf32>) -> tensor<?x16xf32>
  %n = tensor.dim %y, %c0 : tensor<?xf32>
  %s = tensor.extract_slice %y[0] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  %t = linalg.exp ins(%s : tensor<?xf32>) outs(%s : tensor<?xf32>) -> tensor<?xf32>
  return %r, %t : tensor<?x16xf32>, tensor<?xf32>
}

// The more expensive branch counts; a remark tells that it is one of two cases.
// CHECK-LABEL: @branches: 16 FLOPs
// CHECK: scf.if {{.*}} not exact
func.func @branches(%c: i1, %x: tensor<16xf32>) -> tensor<16xf32> {
  %r = scf.if %c -> tensor<16xf32> {
    %e = math.exp %x : tensor<16xf32>
    scf.yield %e : tensor<16xf32>
  } else {
    scf.yield %x : tensor<16xf32>
  }
  return %r : tensor<16xf32>
}

// Calls cost as much as their callees. A recursion counts one more activation;
// the cost of a declaration is unknown.
// CHECK-LABEL: @calls: 1040 FLOPs
// CHECK: matmul {{.*}} 1 1024
// CHECK: branches {{.*}} 1 16 {{.*}} not exact
func.func @calls(%a: tensor<4x16xf32>, %b: tensor<16x8xf32>, %c: i1, %x: tensor<16xf32>) {
  %m = call @matmul(%a, %b) : (tensor<4x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32>
  %r = call @branches(%c, %x) : (i1, tensor<16xf32>) -> tensor<16xf32>
  return
}
// CHECK-LABEL: @recursive: 32 FLOPs
// CHECK: recursive {{.*}} not exact
func.func @recursive(%x: tensor<16xf32>) {
  %e = math.exp %x : tensor<16xf32>
  call @recursive(%e) : (tensor<16xf32>) -> ()
  call @declared() : () -> ()
  return
}
func.func private @declared()

// Vectors: 8 multiply-adds, 8 additions.
// CHECK-LABEL: @vectors: 24 FLOPs
// CHECK: vector.load {{.*}} 1 0 32 0 0
func.func @vectors(%m: memref<8xf32>, %v: vector<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %l = vector.load %m[%c0] : memref<8xf32>, vector<8xf32>
  %f = vector.fma %l, %v, %v : vector<8xf32>
  %r = vector.reduction <add>, %f : vector<8xf32> into f32
  return %r : f32
}

// 8 elements are copied and 2 x 4 computed: the region of the padding runs only
// for those.
// CHECK-LABEL: @copies: 4 FLOPs
// CHECK: tensor.pad {{.*}} 1 4 32 48 0
// CHECK: tensor.concat {{.*}} 1 0 64 64 0
func.func @copies(%x: tensor<8xf32>, %f: f32) -> (tensor<12xf32>, tensor<16xf32>) {
  %p = tensor.pad %x low[2] high[2] {
  ^bb0(%i: index):
    %g = arith.mulf %f, %f : f32
    tensor.yield %g : f32
  } : tensor<8xf32> to tensor<12xf32>
  %c = tensor.concat dim(0) %x, %x : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
  return %p, %c : tensor<12xf32>, tensor<16xf32>
}

// The cost saturates at the largest number.
// CHECK-LABEL: @huge: 9223372036854775807 FLOPs
func.func @huge(%x: tensor<4294967296x4294967296x8xf32>) -> tensor<4294967296x4294967296x8xf32> {
  %e = math.exp %x : tensor<4294967296x4294967296x8xf32>
  return %e : tensor<4294967296x4294967296x8xf32>
}

// A callee is analysed with the numbers and sizes of each call: 4 x 5
// multiplications and 2 x 3. Separately the bounds of its loops are unknown,
// and so are those of a loop over a triangle.
// CHECK-LABEL: @callers: 26 FLOPs
// CHECK: nest {{.*}} 1 20 80 80
// CHECK: nest {{.*}} 1 6 24 24
// CHECK-NOT: not exact
// CHECK-LABEL: @nest:
// CHECK: affine.for {{.*}} not exact
// CHECK-LABEL: @triangle:
// CHECK: affine.for {{.*}} not exact
func.func @callers(%m: memref<5xf32>, %n: memref<3xf32>) {
  %c4 = arith.constant 4 : i32
  %c2 = arith.constant 2 : i32
  %m0 = memref.cast %m : memref<5xf32> to memref<?xf32>
  %n0 = memref.cast %n : memref<3xf32> to memref<?xf32>
  call @nest(%c4, %m0) : (i32, memref<?xf32>) -> ()
  call @nest(%c2, %n0) : (i32, memref<?xf32>) -> ()
  return
}
func.func private @nest(%n: i32, %m: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %i = arith.index_cast %n : i32 to index
  %d = memref.dim %m, %c0 : memref<?xf32>
  affine.for %a = 0 to %i {
    affine.for %b = 0 to %d {
      %v = affine.load %m[%b] : memref<?xf32>
      %w = arith.mulf %v, %v : f32
      affine.store %w, %m[%b] : memref<?xf32>
    }
  }
  return
}
func.func @triangle(%m: memref<8xf32>) {
  affine.for %a = 0 to 8 {
    affine.for %b = 0 to affine_map<(d0) -> (d0)>(%a) {
      %v = affine.load %m[%b] : memref<8xf32>
      %w = arith.mulf %v, %v : f32
      affine.store %w, %m[%b] : memref<8xf32>
    }
  }
  return
}

// Which dimension a slice has left out is seen from the sizes: its strides are
// not those of the source.
// CHECK-LABEL: @steps_of_a_slice:
// CHECK: memref.copy {{.*}} 1 0 12 12 0
func.func @steps_of_a_slice(%x: memref<1x8x1xf32>, %n: index) {
  %s = memref.subview %x[0, 1, 0] [1, %n, 1] [1, 2, 1] : memref<1x8x1xf32> to memref<?x1xf32, strided<[2, 1], offset: 1>>
  %t = memref.alloc(%n) : memref<?x1xf32>
  memref.copy %s, %t : memref<?x1xf32, strided<[2, 1], offset: 1>> to memref<?x1xf32>
  return
}
