// Live ranges of ops that run at once: in whole steps.
// RUN: memplan-opt %s --memplan-extract --split-input-file | FileCheck %s

// If one op of a step has the last read of a buffer, no other op of the step
// may overwrite it: %a and %b are both live in all of step 1, points 4 to 6,
// although in the order of the text %a is dead when %b begins.
// CHECK-LABEL: memplan.problem @live_in_whole_steps
func.func @live_in_whole_steps(%m: memref<8xf32>, %f: f32) {
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}2, 5)]
  %a = memref.alloc() : memref<8xf32>                               // 0
  // CHECK-NEXT: @b1 {{.*}} live {{\[\[}}3, 6)]
  %b = memref.alloc() : memref<8xf32>                               // 1
  linalg.fill {memplan.step = 0} ins(%f : f32)                      // 2
      outs(%a : memref<8xf32>)
  memref.copy %a, %m {memplan.step = 1}                             // 3
      : memref<8xf32> to memref<8xf32>
  linalg.fill {memplan.step = 1} ins(%f : f32)                      // 4
      outs(%b : memref<8xf32>)
  memref.copy %b, %m {memplan.step = 2}                             // 5
      : memref<8xf32> to memref<8xf32>
  return
}

// -----

// Allocations and deallocations between the ops have no time of their own.
// CHECK-LABEL: memplan.problem @allocated_inside
func.func @allocated_inside(%f: f32) {
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}1, 5)]
  %a = memref.alloc() : memref<8xf32>                               // 0
  linalg.fill {memplan.step = 0} ins(%f : f32)                      // 1
      outs(%a : memref<8xf32>)
  memref.dealloc %a : memref<8xf32>                                 // 2
  // CHECK-NEXT: @b1 {{.*}} live {{\[\[}}1, 5)]
  %b = memref.alloc() : memref<8xf32>                               // 3
  linalg.fill {memplan.step = 0} ins(%f : f32)                      // 4
      outs(%b : memref<8xf32>)
  memref.dealloc %b : memref<8xf32>                                 // 5
  return
}

// -----

// A loop is one op of its step, so its accesses happen during the whole loop.
// CHECK-LABEL: memplan.problem @a_loop_in_a_step
func.func @a_loop_in_a_step(%f: f32, %lo: index, %hi: index, %s: index) {
  scf.for %k = %lo to %hi step %s {                                 // 0
    // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}0, 7)]
    %a = memref.alloc() : memref<8xf32>                             // 1
    memref.store %f, %a[%k] : memref<8xf32>                         // 2
    %x = memref.load %a[%k] : memref<8xf32>                         // 3
  } {memplan.step = 0}                                              // yield: 4
  // CHECK-NEXT: @b1 {{.*}} live {{\[\[}}0, 7)]
  %b = memref.alloc() : memref<8xf32>                               // 5
  linalg.fill {memplan.step = 0} ins(%f : f32)                      // 6
      outs(%b : memref<8xf32>)
  return
}

// -----

// Streams run at the same time until an op without one; ops of one stream run
// in order and may depend on each other.
// CHECK-LABEL: memplan.problem @streams
func.func @streams(%m: memref<8xf32>, %f: f32) {
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}3, 6)]
  %a = memref.alloc() : memref<8xf32>                               // 0
  // CHECK-NEXT: @b1 {{.*}} live {{\[\[}}3, 7)]
  %b = memref.alloc() : memref<8xf32>                               // 1
  // CHECK-NEXT: @b2 {{.*}} live {{\[\[}}7, 8)]
  %c = memref.alloc() : memref<8xf32>                               // 2
  linalg.fill {memplan.stream = 0} ins(%f : f32)                    // 3
      outs(%a : memref<8xf32>)
  linalg.fill {memplan.stream = 1} ins(%f : f32)                    // 4
      outs(%b : memref<8xf32>)
  linalg.exp {memplan.stream = 0}                                   // 5
      ins(%a : memref<8xf32>) outs(%a : memref<8xf32>)
  memref.copy %b, %m : memref<8xf32> to memref<8xf32>               // 10: join
  linalg.fill {memplan.stream = 0} ins(%f : f32)                    // 7
      outs(%c : memref<8xf32>)
  return
}

