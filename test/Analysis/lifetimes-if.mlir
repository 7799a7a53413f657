// Live ranges through scf.if and scf.index_switch.
// RUN: memplan-opt %s --memplan-extract --split-input-file | FileCheck %s

// Only one branch runs: their buffers are never live at once, whatever their
// points are.
// CHECK-LABEL: memplan.problem @exclusive_branches
func.func @exclusive_branches(%c: i1, %f: f32, %i: index) {
  scf.if %c {                                             // 0
    // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}2, 4)]
    %a = memref.alloc() : memref<16xf32>                  // 1
    memref.store %f, %a[%i] : memref<16xf32>              // 2
    %x = memref.load %a[%i] : memref<16xf32>              // 3
  } else {                                                // yield: 4
    // CHECK-NEXT: @b1 {{.*}} live {{\[\[}}6, 8)]
    %b = memref.alloc() : memref<16xf32>                  // 5
    memref.store %f, %b[%i] : memref<16xf32>              // 6
    %y = memref.load %b[%i] : memref<16xf32>              // 7
  }
  return
}

// -----

// CHECK-LABEL: memplan.problem @hole_over_the_other_branch
func.func @hole_over_the_other_branch(%c: i1, %f: f32, %i: index) {
  // Last read in the `then` branch: dead in the `else` branch from its begin
  // on, and after the conditional.
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}2, 5)]
  %a = memref.alloc() : memref<16xf32>                    // 0
  // CHECK-NEXT: @b1 {{.*}} live {{\[\[}}2, 4), [6, 8)]
  %b = memref.alloc() : memref<16xf32>                    // 1
  memref.copy %a, %b : memref<16xf32> to memref<16xf32>   // 2
  scf.if %c {                                             // 3
    %x = memref.load %a[%i] : memref<16xf32>              // 4
  } else {                                                // yield: 5
    // %b is read only here: it is not live in the `then` branch, so %a and %b
    // would share their bytes if they were not both live at 2 and 3.
    %y = memref.load %b[%i] : memref<16xf32>              // 6
    %z = memref.load %b[%i] : memref<16xf32>              // 7
  }
  return
}

// -----

// CHECK-LABEL: memplan.problem @live_across
func.func @live_across(%c: i1, %f: f32, %i: index) -> f32 {
  // Read after the conditional: live through both branches.
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}1, 7)]
  %a = memref.alloc() : memref<16xf32>                    // 0
  memref.store %f, %a[%i] : memref<16xf32>                // 1
  scf.if %c {                                             // 2
    memref.store %f, %a[%i] : memref<16xf32>              // 3
  } else {                                                // yield: 4
  }                                                       // yield: 5
  %x = memref.load %a[%i] : memref<16xf32>                // 6
  return %x : f32
}

// -----

// Allocated before and used only inside: live from the first access in each
// branch on, and not at the conditional itself, where the other buffer of the
// function is live.
// CHECK-LABEL: memplan.problem @first_access_in_branches
func.func @first_access_in_branches(%c: i1, %f: f32, %i: index) {
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}3, 4), [5, 6)]
  %a = memref.alloc() : memref<16xf32>                    // 0
  %t = arith.constant 1.0 : f32                           // 1
  scf.if %c {                                             // 2
    memref.store %f, %a[%i] : memref<16xf32>              // 3
  } else {                                                // yield: 4
    memref.store %t, %a[%i] : memref<16xf32>              // 5
  }
  return
}

// -----

// Without an `else` the buffer may be read uninitialised, as in the original
// program.
// CHECK-LABEL: memplan.problem @written_in_one_branch_read_after
func.func @written_in_one_branch_read_after(%c: i1, %f: f32, %i: index) -> f32 {
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}2, 5)]
  %a = memref.alloc() : memref<16xf32>                    // 0
  scf.if %c {                                             // 1
    memref.store %f, %a[%i] : memref<16xf32>              // 2
  }                                                       // yield: 3
  %x = memref.load %a[%i] : memref<16xf32>                // 4
  return %x : f32
}

// -----

// Read after the conditional, and dead in each branch before the first write
// there: what a branch computes before may be in its bytes. The last branch does
// not write it.
// CHECK-LABEL: memplan.problem @first_access_in_branches_read_after
func.func @first_access_in_branches_read_after(%s: index, %f: f32, %i: index) -> f32 {
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}2, 4), [7, 9), [12, 15)]
  // CHECK-NEXT: @b1 {{.*}} live {{\[\[}}5, 7)]
  // CHECK-NEXT: @b2 {{.*}} live {{\[\[}}10, 12)]
  %a = memref.alloc() : memref<16xf32>                    // 0
  scf.index_switch %s                                     // 1
  case 1 {
    %b = memref.alloc() : memref<16xf32>                  // 4
    memref.store %f, %b[%i] : memref<16xf32>              // 5
    %x = memref.load %b[%i] : memref<16xf32>              // 6
    memref.store %x, %a[%i] : memref<16xf32>              // 7
    scf.yield                                             // 8
  }
  case 2 {
    %b = memref.alloc() : memref<16xf32>                  // 9
    memref.store %f, %b[%i] : memref<16xf32>              // 10
    %x = memref.load %b[%i] : memref<16xf32>              // 11
    memref.store %x, %a[%i] : memref<16xf32>              // 12
    scf.yield                                             // 13
  }
  default {
    %z = arith.addf %f, %f : f32                          // 2
    scf.yield                                             // 3
  }
  %y = memref.load %a[%i] : memref<16xf32>                // 14
  return %y : f32
}

// -----

