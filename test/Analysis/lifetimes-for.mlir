// Live ranges through scf.for, affine.for and affine.if.
// RUN: memplan-opt %s --memplan-extract --split-input-file | FileCheck %s

// A buffer that is live only within an iteration has one slot for all
// iterations.
// CHECK-LABEL: memplan.problem @allocated_in_the_body
func.func @allocated_in_the_body(%f: f32, %lo: index, %hi: index, %s: index) {
  scf.for %k = %lo to %hi step %s {                       // 0
    // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}3, 5)]
    %a = memref.alloc() : memref<16xf32>                  // 1
    // CHECK-NEXT: @b1 {{.*}} live {{\[\[}}5, 6)]
    %b = memref.alloc() : memref<16xf32>                  // 2
    memref.store %f, %a[%k] : memref<16xf32>              // 3
    %x = memref.load %a[%k] : memref<16xf32>              // 4
    memref.store %x, %b[%k] : memref<16xf32>              // 5
  }                                                       // yield: 6
  return
}

// -----

// A buffer that is live at the begin of a loop is live to its end, as the next
// iteration reads it.
// CHECK-LABEL: memplan.problem @live_into_the_loop
func.func @live_into_the_loop(%f: f32, %lo: index, %hi: index, %s: index) {
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}1, 7)]
  %a = memref.alloc() : memref<16xf32>                    // 0
  memref.store %f, %a[%lo] : memref<16xf32>               // 1
  scf.for %k = %lo to %hi step %s {                       // 2
    %x = memref.load %a[%k] : memref<16xf32>              // 3
    // It cannot have the bytes of %a after the last read of %a.
    // CHECK-NEXT: @b1 {{.*}} live {{\[\[}}5, 6)]
    %b = memref.alloc() : memref<16xf32>                  // 4
    memref.store %x, %b[%k] : memref<16xf32>              // 5
  }                                                       // yield: 6
  return
}

// -----

// First written in the loop: the next iteration reads what an iteration wrote.
// It is live from the loop on, not from the store.
// CHECK-LABEL: memplan.problem @first_written_in_the_loop
func.func @first_written_in_the_loop(%f: f32, %lo: index, %hi: index,
                                     %s: index) {
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}1, 5)]
  %a = memref.alloc() : memref<16xf32>                    // 0
  scf.for %k = %lo to %hi step %s {                       // 1
    %x = memref.load %a[%k] : memref<16xf32>              // 2
    memref.store %x, %a[%k] : memref<16xf32>              // 3
  }                                                       // yield: 4
  return
}

// -----

// A loop may have no iteration, so the result may be its initial value.
// CHECK-LABEL: memplan.problem @zero_trips
func.func @zero_trips(%f: f32, %lo: index, %hi: index, %s: index) -> f32 {
  // Live until the load of the result, but not in an iteration: each one yields
  // the other buffer.
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}2, 5), [6, 7)]
  %a = memref.alloc() : memref<16xf32>                    // 0
  // CHECK-NEXT: @b1 {{.*}} live {{\[\[}}3, 8)]
  %b = memref.alloc() : memref<16xf32>                    // 1
  memref.store %f, %a[%lo] : memref<16xf32>               // 2
  memref.store %f, %b[%lo] : memref<16xf32>               // 3
  %r = scf.for %k = %lo to %hi step %s
      iter_args(%x = %a) -> memref<16xf32> {              // 4
    scf.yield %b : memref<16xf32>                         // 5
  }
  %y = memref.load %r[%lo] : memref<16xf32>               // 6
  %z = memref.load %b[%lo] : memref<16xf32>               // 7
  return %y : f32
}

// -----

// The two alternate in each iteration: both are live throughout and after the
// loop.
// CHECK-LABEL: memplan.problem @swap
func.func @swap(%f: f32, %lo: index, %hi: index, %s: index) -> f32 {
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}2, 9)]
  %a = memref.alloc() : memref<16xf32>                    // 0
  // CHECK-NEXT: @b1 {{.*}} live {{\[\[}}3, 9)]
  %b = memref.alloc() : memref<16xf32>                    // 1
  memref.store %f, %a[%lo] : memref<16xf32>               // 2
  memref.store %f, %b[%lo] : memref<16xf32>               // 3
  %r:2 = scf.for %k = %lo to %hi step %s
      iter_args(%x = %a, %y = %b)
      -> (memref<16xf32>, memref<16xf32>) {               // 4
    %v = memref.load %x[%k] : memref<16xf32>              // 5
    memref.store %v, %y[%k] : memref<16xf32>              // 6
    scf.yield %y, %x : memref<16xf32>, memref<16xf32>     // 7
  }
  %z = memref.load %r#0[%lo] : memref<16xf32>             // 8
  return %z : f32
}

// -----

