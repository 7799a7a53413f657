// With in-place, a buffer may begin in the bytes of another one that an op
// reads for the last time, if the op reads no element that it has overwritten.

// RUN: memplan-opt %s -split-input-file --plan-memory="in-place=true lower=false" | memplan-opt -split-input-file --memplan-verify=quiet=true | FileCheck %s
// RUN: memplan-opt %s -split-input-file --memplan-extract="in-place=true" --memplan-solve --memplan-materialize --memplan-verify=quiet=true | FileCheck %s
// RUN: memplan-opt %s -split-input-file --memplan-extract="in-place=true" | FileCheck %s --check-prefix=PROBLEM
// RUN: memplan-opt %s -split-input-file --plan-memory | FileCheck %s --check-prefix=APART

// Of two buffers at a time, one remains.
// PROBLEM: memplan.overlap @b0, @b1 by [0, 0]
// PROBLEM: memplan.overlap @b1, @b2 by [0, 0]
// CHECK-LABEL: func.func @chain(
// CHECK: memplan.arena align(64) : memref<64xi8>
// APART-LABEL: func.func @chain(
// APART: memref<128xi8>
func.func @chain(%in: memref<16xf32>, %out: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %b = memref.alloc() : memref<16xf32>
  linalg.abs ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
  %c = memref.alloc() : memref<16xf32>
  memref.copy %b, %c : memref<16xf32> to memref<16xf32>
  linalg.add ins(%c, %in : memref<16xf32>, memref<16xf32>) outs(%out : memref<16xf32>)
  return
}

// -----

// %a is read again.
// CHECK-LABEL: func.func @read_later(
// CHECK: memplan.arena align(64) : memref<128xi8>
func.func @read_later(%in: memref<16xf32>, %out: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %b = memref.alloc() : memref<16xf32>
  linalg.abs ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
  linalg.add ins(%a, %b : memref<16xf32>, memref<16xf32>) outs(%out : memref<16xf32>)
  return
}

// -----

// %b is written and not read, and %a is read again, so it has separate bytes.
// CHECK-LABEL: func.func @dead_write(
// CHECK: memplan.arena align(64) : memref<128xi8>
func.func @dead_write(%in: memref<16xf32>, %out: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %b = memref.alloc() : memref<16xf32>
  linalg.abs ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
  memref.copy %a, %out : memref<16xf32> to memref<16xf32>
  return
}

// -----

// The next iteration reads it once more.
// CHECK-LABEL: func.func @loop(
// CHECK: memplan.arena align(64) : memref<128xi8>
func.func @loop(%n: index, %in: memref<16xf32>, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  scf.for %i = %c0 to %n step %c1 {
    %b = memref.alloc() : memref<16xf32>
    linalg.abs ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
    memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  }
  return
}

// -----

// Element [i, j] is written before [j, i] is read.
// CHECK-LABEL: func.func @transposed(
// CHECK: memplan.arena align(64) : memref<128xi8>
func.func @transposed(%in: memref<4x4xf32>, %out: memref<4x4xf32>) {
  %a = memref.alloc() : memref<4x4xf32>
  linalg.exp ins(%in : memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  %b = memref.alloc() : memref<4x4xf32>
  linalg.transpose ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>) permutation = [1, 0]
  memref.copy %b, %out : memref<4x4xf32> to memref<4x4xf32>
  return
}

// -----

