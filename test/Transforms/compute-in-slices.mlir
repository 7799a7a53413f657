// An op writes directly to the slice to which its result is copied, also if the
// slice has gaps.

// RUN: memplan-test-opt %s --memplan-compute-in-slices --split-input-file | FileCheck %s
// RUN: memplan-opt %s --plan-memory="require=verified" --split-input-file | FileCheck %s --check-prefix=PLAN
// RUN: memplan-opt %s --plan-memory="require=verified prepare=false" --split-input-file | FileCheck %s --check-prefix=WITHOUT

// The larger buffer and its fill are moved up; the copy and the smaller buffer
// are removed.
// CHECK-LABEL: func.func @pad
// CHECK-NOT: memref.alloc() : memref<4x4xf32>
// CHECK: %[[LARGE:.+]] = memref.alloc() : memref<6x6xf32>
// CHECK: linalg.fill {{.*}} outs(%[[LARGE]]
// CHECK: %[[SLICE:.+]] = memref.subview %[[LARGE]][1, 1] [4, 4] [1, 1]
// CHECK: linalg.exp {{.*}} outs(%[[SLICE]]
// CHECK-NOT: memref.copy
// CHECK: return
// PLAN-LABEL: func.func @pad
// PLAN: memplan.arena} : memref<144xi8>
// PLAN-NOT: memref.copy
// PLAN: return
// WITHOUT-LABEL: func.func @pad
// WITHOUT: memplan.arena} : memref<208xi8>
// WITHOUT: memref.copy
func.func @pad(%in: memref<4x4xf32>, %out: memref<6x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<4x4xf32>
  linalg.exp ins(%in : memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  %b = memref.alloc() : memref<6x6xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<6x6xf32>)
  %s = memref.subview %b[1, 1] [4, 4] [1, 1] : memref<6x6xf32> to memref<4x4xf32, strided<[6, 1], offset: 7>>
  memref.copy %a, %s : memref<4x4xf32> to memref<4x4xf32, strided<[6, 1], offset: 7>>
  linalg.exp ins(%b : memref<6x6xf32>) outs(%out : memref<6x6xf32>)
  return
}

// -----

