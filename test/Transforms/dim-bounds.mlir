// RUN: memplan-opt %s --memplan-dim-bounds -split-input-file | FileCheck %s
// RUN: memplan-opt %s --memplan-dim-bounds --memplan-dim-bounds -split-input-file | FileCheck %s
// RUN: memplan-opt %s --plan-memory -split-input-file | FileCheck %s --check-prefix=PLAN

// One assertion for each dimension with a bound. A second run adds none.
// CHECK-LABEL: func.func @checked(
// CHECK-SAME:    %[[X:.*]]: memref<?x?x8xf32>
// CHECK:         %[[S:.*]] = memref.dim %[[X]], %c0
// CHECK:         %[[LEAST:.*]] = arith.cmpi sge, %[[S]], %c1
// CHECK:         %[[MOST:.*]] = arith.cmpi sle, %[[S]], %c128
// CHECK:         %[[BOTH:.*]] = arith.andi %[[LEAST]], %[[MOST]]
// CHECK:         %[[REST:.*]] = arith.remui %[[S]], %c4
// CHECK:         %[[WHOLE:.*]] = arith.cmpi eq, %[[REST]], %c0
// CHECK:         %[[ALL:.*]] = arith.andi %[[BOTH]], %[[WHOLE]]
// CHECK:         cf.assert %[[ALL]], "@checked: dimension 0 of argument 0 (S) must be at least 1, at most 128 and a multiple of 4"
// CHECK:         cf.assert %{{.*}}, "@checked: dimension 1 of argument 0 must be at most 6"
// CHECK-NOT:     cf.assert
// PLAN-LABEL: func.func @checked(
// PLAN-COUNT-2: cf.assert
// PLAN-LABEL: func.func @asserts_itself(
func.func @checked(
    %x: memref<?x?x8xf32> {memplan.dim_names = ["S", "", ""],
                           memplan.dim_bounds = array<i64: 1, 128, 4, 0, 6, 1, 8, 8, 1>},
    %y: memref<?xf32> {memplan.dim_bounds = array<i64: 0, -1, 1>}) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?x?x8xf32>
  %m = memref.dim %y, %c0 : memref<?xf32>
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%m) : memref<?xf32>
  return
}

// -----

// What the program asserts itself is not asserted again, and what it asserts
// behind an access is.
// CHECK-LABEL: func.func @asserts_itself(
// CHECK:         cf.assert %{{.*}}, "@asserts_itself: dimension 0 of argument 1 must be at most 64"
// CHECK:         cf.assert %{{.*}}, "own"
// CHECK:         cf.assert %{{.*}}, "late"
// CHECK-NOT:     cf.assert
func.func @asserts_itself(
    %x: memref<?xf32> {memplan.dim_bounds = array<i64: 0, 64, 1>},
    %y: memref<?xf32> {memplan.dim_bounds = array<i64: 0, 64, 1>}) {
  %c0 = arith.constant 0 : index
  %c33 = arith.constant 33 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %own = arith.cmpi slt, %n, %c33 : index
  cf.assert %own, "own"
  memref.store %zero, %x[%c0] : memref<?xf32>
  %m = memref.dim %y, %c0 : memref<?xf32>
  %late = arith.cmpi sle, %m, %c64 : index
  cf.assert %late, "late"
  %a = memref.alloc(%n) : memref<?xf32>
  return
}

// -----

// A function without buffers of dynamic shape needs no bounds.
// CHECK-LABEL: func.func @static(
// CHECK-NOT:     cf.assert
// PLAN-LABEL: func.func @static(
// PLAN-NOT:     cf.assert
func.func @static(%x: memref<?xf32> {memplan.dim_bounds = array<i64: 0, 64, 1>}) {
  %a = memref.alloc() : memref<16xf32>
  return
}
