// Live ranges through scf.execute_region and memref.alloca_scope.
// RUN: memplan-opt %s --memplan-extract --split-input-file | FileCheck %s

// CHECK-LABEL: memplan.problem @one_block
func.func @one_block(%f: f32, %i: index) -> f32 {
  // It is used only in the region, so it is dead before and after.
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}2, 4)]
  %a = memref.alloc() : memref<16xf32>                    // 0
  %r = scf.execute_region -> f32 {                        // 1
    memref.store %f, %a[%i] : memref<16xf32>              // 2
    %x = memref.load %a[%i] : memref<16xf32>              // 3
    scf.yield %x : f32                                    // 4
  }
  return %r : f32
}

// -----

// Several blocks: control flow determines the order. The text has the order
// entry, last, middle.
// CHECK-LABEL: memplan.problem @blocks_out_of_order
func.func @blocks_out_of_order(%f: f32, %i: index) {
  scf.execute_region {                                    // 0
    // Written in the first block and read in the middle one, which is the last
    // in the text; dead in the block between.
    // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}3, 5), [8, 9)]
    %a = memref.alloc() : memref<16xf32>                  // 1
    // Written in the middle block, which runs before the other access, and read
    // in the last one.
    // CHECK-NEXT: @b1 {{.*}} live {{\[\[}}5, 6), [9, 11)]
    %b = memref.alloc() : memref<16xf32>                  // 2
    memref.store %f, %a[%i] : memref<16xf32>              // 3
    cf.br ^middle                                         // 4
  ^last:
    %y = memref.load %b[%i] : memref<16xf32>              // 5
    %z = arith.addf %y, %y : f32                          // 6
    scf.yield                                             // 7
  ^middle:
    %x = memref.load %a[%i] : memref<16xf32>              // 8
    memref.store %x, %b[%i] : memref<16xf32>              // 9
    cf.br ^last                                           // 10
  }
  return
}

// -----

// Written in one block and read after the region: live in the last block, to
// which control may come from the write.
// CHECK-LABEL: memplan.problem @written_in_one_block_read_after
func.func @written_in_one_block_read_after(%c: i1, %f: f32, %i: index) -> f32 {
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}2, 11)]
  %a = memref.alloc() : memref<16xf32>                    // 0
  scf.execute_region {                                    // 1
    cf.cond_br %c, ^write, ^last                          // 2
  ^write:
    memref.store %f, %a[%i] : memref<16xf32>              // 3
    cf.br ^last                                           // 4
  ^last:
    // CHECK-NEXT: @b1 {{.*}} live {{\[\[}}6, 8)]
    %b = memref.alloc() : memref<16xf32>                  // 5
    memref.store %f, %b[%i] : memref<16xf32>              // 6
    %x = memref.load %b[%i] : memref<16xf32>              // 7
    vector.print %x : f32                                 // 8
    scf.yield                                             // 9
  }
  %y = memref.load %a[%i] : memref<16xf32>                // 10
  return %y : f32
}

// -----

// CHECK-LABEL: memplan.problem @yielded
func.func @yielded(%f: f32, %i: index) -> f32 {
  // The result is the buffer, which is live from the store in the region to the
  // load outside.
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}2, 5)]
  %r = scf.execute_region -> memref<16xf32> {             // 0
    %a = memref.alloc() : memref<16xf32>                  // 1
    memref.store %f, %a[%i] : memref<16xf32>              // 2
    scf.yield %a : memref<16xf32>                         // 3
  }
  %x = memref.load %r[%i] : memref<16xf32>                // 4
  return %x : f32
}

// -----

// CHECK-LABEL: memplan.problem @stack
func.func @stack(%f: f32, %i: index, %lo: index, %hi: index) {
  // A buffer on the stack is treated like one on the heap.
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}1, 2)]
  %a = memref.alloca() : memref<16xf32>                   // 0
  memref.store %f, %a[%i] : memref<16xf32>                // 1
  memref.alloca_scope {                                   // 2
    // It is freed at the end of its scope, and has no use after it.
    // CHECK-NEXT: @b1 {{.*}} live {{\[\[}}4, 5)]
    %b = memref.alloca() : memref<16xf32>                 // 3
    memref.store %f, %b[%i] : memref<16xf32>              // 4
  }                                                       // return: 5
  scf.for %k = %lo to %hi step %hi {                      // 6
    // A new buffer in each iteration, although its stack grows: one slot.
    // CHECK-NEXT: @b2 {{.*}} live {{\[\[}}8, 9)]
    %c = memref.alloca() : memref<16xf32>                 // 7
    memref.store %f, %c[%i] : memref<16xf32>              // 8
  }                                                       // yield: 9
  return
}