// The same operand with two indexing maps.
// CHECK-LABEL: func.func @two_maps(
// CHECK: memplan.arena align(64) : memref<128xi8>
#id = affine_map<(i, j) -> (i, j)>
#tr = affine_map<(i, j) -> (j, i)>
func.func @two_maps(%in: memref<4x4xf32>, %out: memref<4x4xf32>) {
  %a = memref.alloc() : memref<4x4xf32>
  linalg.exp ins(%in : memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  %b = memref.alloc() : memref<4x4xf32>
  linalg.generic {indexing_maps = [#id, #tr, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%b : memref<4x4xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  }
  memref.copy %b, %out : memref<4x4xf32> to memref<4x4xf32>
  return
}

// -----

// A row of %a by another name.
// CHECK-LABEL: func.func @other_name(
// CHECK: memplan.arena align(64) : memref<128xi8>
#id2 = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>
func.func @other_name(%in: memref<4x4xf32>, %out: memref<4x4xf32>) {
  %a = memref.alloc() : memref<4x4xf32>
  linalg.exp ins(%in : memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  %b = memref.alloc() : memref<4x4xf32>
  %v = memref.subview %a[1, 0] [1, 4] [1, 1] : memref<4x4xf32> to memref<4xf32, strided<[1], offset: 4>>
  linalg.generic {indexing_maps = [#id2, #row, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a, %v : memref<4x4xf32>, memref<4xf32, strided<[1], offset: 4>>) outs(%b : memref<4x4xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  }
  memref.copy %b, %out : memref<4x4xf32> to memref<4x4xf32>
  return
}

// -----

// A matmul reads rows and columns again; the elementwise ops around it do not.
// CHECK-LABEL: func.func @matmul(
// CHECK: memplan.arena align(64) : memref<128xi8>
func.func @matmul(%in: memref<4x4xf32>, %out: memref<4x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<4x4xf32>
  linalg.exp ins(%in : memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  %b = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<4x4xf32>)
  linalg.matmul ins(%a, %in : memref<4x4xf32>, memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  %c = memref.alloc() : memref<4x4xf32>
  linalg.abs ins(%b : memref<4x4xf32>) outs(%c : memref<4x4xf32>)
  memref.copy %c, %out : memref<4x4xf32> to memref<4x4xf32>
  return
}

// -----

// A buffer that is used after a conditional is live from its begin on, while %a
// is live.
// CHECK-LABEL: func.func @branches(
// CHECK: memplan.arena align(64) : memref<128xi8>
func.func @branches(%cond: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %b = memref.alloc() : memref<16xf32>
  scf.if %cond {
    linalg.abs ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
  } else {
    linalg.exp ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
  }
  memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  return
}

// -----

// Two operands and a result of 256 bytes each, as in vector units: 512 bytes,
// not 768.
// CHECK-LABEL: func.func @binary(
// CHECK: memplan.arena align(64) : memref<512xi8>
func.func @binary(%x: memref<128xi16>, %y: memref<128xi16>, %out: memref<128xi16>) {
  %a = memref.alloc() : memref<128xi16>
  memref.copy %x, %a : memref<128xi16> to memref<128xi16>
  %b = memref.alloc() : memref<128xi16>
  memref.copy %y, %b : memref<128xi16> to memref<128xi16>
  %c = memref.alloc() : memref<128xi16>
  linalg.add ins(%a, %b : memref<128xi16>, memref<128xi16>) outs(%c : memref<128xi16>)
  memref.copy %c, %out : memref<128xi16> to memref<128xi16>
  return
}

// -----

// The body reads elements that other iterations have already written.
// CHECK-LABEL: func.func @captured_in_body(
// CHECK: memplan.arena align(64) : memref<128xi8>
func.func @captured_in_body(%in: memref<16xf32>, %out: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %b = memref.alloc() : memref<16xf32>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a : memref<16xf32>) outs(%b : memref<16xf32>) {
  ^bb0(%x: f32, %y: f32):
    %last = arith.constant 15 : index
    %i = linalg.index 0 : index
    %back = arith.subi %last, %i : index
    %v = memref.load %a[%back] : memref<16xf32>
    linalg.yield %v : f32
  }
  memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  return
}

// -----

// Of two results, the one with the size of the operand overwrites it: 158720
// bytes for 126976, 126976 and 31744, not 285696.
// CHECK-LABEL: func.func @two_results(
// CHECK: memplan.arena align(64) : memref<158720xi8>
func.func @two_results(%in: memref<31744xf32>, %out0: memref<31744xf32>, %out1: memref<31744xf8E4M3FN>) {
  %x = memref.alloc() : memref<31744xf32>
  memref.copy %in, %x : memref<31744xf32> to memref<31744xf32>
  %narrow = memref.alloc() : memref<31744xf8E4M3FN>
  %wide = memref.alloc() : memref<31744xf32>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : memref<31744xf32>) outs(%wide, %narrow : memref<31744xf32>, memref<31744xf8E4M3FN>) {
  ^bb0(%v: f32, %w: f32, %n: f8E4M3FN):
    %l = math.log %v : f32
    %t = arith.truncf %l : f32 to f8E4M3FN
    linalg.yield %l, %t : f32, f8E4M3FN
  }
  memref.copy %wide, %out0 : memref<31744xf32> to memref<31744xf32>
  memref.copy %narrow, %out1 : memref<31744xf8E4M3FN> to memref<31744xf8E4M3FN>
  return
}

// -----

// A bias is other memory, so the number of reads of its elements does not
// matter. A dimension of one element has no order.
// CHECK-LABEL: func.func @bias(
// CHECK: memplan.arena align(64) : memref<64xi8>
func.func @bias(%in: memref<1x4x4xf32>, %bias: memref<4xf32>, %out: memref<1x4x4xf32>) {
  %a = memref.alloc() : memref<1x4x4xf32>
  linalg.exp ins(%in : memref<1x4x4xf32>) outs(%a : memref<1x4x4xf32>)
  %b = memref.alloc() : memref<1x4x4xf32>
  linalg.generic {indexing_maps = [affine_map<(n, i, j) -> (0, i, j)>, affine_map<(n, i, j) -> (j)>, affine_map<(n, i, j) -> (n, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%a, %bias : memref<1x4x4xf32>, memref<4xf32>) outs(%b : memref<1x4x4xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  }
  memref.copy %b, %out : memref<1x4x4xf32> to memref<1x4x4xf32>
  return
}

// -----

// Another element type of the same size, and another shape with dimensions of
// one element.
// CHECK-LABEL: func.func @bits(
// CHECK: memplan.arena align(64) : memref<64xi8>
func.func @bits(%in: memref<4x4xf32>, %out: memref<1x4x4xi32>) {
  %a = memref.alloc() : memref<4x4xf32>
  linalg.exp ins(%in : memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  %b = memref.alloc() : memref<1x4x4xi32>
  linalg.generic {indexing_maps = [affine_map<(n, i, j) -> (i, j)>, affine_map<(n, i, j) -> (n, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%a : memref<4x4xf32>) outs(%b : memref<1x4x4xi32>) {
  ^bb0(%x: f32, %z: i32):
    %s = arith.bitcast %x : f32 to i32
    linalg.yield %s : i32
  }
  memref.copy %b, %out : memref<1x4x4xi32> to memref<1x4x4xi32>
  return
}

// -----

// The operand is read again by the loop over the dimension that it does not
// have.
// CHECK-LABEL: func.func @broadcast(
// CHECK: memplan.arena align(64) : memref<80xi8>
func.func @broadcast(%in: memref<4x1xf32>, %out: memref<4x4xf32>) {
  %a = memref.alloc() : memref<4x1xf32>
  linalg.exp ins(%in : memref<4x1xf32>) outs(%a : memref<4x1xf32>)
  %b = memref.alloc() : memref<4x4xf32>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, 0)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<4x1xf32>) outs(%b : memref<4x4xf32>) {
  ^bb0(%x: f32, %z: f32):
    linalg.yield %x : f32
  }
  memref.copy %b, %out : memref<4x4xf32> to memref<4x4xf32>
  return
}

// -----

// Every element is written four times and read as often.
// CHECK-LABEL: func.func @written_again(
// CHECK: memplan.arena align(64) : memref<80xi8>
func.func @written_again(%in: memref<4xf32>, %out: memref<4xf32>, %four: memref<4x4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  linalg.exp ins(%in : memref<4xf32>) outs(%a : memref<4xf32>)
  %b = memref.alloc() : memref<4xf32>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "parallel"]}
      ins(%a, %four : memref<4xf32>, memref<4x4xf32>) outs(%b : memref<4xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %s = arith.negf %x : f32
    linalg.yield %s : f32
  }
  memref.copy %b, %out : memref<4xf32> to memref<4xf32>
  return
}
