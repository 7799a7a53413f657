// Live ranges in a single block. The number at the end of a line is the program
// point of its op; beside each buffer is its live range with the reason.
// RUN: memplan-opt %s --memplan-extract --split-input-file | FileCheck %s

// CHECK-LABEL: memplan.problem @first_to_last_access align(64)
func.func @first_to_last_access(%f: f32, %i: index) -> f32 {
  // From the first store to the last load, not from alloc to dealloc.
  // CHECK-NEXT: memplan.buffer @b0 size(64) align(64) live {{\[\[}}2, 4)]
  %a = memref.alloc() : memref<16xf32>                    // 0
  // Begins where %a ends: half-open ranges that touch do not overlap.
  // CHECK-NEXT: memplan.buffer @b1 size(64) align(64) live {{\[\[}}4, 6)]
  %b = memref.alloc() : memref<16xf32>                    // 1
  memref.store %f, %a[%i] : memref<16xf32>                // 2
  %x = memref.load %a[%i] : memref<16xf32>                // 3
  memref.store %x, %b[%i] : memref<16xf32>                // 4
  %y = memref.load %b[%i] : memref<16xf32>                // 5
  memref.dealloc %a : memref<16xf32>                      // 6
  memref.dealloc %b : memref<16xf32>                      // 7
  return %y : f32
}

// -----

// A buffer that an op reads and one that it writes are both live during the op:
// in-place execution is never assumed.
// CHECK-LABEL: memplan.problem @operand_and_result_overlap
func.func @operand_and_result_overlap(%f: f32, %i: index) -> f32 {
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}2, 4)]
  %a = memref.alloc() : memref<16xf32>                    // 0
  // CHECK-NEXT: @b1 {{.*}} live {{\[\[}}3, 5)]
  %b = memref.alloc() : memref<16xf32>                    // 1
  memref.store %f, %a[%i] : memref<16xf32>                // 2
  memref.copy %a, %b : memref<16xf32> to memref<16xf32>   // 3
  %y = memref.load %b[%i] : memref<16xf32>                // 4
  return %y : f32
}

// -----

// CHECK-LABEL: memplan.problem @written_only
func.func @written_only(%f: f32, %i: index) {
  // A write without a read still needs the bytes while it happens.
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}1, 2)]
  %a = memref.alloc() : memref<16xf32>                    // 0
  memref.store %f, %a[%i] : memref<16xf32>                // 1
  return
}

// -----

// CHECK-LABEL: memplan.problem @never_accessed
func.func @never_accessed() {
  // Live ranges are never empty: without an access, the point of the allocation
  // is used.
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}1, 2)]
  %c = arith.constant 0 : index                           // 0
  %a = memref.alloc() : memref<16xf32>                    // 1
  memref.dealloc %a : memref<16xf32>                      // 2
  return
}

// -----

// Ops that read the shape do not access the contents.
// CHECK-LABEL: memplan.problem @shape_queries_are_no_accesses
func.func @shape_queries_are_no_accesses(%f: f32, %i: index) -> index {
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}1, 2)]
  %a = memref.alloc() : memref<16xf32>                    // 0
  memref.store %f, %a[%i] : memref<16xf32>                // 1
  %d = memref.dim %a, %i : memref<16xf32>                 // 2
  return %d : index
}

// -----

// An op that may not run its region in sequence: buffers that the region uses
// are used at the op's point.
// CHECK-LABEL: memplan.problem @region_of_linalg
#map = affine_map<(d0) -> (d0)>
func.func @region_of_linalg(%f: f32, %i: index, %out: memref<16xf32>) {
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}1, 3)]
  %a = memref.alloc() : memref<16xf32>                    // 0
  memref.store %f, %a[%i] : memref<16xf32>                // 1
  linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]}
      outs(%out : memref<16xf32>) {                       // 2
  ^bb0(%o: f32):
    %x = memref.load %a[%i] : memref<16xf32>
    linalg.yield %x : f32
  }
  return
}

// -----

// The op in the mask is executed when the mask is.
// CHECK-LABEL: memplan.problem @used_under_mask
// CHECK-NEXT: memplan.buffer @b0 size(64) align(64) live {{\[\[}}3, 6)]
func.func @used_under_mask(%n: index) -> vector<16xf32> {
  %c0 = arith.constant 0 : index                                         // 0
  %f0 = arith.constant 0.0 : f32                                         // 1
  %a = memref.alloc() : memref<16xf32>                                   // 2
  linalg.fill ins(%f0 : f32) outs(%a : memref<16xf32>)                   // 3
  %m = vector.create_mask %n : vector<16xi1>                             // 4
  %r = vector.mask %m {                                                  // 5
    vector.transfer_read %a[%c0], %f0 : memref<16xf32>, vector<16xf32>
  } : vector<16xi1> -> vector<16xf32>
  return %r : vector<16xf32>                                             // 6
}

// -----

// The iterations of a parallel loop have no order: the whole loop is one point,
// at which a buffer from outside that it uses is live.
// CHECK-LABEL: memplan.problem @used_in_parallel_loop
func.func @used_in_parallel_loop(%f: f32, %n: index) {
  %c0 = arith.constant 0 : index                          // 0
  %c1 = arith.constant 1 : index                          // 1
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}3, 4)]
  %a = memref.alloc() : memref<16xf32>                    // 2
  scf.parallel (%k) = (%c0) to (%n) step (%c1) {          // 3
    %x = arith.addf %f, %f : f32
    memref.store %x, %a[%k] : memref<16xf32>
    scf.reduce
  }
  return
}

// -----

// CHECK-LABEL: memplan.problem @scratch
func.func @scratch(%f: f32, %i: index) {
  // Shared scratch is live from its first to its last use, like any buffer.
  // CHECK-NEXT: @b0 size(64) align(128) live {{\[\[}}2, 3)]
  %s = memplan.workspace shared align(128) : memref<16xf32>  // 0
  // Unique scratch never shares bytes: it is live throughout.
  // CHECK-NEXT: @b1 size(64) align(64) live {{\[\[}}0, 5)]
  %u = memplan.workspace unique align(64) : memref<16xf32>   // 1
  memref.store %f, %s[%i] : memref<16xf32>                // 2
  memref.store %f, %u[%i] : memref<16xf32>                // 3
  return                                                  // 4
}
