// Sizes that are known at the entry of the function become formulas over its
// arguments. A size that is not known there is not planned.

// RUN: memplan-opt %s -split-input-file --memplan-extract=prepare=false \
// RUN:   --remarks-filter='plan.*' --verify-diagnostics | FileCheck %s

// CHECK: memplan.problem @symbols
// CHECK-SAME: symbols = ["arg0_d0", "arg0_d1", "arg1"]
// CHECK: memplan.buffer @b0 size({{[0-9]+}}) formula("4 * arg0_d0 * arg0_d1") align(64)
// CHECK: memplan.buffer @b1 size({{[0-9]+}}) formula("256 * arg0_d0")
// CHECK: memplan.buffer @b2 size({{[0-9]+}}) formula("4 * arg1")
func.func @symbols(%x: memref<?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = arith.constant 0.0 : f32
  %d0 = memref.dim %x, %c0 : memref<?x?xf32>
  %d1 = memref.dim %x, %c1 : memref<?x?xf32>
  %0 = memref.alloc(%d0, %d1) : memref<?x?xf32>
  linalg.fill ins(%f : f32) outs(%0 : memref<?x?xf32>)
  memref.copy %0, %x : memref<?x?xf32> to memref<?x?xf32>
  %1 = memref.alloc(%d0) : memref<?x64xf32>
  linalg.fill ins(%f : f32) outs(%1 : memref<?x64xf32>)
  %s = memref.load %1[%c0, %c0] : memref<?x64xf32>
  memref.store %s, %x[%c0, %c0] : memref<?x?xf32>
  %2 = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%s : f32) outs(%2 : memref<?xf32>)
  %t = memref.load %2[%c0] : memref<?xf32>
  memref.store %t, %x[%c0, %c0] : memref<?x?xf32>
  return
}

// -----

// The extent of a buffer is the operand of its allocation, whatever views lie
// between.

// CHECK: memplan.problem @through_views
// CHECK: memplan.buffer @b0 size({{[0-9]+}}) formula("64 * n")
// CHECK: memplan.buffer @b1 size({{[0-9]+}}) formula("4 * ceildiv(n, 2)")
func.func @through_views(%x: memref<?xf32> {memplan.dim_names = ["n"]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %f = arith.constant 0.0 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %0 = memref.alloc(%n) : memref<?x16xf32>
  linalg.fill ins(%f : f32) outs(%0 : memref<?x16xf32>)
  %m = memref.dim %0, %c0 : memref<?x16xf32>
  %less = arith.subi %m, %c1 : index
  %half = arith.floordivsi %less, %c2 : index
  %more = arith.addi %half, %c1 : index
  %1 = memref.alloc(%more) : memref<?xf32>
  linalg.fill ins(%f : f32) outs(%1 : memref<?xf32>)
  %t = memref.load %1[%c0] : memref<?xf32>
  %u = memref.load %0[%c0, %c0] : memref<?x16xf32>
  %v = arith.addf %t, %u : f32
  memref.store %v, %x[%c0] : memref<?xf32>
  return
}

// -----

// Bounds and hints of arguments. Two hints: the sizes are those at the first.

// CHECK: memplan.problem @attributes
// CHECK-SAME: bounds = [array<i64: 1, 4096, 8>]
// CHECK-SAME: hints = [array<i64: 128>, array<i64: 1024>]
// CHECK-SAME: symbols = ["S"]
// CHECK: memplan.buffer @b0 size(512) formula("4 * S")
func.func @attributes(%x: memref<?xf32> {
    memplan.dim_names = ["S"], memplan.dim_bounds = array<i64: 1, 4096, 8>,
    memplan.dim_hints = [array<i64: 128>, array<i64: 1024>]}) {
  %c0 = arith.constant 0 : index
  %f = arith.constant 0.0 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %0 = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%f : f32) outs(%0 : memref<?xf32>)
  memref.copy %0, %x : memref<?xf32> to memref<?xf32>
  return
}

// -----

func.func @depends_on_data(%x: memref<?xf32>, %sizes: memref<1xindex>) {
  %c0 = arith.constant 0 : index
  %f = arith.constant 0.0 : f32
  %n = memref.load %sizes[%c0] : memref<1xindex>
  // expected-remark@below {{b0 not planned: it has a dynamic shape: dimension 0 depends on the result of 'memref.load', which is not known at the entry of the function}}
  %0 = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%f : f32) outs(%0 : memref<?xf32>)
  %t = memref.load %0[%c0] : memref<?xf32>
  memref.store %t, %x[%c0] : memref<?xf32>
  return
}

// -----

// Computed at the entry, %less is negative or huge if the condition is false.

func.func @under_a_condition(%x: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c10 = arith.constant 10 : index
  %f = arith.constant 0.0 : f32
  %is = arith.cmpi sgt, %n, %c10 : index
  scf.if %is {
    %less = arith.subi %n, %c10 : index
    // expected-remark@below {{b0 not planned: it has a dynamic shape, is allocated under a condition, and may be larger than all memory that always exists}}
    %0 = memref.alloc(%less) : memref<?xf32>
    linalg.fill ins(%f : f32) outs(%0 : memref<?xf32>)
    %t = memref.load %0[%c0] : memref<?xf32>
    memref.store %t, %x[%c0] : memref<?xf32>
  }
  return
}

// -----

// As large as the argument, so there is memory of that size in any case.