// The carried buffer is dead when its successor is written: one slot.
// CHECK-LABEL: memplan.problem @carried_but_never_two_at_once
func.func @carried_but_never_two_at_once(%f: f32, %lo: index, %hi: index,
                                         %s: index) -> f32 {
  // Between the last read of the old and the first write of the new contents
  // the slot is free.
  // CHECK-NEXT: @b0 size(64) {{.*}} live {{\[\[}}1, 4), [6, 9)]
  // CHECK-NEXT: }
  %a = memref.alloc() : memref<16xf32>                    // 0
  memref.store %f, %a[%lo] : memref<16xf32>               // 1
  %r = scf.for %k = %lo to %hi step %s
      iter_args(%x = %a) -> memref<16xf32> {              // 2
    %v = memref.load %x[%k] : memref<16xf32>              // 3
    %t = arith.addf %v, %f : f32                          // 4
    %n = memref.alloc() : memref<16xf32>                  // 5
    memref.store %t, %n[%k] : memref<16xf32>              // 6
    scf.yield %n : memref<16xf32>                         // 7
  }
  %y = memref.load %r[%lo] : memref<16xf32>               // 8
  return %y : f32
}

// -----

// The buffer of the previous iteration is read while the next one is written:
// two slots alternate, and the first buffer needs no further slot.
// CHECK-LABEL: memplan.problem @double_buffer
func.func @double_buffer(%f: f32, %lo: index, %hi: index, %s: index) -> f32 {
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}1, 9)]
  %a = memref.alloc() : memref<16xf32>                    // 0
  memref.store %f, %a[%lo] : memref<16xf32>               // 1
  %r = scf.for %k = %lo to %hi step %s
      iter_args(%x = %a) -> memref<16xf32> {              // 2
    // CHECK-NEXT: @b1 {{.*}} live {{\[\[}}3, 9)]
    // CHECK-NEXT: }
    %n = memref.alloc() : memref<16xf32>                  // 3
    memref.store %f, %n[%k] : memref<16xf32>              // 4
    %v = memref.load %x[%k] : memref<16xf32>              // 5
    memref.store %v, %n[%k] : memref<16xf32>              // 6
    scf.yield %n : memref<16xf32>                         // 7
  }
  %y = memref.load %r[%lo] : memref<16xf32>               // 8
  return %y : f32
}

// -----

// CHECK-LABEL: memplan.problem @nested_loops
func.func @nested_loops(%f: f32, %lo: index, %hi: index, %s: index) {
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}1, 9)]
  %a = memref.alloc() : memref<16xf32>                    // 0
  scf.for %k = %lo to %hi step %s {                       // 1
    // Read in the inner loop: live in all of it, dead outside of it.
    // CHECK-NEXT: @b1 {{.*}} live {{\[\[}}3, 8)]
    %b = memref.alloc() : memref<16xf32>                  // 2
    memref.store %f, %b[%k] : memref<16xf32>              // 3
    scf.for %l = %lo to %hi step %s {                     // 4
      %x = memref.load %b[%l] : memref<16xf32>            // 5
      memref.store %x, %a[%l] : memref<16xf32>            // 6
    }                                                     // yield: 7
  }                                                       // yield: 8
  return
}

// -----

// CHECK-LABEL: memplan.problem @affine_loop_and_if
#positive = affine_set<(d0) : (d0 - 1 >= 0)>
func.func @affine_loop_and_if(%f: f32) {
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}1, 12)]
  %a = memref.alloc() : memref<16xf32>                    // 0
  affine.for %k = 0 to 16 {                               // 1
    affine.if #positive(%k) {                             // 2
      // CHECK-NEXT: @b1 {{.*}} live {{\[\[}}4, 5)]
      %b = memref.alloc() : memref<16xf32>                // 3
      affine.store %f, %b[%k] : memref<16xf32>            // 4
    } else {                                              // yield: 5
      // CHECK-NEXT: @b2 {{.*}} live {{\[\[}}7, 9)]
      %c = memref.alloc() : memref<16xf32>                // 6
      affine.store %f, %c[%k] : memref<16xf32>            // 7
      %y = affine.load %c[%k] : memref<16xf32>            // 8
    }                                                     // yield: 9
    affine.store %f, %a[%k] : memref<16xf32>              // 10
  }                                                       // yield: 11
  return
}

// -----

// CHECK-LABEL: memplan.problem @affine_iteration_arguments
func.func @affine_iteration_arguments(%f: f32, %i: index) -> f32 {
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}1, 6)]
  %a = memref.alloc() : memref<16xf32>                    // 0
  memref.store %f, %a[%i] : memref<16xf32>                // 1
  %r = affine.for %k = 0 to 16
      iter_args(%x = %a) -> memref<16xf32> {              // 2
    affine.store %f, %x[%k] : memref<16xf32>              // 3
    affine.yield %x : memref<16xf32>                      // 4
  }
  %y = memref.load %r[%i] : memref<16xf32>                // 5
  return %y : f32
}
