// A copy whose source and target are the same bytes is removed when the arena
// is lowered; the facts that the verifier needs about it are kept.
// RUN: memplan-opt %s --memplan-verify=quiet=true --memplan-lower | FileCheck %s
// RUN: memplan-opt %s --memplan-lower --memplan-verify=quiet=true -o %t.lowered.mlir
// RUN: memplan-opt %t.lowered.mlir --memplan-lower | diff %t.lowered.mlir -
// RUN: memplan-opt %s --memplan-lower --canonicalize | FileCheck %s --check-prefix=CLEAN

// CLEAN-LABEL: func @whole(
// CLEAN-NOT: memref.copy
// CLEAN: linalg.abs
// CHECK-LABEL: func @whole(
func.func @whole(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memplan.arena align(64) : memref<64xi8>
  // CHECK: %[[A:.*]] = memref.view {{.*}} to memref<16xf32>
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  // CHECK: %[[B:.*]] = memref.view {{.*}} to memref<4x4xf32>
  %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<4x4xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %e = memref.expand_shape %a [[0, 1]] output_shape [4, 4] : memref<16xf32> into memref<4x4xf32>
  // CHECK: %[[FROM:.*]] = memref.reinterpret_cast %[[A]] to offset: [0], sizes: [0], strides: [1]
  // CHECK: %[[TO:.*]] = memref.reinterpret_cast %[[B]] to offset: [0], sizes: [0], strides: [1]
  // CHECK: memref.copy %[[FROM]], %[[TO]] {memplan.copied = array<i64: 0, 0, 64>} : memref<0xf32> to memref<0xf32>
  memref.copy %e, %b : memref<4x4xf32> to memref<4x4xf32>
  %c = memref.collapse_shape %b [[0, 1]] : memref<4x4xf32> into memref<16xf32>
  linalg.abs ins(%c : memref<16xf32>) outs(%out : memref<16xf32>)
  memplan.release %arena : memref<64xi8>
  return
}

// Another op copies %a to %b in each iteration. Without the mark of the removed
// copy, %b would seem to be overwritten.
// CHECK-LABEL: func @in_loop(
func.func @in_loop(%n: index, %in: memref<16xf32>, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memplan.arena align(64) : memref<64xi8>
  %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  linalg.abs ins(%in : memref<16xf32>) outs(%b : memref<16xf32>)
  scf.for %i = %c0 to %n step %c1 {
    %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
    linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
    // CHECK: linalg.exp
    // CHECK-NOT: linalg.generic
    // CHECK: memref.copy {{.*}} {memplan.copied = array<i64: 0, 0, 64>}
    linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
        ins(%a : memref<16xf32>) outs(%b : memref<16xf32>) {
    ^bb0(%x: f32, %y: f32):
      linalg.yield %x : f32
    }
  }
  // CHECK: memref.copy {{.*}} : memref<16xf32> to memref<16xf32>
  memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<64xi8>
  return
}

// %s has the bytes of the first slice of %t; the second slice is copied.
// CHECK-LABEL: func @slices(
func.func @slices(%in: memref<4xf32>, %out: memref<16xf32>) {
  %arena = memplan.arena align(64) : memref<128xi8>
  %t = memplan.view %arena[0] align(4) : memref<128xi8> to memref<16xf32>
  %s = memplan.view %arena[16] align(4) : memref<128xi8> to memref<4xf32>
  linalg.abs ins(%in : memref<4xf32>) outs(%s : memref<4xf32>)
  %first = memref.subview %t[4] [4] [1] : memref<16xf32> to memref<4xf32, strided<[1], offset: 4>>
  %second = memref.subview %t[8] [4] [1] : memref<16xf32> to memref<4xf32, strided<[1], offset: 8>>
  // CHECK: memref.copy {{.*}} {memplan.copied = array<i64: 0, 16, 16>}
  // CHECK-NEXT: linalg.copy ins({{.*}} : memref<4xf32, strided<[1], offset: 4>>)
  linalg.copy ins(%s : memref<4xf32>) outs(%first : memref<4xf32, strided<[1], offset: 4>>)
  linalg.copy ins(%first : memref<4xf32, strided<[1], offset: 4>>) outs(%second : memref<4xf32, strided<[1], offset: 8>>)
  memref.copy %t, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<128xi8>
  return
}

// Rows of a matrix with gaps: the strides matter, not only the bytes.
// CHECK-LABEL: func @strides(
func.func @strides(%in: memref<8x8xf32>, %out: memref<8x8xf32>) {
  %arena = memplan.arena align(64) : memref<256xi8>
  %t = memplan.view %arena[0] align(4) : memref<256xi8> to memref<8x8xf32>
  linalg.abs ins(%in : memref<8x8xf32>) outs(%t : memref<8x8xf32>)
  // CHECK: %[[ROWS:.*]] = memref.subview
  %rows = memref.subview %t[0, 0] [4, 4] [2, 1] : memref<8x8xf32> to memref<4x4xf32, strided<[16, 1]>>
  // CHECK: %[[COLUMNS:.*]] = memref.subview
  %columns = memref.subview %t[0, 0] [4, 4] [1, 2] : memref<8x8xf32> to memref<4x4xf32, strided<[8, 2]>>
  // CHECK-NEXT: memref.copy %[[ROWS]], %[[COLUMNS]]
  // CHECK-NEXT: memref.copy {{.*}} : memref<8x8xf32> to memref<8x8xf32>
  memref.copy %rows, %columns : memref<4x4xf32, strided<[16, 1]>> to memref<4x4xf32, strided<[8, 2]>>
  memref.copy %rows, %rows : memref<4x4xf32, strided<[16, 1]>> to memref<4x4xf32, strided<[16, 1]>>
  memref.copy %t, %out : memref<8x8xf32> to memref<8x8xf32>
  memplan.release %arena : memref<256xi8>
  return
}

// An op that transposes its input is not a copy.
// CHECK-LABEL: func @other_maps(
func.func @other_maps(%in: memref<4x4xf32>, %out: memref<4x4xf32>) {
  %arena = memplan.arena align(64) : memref<64xi8>
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<4x4xf32>
  linalg.abs ins(%in : memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  // CHECK: linalg.generic
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<4x4xf32>) outs(%out : memref<4x4xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  memplan.release %arena : memref<64xi8>
  return
}