// Ops that accumulate or work in place do so in the slice.
// CHECK-LABEL: func.func @chain
// CHECK: %[[LARGE:.+]] = memref.alloc() : memref<6x6xf32>
// CHECK: linalg.map outs(%[[LARGE]]
// CHECK: %[[SLICE:.+]] = memref.subview %[[LARGE]]
// CHECK: linalg.fill {{.*}} outs(%[[SLICE]]
// CHECK: linalg.matmul {{.*}} outs(%[[SLICE]]
// CHECK: linalg.add ins(%[[SLICE]], {{.*}} outs(%[[SLICE]]
// CHECK-NOT: memref.copy
// CHECK: return
func.func @chain(%in: memref<4x4xf32>, %out: memref<6x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<4x4xf32>)
  linalg.matmul ins(%in, %in : memref<4x4xf32>, memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  linalg.add ins(%a, %in : memref<4x4xf32>, memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  %b = memref.alloc() : memref<6x6xf32>
  linalg.map outs(%b : memref<6x6xf32>) (%init: f32) {
    linalg.yield %zero : f32
  }
  %s = memref.subview %b[1, 1] [4, 4] [1, 1] : memref<6x6xf32> to memref<4x4xf32, strided<[6, 1], offset: 7>>
  memref.copy %a, %s : memref<4x4xf32> to memref<4x4xf32, strided<[6, 1], offset: 7>>
  linalg.exp ins(%b : memref<6x6xf32>) outs(%out : memref<6x6xf32>)
  return
}

// -----

// Both halves of a concatenation along the inner dimension.
// CHECK-LABEL: func.func @concat
// CHECK: %[[LARGE:.+]] = memref.alloc() : memref<4x8xf32>
// CHECK: %[[LEFT:.+]] = memref.subview %[[LARGE]][0, 0]
// CHECK: linalg.exp {{.*}} outs(%[[LEFT]]
// CHECK: %[[RIGHT:.+]] = memref.subview %[[LARGE]][0, 4]
// CHECK: linalg.log {{.*}} outs(%[[RIGHT]]
// CHECK-NOT: memref.copy
// CHECK: return
func.func @concat(%in: memref<4x4xf32>, %out: memref<4x8xf32>) {
  %a = memref.alloc() : memref<4x4xf32>
  linalg.exp ins(%in : memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  %c = memref.alloc() : memref<4x4xf32>
  linalg.log ins(%in : memref<4x4xf32>) outs(%c : memref<4x4xf32>)
  %b = memref.alloc() : memref<4x8xf32>
  %s = memref.subview %b[0, 0] [4, 4] [1, 1] : memref<4x8xf32> to memref<4x4xf32, strided<[8, 1]>>
  memref.copy %a, %s : memref<4x4xf32> to memref<4x4xf32, strided<[8, 1]>>
  %t = memref.subview %b[0, 4] [4, 4] [1, 1] : memref<4x8xf32> to memref<4x4xf32, strided<[8, 1], offset: 4>>
  memref.copy %c, %t : memref<4x4xf32> to memref<4x4xf32, strided<[8, 1], offset: 4>>
  linalg.exp ins(%b : memref<4x8xf32>) outs(%out : memref<4x8xf32>)
  return
}

// -----

// If the slice is contiguous, the solver can place the smaller buffer there,
// unless the larger buffer is filled before.
// CHECK-LABEL: func.func @in_one_piece
// CHECK: memref.copy
// CHECK-NOT: memref.copy
// CHECK: return
// PLAN-LABEL: func.func @in_one_piece
// PLAN: memplan.arena} : memref<128xi8>
// PLAN-NOT: memref.copy {{.*}} memref<16xf32
// PLAN: return
func.func @in_one_piece(%in: memref<16xf32>, %out: memref<32xf32>) {
  %zero = arith.constant 0.0 : f32
  %b = memref.alloc() : memref<32xf32>
  %r = memref.subview %b[0] [16] [1] : memref<32xf32> to memref<16xf32, strided<[1]>>
  linalg.fill ins(%zero : f32) outs(%r : memref<16xf32, strided<[1]>>)
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %s = memref.subview %b[16] [16] [1] : memref<32xf32> to memref<16xf32, strided<[1], offset: 16>>
  memref.copy %a, %s : memref<16xf32> to memref<16xf32, strided<[1], offset: 16>>
  linalg.exp ins(%b : memref<32xf32>) outs(%out : memref<32xf32>)
  %d = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%d : memref<16xf32>)
  %c = memref.alloc() : memref<32xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<32xf32>)
  %t = memref.subview %c[16] [16] [1] : memref<32xf32> to memref<16xf32, strided<[1], offset: 16>>
  memref.copy %d, %t : memref<16xf32> to memref<16xf32, strided<[1], offset: 16>>
  linalg.exp ins(%c : memref<32xf32>) outs(%out : memref<32xf32>)
  return
}

// -----