// -----

// Five ops at once.
// CHECK-LABEL: memplan.problem @five
// CHECK-NEXT: @b0 {{.*}} live {{\[\[}}5, 10)]
// CHECK-NEXT: @b1 {{.*}} live {{\[\[}}5, 10)]
// CHECK-NEXT: @b2 {{.*}} live {{\[\[}}5, 10)]
// CHECK-NEXT: @b3 {{.*}} live {{\[\[}}5, 10)]
// CHECK-NEXT: @b4 {{.*}} live {{\[\[}}5, 10)]
// CHECK-COUNT-5: memplan.step = 7
func.func @five(%f: f32) {
  %a = memref.alloc() : memref<8xf32>                               // 0
  %b = memref.alloc() : memref<8xf32>                               // 1
  %c = memref.alloc() : memref<8xf32>                               // 2
  %d = memref.alloc() : memref<8xf32>                               // 3
  %e = memref.alloc() : memref<8xf32>                               // 4
  linalg.fill {memplan.step = 7} ins(%f : f32) outs(%a : memref<8xf32>)
  linalg.fill {memplan.step = 7} ins(%f : f32) outs(%b : memref<8xf32>)
  linalg.fill {memplan.step = 7} ins(%f : f32) outs(%c : memref<8xf32>)
  linalg.fill {memplan.step = 7} ins(%f : f32) outs(%d : memref<8xf32>)
  linalg.fill {memplan.step = 7} ins(%f : f32) outs(%e : memref<8xf32>)
  return
}

// -----

// The instances that the loop carries have one slot if the old one is dead when
// the new one begins (step by step), and not if both are used at once.
// CHECK-LABEL: memplan.problem @carried_step_by_step
// CHECK-NEXT: @b0 {{.*}} live {{\[\[}}1, 4), [5, 8)]
// CHECK-NEXT: }
// CHECK-LABEL: func.func @carried_step_by_step
func.func @carried_step_by_step(%f: f32, %lo: index, %hi: index, %s: index) {
  %init = memref.alloc() : memref<8xf32>                            // 0
  linalg.fill ins(%f : f32) outs(%init : memref<8xf32>)             // 1
  %r = scf.for %k = %lo to %hi step %s                              // 2
      iter_args(%old = %init) -> memref<8xf32> {
    %x = memref.load %old[%k] {memplan.step = 0} : memref<8xf32>    // 3
    %new = memref.alloc() : memref<8xf32>                           // 4
    linalg.fill {memplan.step = 1}                                  // 5
        ins(%f : f32) outs(%new : memref<8xf32>)
    scf.yield %new : memref<8xf32>                                  // 6
  }
  %y = memref.load %r[%lo] : memref<8xf32>                          // 7
  return
}

// -----

// The new buffer is not planned and keeps its allocation.
// CHECK-LABEL: memplan.problem @carried_at_once
// CHECK-NEXT: @b0 {{.*}} live {{\[\[}}1, 6), [7, 8)]
// CHECK-NEXT: }
// CHECK-LABEL: func.func @carried_at_once
// CHECK: scf.for
// CHECK: memref.alloc() : memref<8xf32>
func.func @carried_at_once(%f: f32, %lo: index, %hi: index, %s: index) {
  %init = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%init : memref<8xf32>)
  %r = scf.for %k = %lo to %hi step %s
      iter_args(%old = %init) -> memref<8xf32> {
    %x = memref.load %old[%k] {memplan.step = 0} : memref<8xf32>
    %new = memref.alloc() : memref<8xf32>
    linalg.fill {memplan.step = 0} ins(%f : f32) outs(%new : memref<8xf32>)
    scf.yield %new : memref<8xf32>
  }
  %y = memref.load %r[%lo] : memref<8xf32>
  return
}
