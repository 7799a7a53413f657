// With in-place a buffer begins in the place of one that an op reads for the
// last time, where the op reads no element that it has overwritten.

// RUN: memplan-opt %s -split-input-file --plan-memory="in-place=true lower=false" | memplan-opt -split-input-file --memplan-verify=quiet=true | FileCheck %s
// RUN: memplan-opt %s -split-input-file --memplan-extract="in-place=true" --memplan-solve --memplan-materialize --memplan-verify=quiet=true | FileCheck %s
// RUN: memplan-opt %s -split-input-file --memplan-extract="in-place=true" | FileCheck %s --check-prefix=PROBLEM
// RUN: memplan-opt %s -split-input-file --plan-memory | FileCheck %s --check-prefix=APART

// Two buffers at a time are one.
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

// %b is written and not read, and %a is read again: it has its own place.
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

// Read once more by the next iteration.
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

// Element [i, j] is written while [j, i] is still to be read.
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

// The same operand by two maps.
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

// What is needed after a conditional is live from its begin, where %a is, too.
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

// Of two operands and a result of 256 bytes each, as vector units have them:
// 512 bytes, not 768.
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

// The body reads elements that other iterations have written by then.
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