// The result is one of the two, each of which is new in its branch: one slot
// for both and the result.
// CHECK-LABEL: memplan.problem @result_is_either
func.func @result_is_either(%c: i1, %f: f32, %i: index) -> f32 {
  // CHECK-NEXT: @b0 size(64) align(64) live {{\[\[}}2, 4), [5, 8)]
  // CHECK-NEXT: }
  // CHECK: memref.alloc() {memplan.buffer = "b0"}
  // CHECK: memref.alloc() {memplan.buffer = "b0"}
  %r = scf.if %c -> memref<16xf32> {                      // 0
    %a = memref.alloc() : memref<16xf32>                  // 1
    memref.store %f, %a[%i] : memref<16xf32>              // 2
    scf.yield %a : memref<16xf32>                         // 3
  } else {
    %b = memref.alloc() : memref<16xf32>                  // 4
    memref.store %f, %b[%i] : memref<16xf32>              // 5
    scf.yield %b : memref<16xf32>                         // 6
  }
  %x = memref.load %r[%i] : memref<16xf32>                // 7
  return %x : f32
}

// -----

// Both exist before the branch: two slots, both live while the result is in
// use. In a branch that yields the other one, neither is live.
// CHECK-LABEL: memplan.problem @result_is_one_of_two
func.func @result_is_one_of_two(%c: i1, %f: f32, %i: index) -> f32 {
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}2, 6), [7, 8)]
  %a = memref.alloc() : memref<16xf32>                    // 0
  // CHECK-NEXT: @b1 {{.*}} live {{\[\[}}3, 5), [6, 8)]
  %b = memref.alloc() : memref<16xf32>                    // 1
  memref.store %f, %a[%i] : memref<16xf32>                // 2
  memref.store %f, %b[%i] : memref<16xf32>                // 3
  %r = scf.if %c -> memref<16xf32> {                      // 4
    scf.yield %a : memref<16xf32>                         // 5
  } else {
    scf.yield %b : memref<16xf32>                         // 6
  }
  %x = memref.load %r[%i] : memref<16xf32>                // 7
  return %x : f32
}

// -----

// CHECK-LABEL: memplan.problem @nested_conditionals
func.func @nested_conditionals(%c: i1, %d: i1, %f: f32, %i: index) {
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}3, 4)]
  // CHECK-NEXT: @b1 {{.*}} live {{\[\[}}6, 7)]
  // CHECK-NEXT: @b2 {{.*}} live {{\[\[}}10, 11)]
  scf.if %c {                                             // 0
    scf.if %d {                                           // 1
      %a = memref.alloc() : memref<16xf32>                // 2
      memref.store %f, %a[%i] : memref<16xf32>            // 3
    } else {                                              // yield: 4
      %b = memref.alloc() : memref<16xf32>                // 5
      memref.store %f, %b[%i] : memref<16xf32>            // 6
    }                                                     // yield: 7
  } else {                                                // yield: 8
    %e = memref.alloc() : memref<16xf32>                  // 9
    memref.store %f, %e[%i] : memref<16xf32>              // 10
  }
  return
}

// -----

// Every case excludes every other one; a buffer that is read after the switch
// is live in all of them. The default region is the first in program order.
// CHECK-LABEL: memplan.problem @index_switch_cases
func.func @index_switch_cases(%s: index, %f: f32, %i: index) -> f32 {
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}1, 14)]
  %a = memref.alloc() : memref<16xf32>                    // 0
  memref.store %f, %a[%i] : memref<16xf32>                // 1
  // %d, %b, %c:
  // CHECK-NEXT: @b1 {{.*}} live {{\[\[}}4, 5)]
  // CHECK-NEXT: @b2 {{.*}} live {{\[\[}}7, 8)]
  // CHECK-NEXT: @b3 {{.*}} live {{\[\[}}10, 12)]
  scf.index_switch %s                                     // 2
  case 1 {
    %b = memref.alloc() : memref<16xf32>                  // 6
    memref.store %f, %b[%i] : memref<16xf32>              // 7
    scf.yield                                             // 8
  }
  case 2 {
    %c = memref.alloc() : memref<16xf32>                  // 9
    memref.store %f, %c[%i] : memref<16xf32>              // 10
    memref.store %f, %c[%i] : memref<16xf32>              // 11
    scf.yield                                             // 12
  }
  default {
    %d = memref.alloc() : memref<16xf32>                  // 3
    memref.store %f, %d[%i] : memref<16xf32>              // 4
    scf.yield                                             // 5
  }
  %x = memref.load %a[%i] : memref<16xf32>                // 13
  return %x : f32
}

// -----

// CHECK-LABEL: memplan.problem @index_switch_result
func.func @index_switch_result(%s: index, %f: f32, %i: index) -> f32 {
  // One slot with the largest size, for buffers that exclude each other.
  // CHECK-NEXT: @b0 size(128) {{.*}} live {{\[\[}}3, 5), [7, 10)]
  // CHECK-NEXT: }
  %r = scf.index_switch %s -> memref<?xf32>               // 0
  case 1 {
    %b = memref.alloc() : memref<16xf32>                  // 5
    %v = memref.cast %b : memref<16xf32> to memref<?xf32> // 6
    memref.store %f, %v[%i] : memref<?xf32>               // 7
    scf.yield %v : memref<?xf32>                          // 8
  }
  default {
    %c = memref.alloc() : memref<32xf32>                  // 1
    %w = memref.cast %c : memref<32xf32> to memref<?xf32> // 2
    memref.store %f, %w[%i] : memref<?xf32>               // 3
    scf.yield %w : memref<?xf32>                          // 4
  }
  %x = memref.load %r[%i] : memref<?xf32>                 // 9
  return %x : f32
}