// The smaller buffer is used after the copy, in a loop, or after the slice was
// overwritten. If it is overwritten, it is another buffer from there on.
// CHECK-LABEL: func.func @used_behind
// CHECK-COUNT-2: memref.copy
// CHECK: %[[SLICE:.+]] = memref.subview {{.*}}[2, 2]
// CHECK: linalg.log {{.*}} outs(%[[SLICE]]
// CHECK-NOT: memref.copy
// CHECK: linalg.exp {{.*}} outs(%{{.+}} : memref<4x4xf32>)
// CHECK: return
func.func @used_behind(%in: memref<4x4xf32>, %out: memref<6x6xf32>, %o: memref<4x4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %b = memref.alloc() : memref<6x6xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<6x6xf32>)
  %s = memref.subview %b[1, 1] [4, 4] [1, 1] : memref<6x6xf32> to memref<4x4xf32, strided<[6, 1], offset: 7>>
  %a = memref.alloc() : memref<4x4xf32>
  linalg.exp ins(%in : memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  memref.copy %a, %s : memref<4x4xf32> to memref<4x4xf32, strided<[6, 1], offset: 7>>
  memref.store %zero, %b[%c1, %c1] : memref<6x6xf32>
  linalg.exp ins(%a : memref<4x4xf32>) outs(%o : memref<4x4xf32>)
  linalg.exp ins(%in : memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  memref.copy %a, %s : memref<4x4xf32> to memref<4x4xf32, strided<[6, 1], offset: 7>>
  scf.for %i = %c0 to %n step %c1 {
    linalg.exp ins(%a : memref<4x4xf32>) outs(%o : memref<4x4xf32>)
  }
  %t = memref.subview %b[2, 2] [4, 4] [1, 1] : memref<6x6xf32> to memref<4x4xf32, strided<[6, 1], offset: 14>>
  linalg.log ins(%in : memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  memref.copy %a, %t : memref<4x4xf32> to memref<4x4xf32, strided<[6, 1], offset: 14>>
  linalg.exp ins(%in : memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  linalg.exp ins(%a : memref<4x4xf32>) outs(%o : memref<4x4xf32>)
  linalg.exp ins(%b : memref<6x6xf32>) outs(%out : memref<6x6xf32>)
  return
}

// -----

// Not changed: other contents of the slice in between, names that cannot be
// followed, views of the smaller buffer, loops that use it, dynamic shapes.
// CHECK-LABEL: func.func @left_alone
// CHECK-COUNT-6: memref.copy
// CHECK: return
func.func private @keep(memref<4x4xf32>)
func.func @left_alone(%in: memref<4x4xf32>, %out: memref<6x6xf32>, %o: memref<4x4xf32>, %v: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = memref.alloc() : memref<6x6xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<6x6xf32>)
  %s = memref.subview %b[1, 1] [4, 4] [1, 1] : memref<6x6xf32> to memref<4x4xf32, strided<[6, 1], offset: 7>>
  %a = memref.alloc() : memref<4x4xf32>
  linalg.exp ins(%in : memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  // The slice is read once more.
  linalg.exp ins(%b : memref<6x6xf32>) outs(%out : memref<6x6xf32>)
  memref.copy %a, %s : memref<4x4xf32> to memref<4x4xf32, strided<[6, 1], offset: 7>>
  linalg.exp ins(%b : memref<6x6xf32>) outs(%out : memref<6x6xf32>)
  %a1 = memref.alloc() : memref<4x4xf32>
  linalg.exp ins(%in : memref<4x4xf32>) outs(%a1 : memref<4x4xf32>)
  func.call @keep(%a1) : (memref<4x4xf32>) -> ()
  memref.copy %a1, %s : memref<4x4xf32> to memref<4x4xf32, strided<[6, 1], offset: 7>>
  linalg.exp ins(%b : memref<6x6xf32>) outs(%out : memref<6x6xf32>)
  %a2 = memref.alloc() : memref<4x4xf32>
  linalg.exp ins(%in : memref<4x4xf32>) outs(%a2 : memref<4x4xf32>)
  %flat = memref.collapse_shape %a2 [[0, 1]] : memref<4x4xf32> into memref<16xf32>
  linalg.exp ins(%flat : memref<16xf32>) outs(%flat : memref<16xf32>)
  memref.copy %a2, %s : memref<4x4xf32> to memref<4x4xf32, strided<[6, 1], offset: 7>>
  linalg.exp ins(%b : memref<6x6xf32>) outs(%out : memref<6x6xf32>)
  %a3 = memref.alloc() : memref<4x4xf32>
  scf.for %i = %c0 to %n step %c1 {
    linalg.exp ins(%in : memref<4x4xf32>) outs(%a3 : memref<4x4xf32>)
  }
  memref.copy %a3, %s : memref<4x4xf32> to memref<4x4xf32, strided<[6, 1], offset: 7>>
  linalg.exp ins(%b : memref<6x6xf32>) outs(%out : memref<6x6xf32>)
  // Its elements are read in another order than they are written.
  %a4 = memref.alloc() : memref<4x4xf32>
  func.call @keep(%a4) : (memref<4x4xf32>) -> ()
  linalg.transpose ins(%in : memref<4x4xf32>) outs(%a4 : memref<4x4xf32>) permutation = [1, 0]
  memref.copy %a4, %s : memref<4x4xf32> to memref<4x4xf32, strided<[6, 1], offset: 7>>
  linalg.exp ins(%b : memref<6x6xf32>) outs(%out : memref<6x6xf32>)
  %a5 = memref.alloc(%n) : memref<?x4xf32>
  linalg.fill ins(%v : f32) outs(%a5 : memref<?x4xf32>)
  %s5 = memref.subview %b[1, 1] [%n, 4] [1, 1] : memref<6x6xf32> to memref<?x4xf32, strided<[6, 1], offset: 7>>
  memref.copy %a5, %s5 : memref<?x4xf32> to memref<?x4xf32, strided<[6, 1], offset: 7>>
  linalg.exp ins(%b : memref<6x6xf32>) outs(%out : memref<6x6xf32>)
  return
}

// -----

// The larger buffer would be live at the peak, so the copy stays, or only the
// last op writes to the slice.
// CHECK-LABEL: func.func @no_room
// CHECK: linalg.matmul {{.*}} outs(%[[SMALL:.+]] : memref<8x8xf32>)
// CHECK: %[[LARGE:.+]] = memref.alloc() : memref<32x32xf32>
// CHECK: %[[SLICE:.+]] = memref.subview %[[LARGE]]
// CHECK: linalg.add ins(%[[SMALL]], {{.*}} outs(%[[SLICE]]
// CHECK-NOT: memref.copy
// CHECK: return
func.func @no_room(%in: memref<8x32xf32>, %in2: memref<8x8xf32>, %out: memref<32x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %t = memref.alloc() : memref<8x32xf32>
  linalg.exp ins(%in : memref<8x32xf32>) outs(%t : memref<8x32xf32>)
  %t2 = memref.alloc() : memref<32x8xf32>
  linalg.transpose ins(%in : memref<8x32xf32>) outs(%t2 : memref<32x8xf32>) permutation = [1, 0]
  %a = memref.alloc() : memref<8x8xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<8x8xf32>)
  linalg.matmul ins(%t, %t2 : memref<8x32xf32>, memref<32x8xf32>) outs(%a : memref<8x8xf32>)
  linalg.add ins(%a, %in2 : memref<8x8xf32>, memref<8x8xf32>) outs(%a : memref<8x8xf32>)
  %b = memref.alloc() : memref<32x32xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<32x32xf32>)
  %s = memref.subview %b[1, 1] [8, 8] [1, 1] : memref<32x32xf32> to memref<8x8xf32, strided<[32, 1], offset: 33>>
  memref.copy %a, %s : memref<8x8xf32> to memref<8x8xf32, strided<[32, 1], offset: 33>>
  linalg.exp ins(%b : memref<32x32xf32>) outs(%out : memref<32x32xf32>)
  return
}

// -----

// Reads after the copy read the slice, also an op that then overwrites the
// smaller buffer: a residual connection.
// CHECK-LABEL: func.func @residual
// CHECK: %[[LARGE:.+]] = memref.alloc() : memref<6x6xf32>
// CHECK: %[[SLICE:.+]] = memref.subview %[[LARGE]][1, 1]
// CHECK: linalg.exp {{.*}} outs(%[[SLICE]]
// CHECK-NOT: memref.copy
// CHECK: linalg.pooling_nchw_max ins
// CHECK: linalg.add ins(%[[SLICE]], %{{.*}} outs(%[[SMALL:.+]] :
// CHECK: linalg.exp ins(%[[SMALL]]
// CHECK: return
func.func @residual(%in: memref<4x4xf32>, %room: memref<32x32xf32>, %out: memref<4x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %large = memref.alloc() : memref<32x32xf32>
  linalg.exp ins(%room : memref<32x32xf32>) outs(%large : memref<32x32xf32>)
  linalg.exp ins(%large : memref<32x32xf32>) outs(%room : memref<32x32xf32>)
  %a = memref.alloc() : memref<4x4xf32>
  linalg.exp ins(%in : memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  %b = memref.alloc() : memref<6x6xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<6x6xf32>)
  %s = memref.subview %b[1, 1] [4, 4] [1, 1] : memref<6x6xf32> to memref<4x4xf32, strided<[6, 1], offset: 7>>
  memref.copy %a, %s : memref<4x4xf32> to memref<4x4xf32, strided<[6, 1], offset: 7>>
  %v = memref.expand_shape %b [[0, 1, 2], [3]] output_shape [1, 1, 6, 6] : memref<6x6xf32> into memref<1x1x6x6xf32>
  %w = memref.alloc() : memref<3x3xf32>
  %c = memref.alloc() : memref<4x4xf32>
  %d = memref.expand_shape %c [[0, 1, 2], [3]] output_shape [1, 1, 4, 4] : memref<4x4xf32> into memref<1x1x4x4xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<4x4xf32>)
  linalg.pooling_nchw_max ins(%v, %w : memref<1x1x6x6xf32>, memref<3x3xf32>) outs(%d : memref<1x1x4x4xf32>)
  linalg.add ins(%a, %c : memref<4x4xf32>, memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  linalg.exp ins(%a : memref<4x4xf32>) outs(%out : memref<4x4xf32>)
  return
}

// -----

// The fill may be a linalg.generic. Another op that writes the whole buffer is
// not moved, nor are writes to other parts in between.
// CHECK-LABEL: func.func @generic_fill
// CHECK: %[[LARGE:.+]] = memref.alloc() : memref<12xf32>
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : f32) outs(%[[LARGE]]
// CHECK: %[[SLICE:.+]] = memref.subview %[[LARGE]][2] [8]
// CHECK: linalg.exp {{.*}} outs(%[[SLICE]]
// CHECK-NOT: memref.copy
// CHECK: return
func.func @generic_fill(%in: memref<8xf32>, %out: memref<12xf32>, %v: f32) {
  %a = memref.alloc() : memref<8xf32>
  linalg.exp ins(%in : memref<8xf32>) outs(%a : memref<8xf32>)
  %b = memref.alloc() : memref<12xf32>
  linalg.generic {indexing_maps = [affine_map<(i) -> ()>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%v : f32) outs(%b : memref<12xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  %s = memref.subview %b[2] [8] [1] : memref<12xf32> to memref<8xf32, strided<[1], offset: 2>>
  memref.copy %a, %s : memref<8xf32> to memref<8xf32, strided<[1], offset: 2>>
  linalg.exp ins(%b : memref<12xf32>) outs(%out : memref<12xf32>)
  return
}

// CHECK-LABEL: func.func @elsewhere
// CHECK: linalg.exp {{.*}} outs(%[[LARGE:.+]] : memref<4x8xf32>)
// CHECK: %[[SLICE:.+]] = memref.subview %[[LARGE]][0, 0]
// CHECK: linalg.log {{.*}} outs(%[[SLICE]]
// CHECK: linalg.add {{.*}} outs(%{{.*}} : memref<2x3xf32, strided<[8, 1], offset: 4>>)
// CHECK: linalg.add {{.*}} outs(%{{.*}} : memref<2x3xf32, strided<[8, 1], offset: 5>>)
// CHECK-NOT: memref.copy
// CHECK: return
func.func @elsewhere(%in: memref<2x3xf32>, %all: memref<4x8xf32>, %out: memref<4x8xf32>) {
  %b = memref.alloc() : memref<4x8xf32>
  linalg.exp ins(%all : memref<4x8xf32>) outs(%b : memref<4x8xf32>)
  %a = memref.alloc() : memref<2x3xf32>
  linalg.log ins(%in : memref<2x3xf32>) outs(%a : memref<2x3xf32>)
  %t = memref.subview %b[0, 4] [2, 3] [1, 1] : memref<4x8xf32> to memref<2x3xf32, strided<[8, 1], offset: 4>>
  linalg.add ins(%t, %in : memref<2x3xf32, strided<[8, 1], offset: 4>>, memref<2x3xf32>) outs(%t : memref<2x3xf32, strided<[8, 1], offset: 4>>)
  %u = memref.subview %b[0, 5] [2, 3] [1, 1] : memref<4x8xf32> to memref<2x3xf32, strided<[8, 1], offset: 5>>
  linalg.add ins(%u, %in : memref<2x3xf32, strided<[8, 1], offset: 5>>, memref<2x3xf32>) outs(%u : memref<2x3xf32, strided<[8, 1], offset: 5>>)
  %s = memref.subview %b[0, 0] [2, 3] [1, 1] : memref<4x8xf32> to memref<2x3xf32, strided<[8, 1]>>
  memref.copy %a, %s : memref<2x3xf32> to memref<2x3xf32, strided<[8, 1]>>
  linalg.exp ins(%b : memref<4x8xf32>) outs(%out : memref<4x8xf32>)
  return
}

// -----

// What is copied to two slices of one buffer is computed in the first of them,
// and copied from there.
// CHECK-LABEL: func.func @two_slices_of_one
// CHECK: %[[LARGE:.+]] = memref.alloc() : memref<4x12xf32>
// CHECK: %[[FIRST:.+]] = memref.subview %[[LARGE]][0, 0] [4, 6] [1, 1]
// CHECK-NEXT: linalg.exp {{.*}} outs(%[[FIRST]]
// CHECK-NEXT: %[[SECOND:.+]] = memref.subview %[[LARGE]][0, 6] [4, 6] [1, 1]
// CHECK-NEXT: memref.copy %[[FIRST]], %[[SECOND]]
// CHECK-NEXT: linalg.abs ins(%[[LARGE]]
// PLAN-LABEL: func.func @two_slices_of_one
// PLAN: memplan.arena} : memref<192xi8>
// WITHOUT-LABEL: func.func @two_slices_of_one
// WITHOUT: memplan.arena} : memref<288xi8>
func.func @two_slices_of_one(%in: memref<4x6xf32>, %out: memref<4x12xf32>) {
  %a = memref.alloc() : memref<4x6xf32>
  linalg.exp ins(%in : memref<4x6xf32>) outs(%a : memref<4x6xf32>)
  %b = memref.alloc() : memref<4x12xf32>
  %s = memref.subview %b[0, 0] [4, 6] [1, 1] : memref<4x12xf32> to memref<4x6xf32, strided<[12, 1]>>
  memref.copy %a, %s : memref<4x6xf32> to memref<4x6xf32, strided<[12, 1]>>
  %t = memref.subview %b[0, 6] [4, 6] [1, 1] : memref<4x12xf32> to memref<4x6xf32, strided<[12, 1], offset: 6>>
  memref.copy %a, %t : memref<4x6xf32> to memref<4x6xf32, strided<[12, 1], offset: 6>>
  linalg.abs ins(%b : memref<4x12xf32>) outs(%out : memref<4x12xf32>)
  return
}
