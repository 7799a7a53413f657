// Live ranges through scf.while: the condition runs once more than the body.
// RUN: memplan-opt %s --memplan-extract --split-input-file \
// RUN:   --remarks-filter='plan.*' -verify-diagnostics | FileCheck %s

// CHECK-LABEL: memplan.problem @temporaries_of_both_regions
func.func @temporaries_of_both_regions(%f: f32, %i: index, %c: i1) {
  scf.while : () -> () {                                  // 0
    // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}2, 3)]
    %a = memref.alloc() : memref<16xf32>                  // 1
    memref.store %f, %a[%i] : memref<16xf32>              // 2
    scf.condition(%c)                                     // 3
  } do {
    // CHECK-NEXT: @b1 {{.*}} live {{\[\[}}5, 6)]
    %b = memref.alloc() : memref<16xf32>                  // 4
    memref.store %f, %b[%i] : memref<16xf32>              // 5
    scf.yield                                             // 6
  }
  return
}

// -----

// Written before the loop and read only in the condition: the body runs before
// the next evaluation of the condition, so the buffer is live there, too.
// CHECK-LABEL: memplan.problem @read_in_the_condition
func.func @read_in_the_condition(%f: f32, %i: index) {
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}1, 9)]
  %a = memref.alloc() : memref<16xf32>                    // 0
  memref.store %f, %a[%i] : memref<16xf32>                // 1
  scf.while : () -> () {                                  // 2
    %x = memref.load %a[%i] : memref<16xf32>              // 3
    %c = arith.cmpf olt, %x, %f : f32                     // 4
    scf.condition(%c)                                     // 5
  } do {
    // CHECK-NEXT: @b1 {{.*}} live {{\[\[}}7, 8)]
    %b = memref.alloc() : memref<16xf32>                  // 6
    memref.store %f, %b[%i] : memref<16xf32>              // 7
    scf.yield                                             // 8
  }
  return
}

// -----

// Carried unchanged through condition, body and result.
// CHECK-LABEL: memplan.problem @carried
func.func @carried(%f: f32, %i: index, %c: i1) -> f32 {
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}1, 7)]
  %a = memref.alloc() : memref<16xf32>                    // 0
  memref.store %f, %a[%i] : memref<16xf32>                // 1
  %r = scf.while (%x = %a) : (memref<16xf32>) -> memref<16xf32> { // 2
    scf.condition(%c) %x : memref<16xf32>                 // 3
  } do {
  ^bb0(%y: memref<16xf32>):
    memref.store %f, %y[%i] : memref<16xf32>              // 4
    scf.yield %y : memref<16xf32>                         // 5
  }
  %v = memref.load %r[%i] : memref<16xf32>                // 6
  return %v : f32
}

// -----

// The body may not run: the result is the value that the condition forwarded,
// which is the initial value. Two buffers are live at once, the old and the new
// one.
// CHECK-LABEL: memplan.problem @alternating
// CHECK-NEXT: @b0 {{.*}} live {{\[\[}}1, 10)]
// The second one is free until the loop begins.
// CHECK-NEXT: @b1 {{.*}} live {{\[\[}}3, 10)]
// CHECK-NEXT: }
func.func @alternating(%f: f32, %i: index, %c: i1) -> f32 {
  %a = memref.alloc() : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  %r = scf.while (%x = %a) : (memref<16xf32>) -> memref<16xf32> {
    scf.condition(%c) %x : memref<16xf32>
  } do {
  ^bb0(%y: memref<16xf32>):
    %n = memref.alloc() : memref<16xf32>
    memref.store %f, %n[%i] : memref<16xf32>
    %v = memref.load %y[%i] : memref<16xf32>
    memref.store %v, %n[%i] : memref<16xf32>
    scf.yield %n : memref<16xf32>
  }
  %v = memref.load %r[%i] : memref<16xf32>
  return %v : f32
}
