// Deallocations are not accesses and do not bound a live range; but a buffer
// that shares one with memory that is not planned is not planned either.
// RUN: memplan-opt %s --memplan-extract --split-input-file \
// RUN:   --remarks-filter='plan.*' -verify-diagnostics | FileCheck %s

// CHECK-LABEL: memplan.problem @late_or_no_dealloc
func.func @late_or_no_dealloc(%f: f32, %i: index) {
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}2, 3)]
  %a = memref.alloc() : memref<16xf32>                    // 0
  // CHECK-NEXT: @b1 {{.*}} live {{\[\[}}3, 4)]
  %b = memref.alloc() : memref<16xf32>                    // 1
  memref.store %f, %a[%i] : memref<16xf32>                // 2
  memref.store %f, %b[%i] : memref<16xf32>                // 3
  memref.dealloc %a : memref<16xf32>                      // 4
  return
}

// -----

// Freed on only one path, guarded, or selected: still not an access.
// CHECK-LABEL: memplan.problem @guarded_and_selected
func.func @guarded_and_selected(%c: i1, %f: f32, %i: index) {
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}3, 6)]
  %a = memref.alloc() : memref<16xf32>                    // 0
  // CHECK-NEXT: @b1 {{.*}} live {{\[\[}}4, 5)]
  %b = memref.alloc() : memref<16xf32>                    // 1
  // CHECK-NEXT: @b2 {{.*}} live {{\[\[}}6, 7)]
  %d = memref.alloc() : memref<16xf32>                    // 2
  memref.store %f, %a[%i] : memref<16xf32>                // 3
  memref.store %f, %b[%i] : memref<16xf32>                // 4
  %x = memref.load %a[%i] : memref<16xf32>                // 5
  memref.store %f, %d[%i] : memref<16xf32>                // 6
  scf.if %c {
    memref.dealloc %d : memref<16xf32>
  }
  %s = arith.select %c, %a, %b : memref<16xf32>
  %t = arith.select %c, %b, %a : memref<16xf32>
  memref.dealloc %s : memref<16xf32>
  memref.dealloc %t : memref<16xf32>
  return
}

// -----

// The ownership form, with memrefs, conditions and retained memrefs.
// CHECK-LABEL: memplan.problem @bufferization_dealloc
func.func @bufferization_dealloc(%c: i1, %f: f32, %i: index,
                                 %m: memref<16xf32>) -> i1 {
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}2, 3)]
  %a = memref.alloc() : memref<16xf32>                    // 0
  // CHECK-NEXT: @b1 {{.*}} live {{\[\[}}3, 4)]
  %b = memref.alloc() : memref<16xf32>                    // 1
  memref.store %f, %a[%i] : memref<16xf32>                // 2
  memref.store %f, %b[%i] : memref<16xf32>                // 3
  %r = bufferization.dealloc (%a, %b : memref<16xf32>, memref<16xf32>)
      if (%c, %c) retain (%m : memref<16xf32>)            // 4
  return %r : i1
}

// -----

// A deallocation that may free an argument must stay; it would then get a part
// of an arena.
func.func @shared_with_an_argument(%c: i1, %f: f32, %i: index,
                                   %m: memref<16xf32>) {
  // expected-remark@+1 {{b0 not planned: it shares a deallocation with memory that is not planned}}
  %a = memref.alloc() : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  %s = arith.select %c, %a, %m : memref<16xf32>
  memref.dealloc %s : memref<16xf32>
  return
}

// -----

// This is transitive: %b is not planned because %a is not, which is not planned
// because %d escapes.
func.func @spreads_from_buffer_to_buffer(%c: i1, %f: f32, %i: index)
    -> memref<16xf32> {
  // expected-remark@+1 {{b0 not planned: it shares a deallocation}}
  %a = memref.alloc() : memref<16xf32>
  // expected-remark@+1 {{b1 not planned: it shares a deallocation}}
  %b = memref.alloc() : memref<16xf32>
  // expected-remark@+1 {{b2 not planned: it is returned}}
  %d = memref.alloc() : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  memref.store %f, %b[%i] : memref<16xf32>
  %s = arith.select %c, %a, %b : memref<16xf32>
  memref.dealloc %s : memref<16xf32>
  %t = arith.select %c, %a, %d : memref<16xf32>
  memref.dealloc %t : memref<16xf32>
  return %d : memref<16xf32>
}

// -----

// A condition that is never true frees nothing.
// CHECK-LABEL: memplan.problem @never_owned
func.func @never_owned(%c: i1, %f: f32, %i: index, %m: memref<16xf32>) {
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}2, 4)]
  %a = memref.alloc() : memref<16xf32>                    // 0
  %no = arith.constant false                              // 1
  memref.store %f, %a[%i] : memref<16xf32>                // 2
  memref.copy %a, %m : memref<16xf32> to memref<16xf32>   // 3
  bufferization.dealloc (%a, %m : memref<16xf32>, memref<16xf32>)
      if (%c, %no)                                        // 4
  return
}