// CHECK: memplan.problem @of_an_argument
// CHECK: memplan.buffer @b0 size({{[0-9]+}}) formula("4 * arg0_d0")
func.func @of_an_argument(%x: memref<?xf32>, %is: i1) {
  %c0 = arith.constant 0 : index
  %f = arith.constant 0.0 : f32
  scf.if %is {
    %n = memref.dim %x, %c0 : memref<?xf32>
    %0 = memref.alloc(%n) : memref<?xf32>
    linalg.fill ins(%f : f32) outs(%0 : memref<?xf32>)
    %t = memref.load %0[%c0] : memref<?xf32>
    memref.store %t, %x[%c0] : memref<?xf32>
  }
  return
}

// -----

// lower-affine promises that no product of an affine op wraps around. Where
// control does not reach the op, two extents of one argument keep the promise,
// because it has memory for their product; those of two arguments may not.

// CHECK: memplan.problem @products
// CHECK: memplan.buffer @b0 size({{[0-9]+}}) formula("4 * m * n")
func.func @products(%x: memref<?x?xf32> {memplan.dim_names = ["n", "m"]},
                    %y: memref<?xf32>, %is: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = arith.constant 0.0 : f32
  %n = memref.dim %x, %c0 : memref<?x?xf32>
  %m = memref.dim %x, %c1 : memref<?x?xf32>
  %k = memref.dim %y, %c0 : memref<?xf32>
  scf.if %is {
    %nm = affine.apply affine_map<()[s0, s1] -> (s0 * s1)>()[%n, %m]
    %0 = memref.alloc(%nm) : memref<?xf32>
    linalg.fill ins(%f : f32) outs(%0 : memref<?xf32>)
    %s = memref.load %0[%c0] : memref<?xf32>
    memref.store %s, %y[%c0] : memref<?xf32>
    %nk = affine.apply affine_map<()[s0, s1] -> (s0 * s1)>()[%n, %k]
    // expected-remark@below {{b1 not planned: it has a dynamic shape, is allocated under a condition, and may be larger than all memory that always exists}}
    %1 = memref.alloc(%nk) : memref<?xf32>
    linalg.fill ins(%f : f32) outs(%1 : memref<?xf32>)
    %t = memref.load %1[%c0] : memref<?xf32>
    memref.store %t, %y[%c0] : memref<?xf32>
  }
  return
}

// -----

// The extent of a collapsed dimension is a product, also of constant extents.

// CHECK: memplan.problem @collapsed
// CHECK: memplan.buffer @b0 size({{[0-9]+}}) formula("24 * n")
// CHECK: memplan.buffer @b1 size({{[0-9]+}}) formula("24 * n")
func.func @collapsed(%x: memref<?xf32> {memplan.dim_names = ["n"]}) {
  %c0 = arith.constant 0 : index
  %f = arith.constant 0.0 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %0 = memref.alloc(%n) : memref<?x3x2xf32>
  %1 = memref.collapse_shape %0 [[0, 1, 2]] : memref<?x3x2xf32> into memref<?xf32>
  linalg.fill ins(%f : f32) outs(%1 : memref<?xf32>)
  %m = memref.dim %1, %c0 : memref<?xf32>
  %2 = memref.alloc(%m) : memref<?xf32>
  linalg.exp ins(%1 : memref<?xf32>) outs(%2 : memref<?xf32>)
  %s = memref.load %2[%c0] : memref<?xf32>
  memref.store %s, %x[%c0] : memref<?xf32>
  return
}

// -----

// A division by an extent, which may be 0: the program divides by 0 nowhere.

// CHECK: memplan.problem @divided
// CHECK: memplan.buffer @b0 size({{[0-9]+}}) formula("4 * floordiv(n, m)")
func.func @divided(%x: memref<?x?xf32> {memplan.dim_names = ["n", "m"]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = arith.constant 0.0 : f32
  %n = memref.dim %x, %c0 : memref<?x?xf32>
  %m = memref.dim %x, %c1 : memref<?x?xf32>
  %q = arith.divui %n, %m : index
  %0 = memref.alloc(%q) : memref<?xf32>
  linalg.fill ins(%f : f32) outs(%0 : memref<?xf32>)
  %s = memref.load %0[%c0] : memref<?xf32>
  memref.store %s, %x[%c0, %c0] : memref<?x?xf32>
  return
}

// -----

// A loop carries a memref whose extent is a dimension that does not exist: nothing is
// known of it.

// CHECK-NOT: memplan.problem
func.func @missing(%m: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %f = arith.constant 0.0 : f32
  %d = memref.dim %m, %c7 : memref<?xf32>
  // expected-remark@below {{b0 not planned: it has a dynamic shape: dimension 0 depends on the result of 'memref.dim', which is not known at the entry}}
  %0 = memref.alloc(%d) : memref<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %0) -> memref<?xf32> {
    scf.yield %x : memref<?xf32>
  }
  %e = memref.dim %r, %c0 : memref<?xf32>
  // expected-remark@below {{b1 not planned: it has a dynamic shape: dimension 0 depends on the result of 'memref.dim', which is not known at the entry}}
  %1 = memref.alloc(%e) : memref<?xf32>
  linalg.fill ins(%f : f32) outs(%1 : memref<?xf32>)
  %s = memref.load %1[%c0] : memref<?xf32>
  memref.store %s, %m[%c0] : memref<?xf32>
  return
}
