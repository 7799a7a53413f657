// Clean-ups of upstream that are allowed and not allowed on planned programs.
// RUN: memplan-opt %s --cse --canonicalize --loop-invariant-code-motion | FileCheck %s

// Two views at one offset are two buffers, so they are not merged.
// CHECK-LABEL: func.func @not_merged
func.func @not_merged(%f: f32, %i: index) -> (f32, f32) {
  %arena = memplan.arena align(64) : memref<64xi8>
  // CHECK: %[[A:.*]] = memplan.view
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  %x = memref.load %a[%i] : memref<16xf32>
  // CHECK: %[[B:.*]] = memplan.view
  %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  %y = memref.load %b[%i] : memref<16xf32>
  memplan.release %arena : memref<64xi8>
  return %x, %y : f32, f32
}

// A view in a loop begins a new instance in each iteration, so it and its
// markers are not hoisted.
// CHECK-LABEL: func.func @not_hoisted
func.func @not_hoisted(%f: f32, %i: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memplan.arena align(64) : memref<64xi8>
  // CHECK: scf.for
  scf.for %k = %c0 to %n step %c1 {
    // CHECK-NEXT: memplan.view
    %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
    memref.store %f, %a[%i] : memref<16xf32>
  }
  memplan.release %arena : memref<64xi8>
  return
}

// Unused ops are removed.
// CHECK-LABEL: func.func @dead
// CHECK-NEXT:  return
func.func @dead() {
  %arena = memplan.arena align(64) : memref<64xi8>
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  %b = memplan.workspace shared : memref<16xf32>
  return
}

// The symbols of a problem are local: names may be used again, and none is
// removed.
// CHECK-LABEL: memplan.problem @names
// CHECK-NEXT:  memplan.buffer @dead
memplan.problem @names {
  memplan.buffer @dead size(4) live [[0, 1)]
}
