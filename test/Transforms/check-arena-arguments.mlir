// RUN: memplan-opt %s --memplan-check-arena-arguments -split-input-file -verify-diagnostics | FileCheck %s
// RUN: memplan-opt %s --memplan-check-arena-arguments -split-input-file -verify-diagnostics --canonicalize --cse -o /dev/null

// CHECK-LABEL: func.func @f(
// CHECK-SAME: %[[IN:.*]]: memref<16xf32>, %[[ARENA:.*]]: memref<?xi8>)
// CHECK: %[[BYTES:.*]] = memref.dim %[[ARENA]], %
// CHECK: %[[C128:.*]] = arith.constant 128 : index
// CHECK: %[[LARGE:.*]] = arith.cmpi uge, %[[BYTES]], %[[C128]]
// CHECK: cf.assert %[[LARGE]], "the arena of @f has less than 128 bytes"
// CHECK: %[[ADDRESS:.*]] = memref.extract_aligned_pointer_as_index %[[ARENA]]
// CHECK: arith.cmpi ne, %[[ADDRESS]], %
// CHECK: cf.assert %{{.*}}, "the arena of @f is null"
// CHECK: arith.remui %[[ADDRESS]], %
// CHECK: cf.assert %{{.*}}, "the arena of @f is not aligned to 64 bytes"
// CHECK: %[[WHOLE:.*]] = memref.cast %[[ARENA]] : memref<?xi8> to memref<128xi8>
// CHECK: memref.view %[[WHOLE]]
func.func @f(%in: memref<16xf32>, %arena: memref<128xi8> {memplan.arena = 64 : i64}) {
  %c0 = arith.constant 0 : index
  %a = memref.view %arena[%c0][] : memref<128xi8> to memref<16xf32>
  linalg.copy ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  linalg.copy ins(%a : memref<16xf32>) outs(%in : memref<16xf32>)
  return
}

// A caller in the module; the arena is a part of its arena.
// CHECK-LABEL: func.func @caller(
// CHECK-SAME: memref<?xi8, 1>, %[[PART:.*]]: memref<128xi8>
// CHECK: cf.assert %{{.*}}, "the arena of @caller has less than 8 bytes"
// CHECK-NOT: is not aligned
// CHECK: %[[ANY:.*]] = memref.cast %[[PART]] : memref<128xi8> to memref<?xi8>
// CHECK: call @f(%{{.*}}, %[[ANY]]) : (memref<16xf32>, memref<?xi8>) -> ()
func.func @caller(%in: memref<16xf32>, %own: memref<8xi8, 1> {memplan.arena = 1 : i64},
                  %part: memref<128xi8>) {
  call @f(%in, %part) : (memref<16xf32>, memref<128xi8>) -> ()
  return
}

// Private functions get arenas that their callers have checked.
// CHECK-LABEL: func.func private @private(
// CHECK-SAME: memref<128xi8> {memplan.arena = 64 : i64})
func.func private @private(%arena: memref<128xi8> {memplan.arena = 64 : i64}) {
  return
}

// -----

// CHECK-LABEL: func.func @called_by_address(
// CHECK-SAME: memref<128xi8> {memplan.arena = 64 : i64})
// expected-warning @below {{its arena is not checked: its symbol is used other than by func.call}}
func.func @called_by_address(%arena: memref<128xi8> {memplan.arena = 64 : i64}) {
  return
}
func.func @g() -> ((memref<128xi8>) -> ()) {
  %f = constant @called_by_address : (memref<128xi8>) -> ()
  return %f : (memref<128xi8>) -> ()
}
