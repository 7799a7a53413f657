// Live ranges in graphs of blocks: the order of the text is not the order of
// execution.
// RUN: memplan-opt %s --memplan-extract --split-input-file | FileCheck %s

// CHECK-LABEL: memplan.problem @diamond
func.func @diamond(%c: i1, %f: f32, %i: index) -> f32 {
  // Live only through the right branch; dead in the left one and at the join.
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}2, 4), [8, 9)]
  %a = memref.alloc() : memref<16xf32>                    // 0
  // Used on both sides of the diamond: live through both branches.
  // CHECK-NEXT: @b1 {{.*}} live {{\[\[}}2, 11)]
  %b = memref.alloc() : memref<16xf32>                    // 1
  memref.copy %a, %b : memref<16xf32> to memref<16xf32>   // 2
  cf.cond_br %c, ^left, ^right                            // 3
^left:
  // CHECK-NEXT: @b2 {{.*}} live {{\[\[}}5, 7)]
  %d = memref.alloc() : memref<16xf32>                    // 4
  memref.store %f, %d[%i] : memref<16xf32>                // 5
  %y = memref.load %d[%i] : memref<16xf32>                // 6
  cf.br ^join                                             // 7
^right:
  %x = memref.load %a[%i] : memref<16xf32>                // 8
  cf.br ^join                                             // 9
^join:
  %z = memref.load %b[%i] : memref<16xf32>                // 10
  return %z : f32
}

// -----

// The block that runs last is the first in the text.
// CHECK-LABEL: memplan.problem @text_order_reversed
func.func @text_order_reversed(%f: f32, %i: index) -> f32 {
  cf.br ^first                                            // 0
^last:
  %y = memref.load %b[%i] : memref<16xf32>                // 1
  return %y : f32                                         // 2
^second:
  memref.copy %a, %b : memref<16xf32> to memref<16xf32>   // 3
  cf.br ^last                                             // 4
^first:
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}3, 4), [7, 9)]
  %a = memref.alloc() : memref<16xf32>                    // 5
  // CHECK-NEXT: @b1 {{.*}} live {{\[\[}}1, 2), [3, 5)]
  %b = memref.alloc() : memref<16xf32>                    // 6
  memref.store %f, %a[%i] : memref<16xf32>                // 7
  cf.br ^second                                           // 8
}

// -----

// Live at the begin of a loop of blocks, so live in the whole loop.
// CHECK-LABEL: memplan.problem @loop_of_blocks
func.func @loop_of_blocks(%c: i1, %f: f32, %i: index) {
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}1, 8)]
  %a = memref.alloc() : memref<16xf32>                    // 0
  memref.store %f, %a[%i] : memref<16xf32>                // 1
  cf.br ^head                                             // 2
^head:
  %x = memref.load %a[%i] : memref<16xf32>                // 3
  cf.cond_br %c, ^body, ^exit                             // 4
^body:
  // CHECK-NEXT: @b1 {{.*}} live {{\[\[}}6, 7)]
  %b = memref.alloc() : memref<16xf32>                    // 5
  memref.store %x, %b[%i] : memref<16xf32>                // 6
  cf.br ^head                                             // 7
^exit:
  return                                                  // 8
}

// -----

// A block argument is either buffer. Neither is needed on the other's edge.
// CHECK-LABEL: memplan.problem @block_argument
func.func @block_argument(%c: i1, %f: f32, %i: index) -> f32 {
  cf.cond_br %c, ^left, ^right                            // 0
^left:
  // They share their bytes, as they are never live at once.
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}2, 4), [5, 8)]
  // CHECK-NEXT: }
  %a = memref.alloc() : memref<16xf32>                    // 1
  memref.store %f, %a[%i] : memref<16xf32>                // 2
  cf.br ^join(%a : memref<16xf32>)                        // 3
^right:
  %b = memref.alloc() : memref<16xf32>                    // 4
  memref.store %f, %b[%i] : memref<16xf32>                // 5
  cf.br ^join(%b : memref<16xf32>)                        // 6
^join(%r: memref<16xf32>):
  %x = memref.load %r[%i] : memref<16xf32>                // 7
  return %x : f32
}

// -----

// First written under the name of a block argument, and read under its own name
// after other buffers have had that name: no slot in common with these.
// CHECK-LABEL: memplan.problem @written_as_block_argument
func.func @written_as_block_argument(%c: i1, %f: f32, %i: index) -> f32 {
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}1, 7)]
  %a = memref.alloc() : memref<16xf32>                    // 0
  cf.br ^head(%a : memref<16xf32>)                        // 1
^head(%r: memref<16xf32>):
  memref.store %f, %r[%i] : memref<16xf32>                // 2
  cf.cond_br %c, ^body, ^exit                             // 3
^body:
  // CHECK-NEXT: @b1 {{.*}} live {{\[\[}}2, 3), [5, 6)]
  %b = memref.alloc() : memref<16xf32>                    // 4
  cf.br ^head(%b : memref<16xf32>)                        // 5
^exit:
  %x = memref.load %a[%i] : memref<16xf32>                // 6
  return %x : f32
}

// -----

// An unreachable block: its accesses keep a buffer live in it (in the whole
// loop of which it is the only block), and nowhere else.
// CHECK-LABEL: memplan.problem @unreachable_blocks
func.func @unreachable_blocks(%f: f32, %i: index) {
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}1, 2), [4, 6)]
  %a = memref.alloc() : memref<16xf32>                    // 0
  memref.store %f, %a[%i] : memref<16xf32>                // 1
  %t = arith.addf %f, %f : f32                            // 2
  return                                                  // 3
^nowhere:
  memref.store %f, %a[%i] : memref<16xf32>                // 4
  cf.br ^nowhere                                          // 5
}

// -----

// A function that never returns.
// CHECK-LABEL: memplan.problem @forever
func.func @forever(%f: f32, %i: index) {
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}1, 6)]
  %a = memref.alloc() : memref<16xf32>                    // 0
  cf.br ^again                                            // 1
^again:
  memref.store %f, %a[%i] : memref<16xf32>                // 2
  // CHECK-NEXT: @b1 {{.*}} live {{\[\[}}4, 5)]
  %b = memref.alloc() : memref<16xf32>                    // 3
  memref.store %f, %b[%i] : memref<16xf32>                // 4
  cf.br ^again                                            // 5
}

// -----

// The form of lowered structured loops: the first access of each buffer is in a
// loop, after the block of its allocation. The buffer is live from the end of
// the block before the loop. A second one is live within its iteration of the
// inner loop, and a third is dead in the loop between the copies that overwrite
// it.
// CHECK-LABEL: memplan.problem @first_access_in_a_loop
func.func @first_access_in_a_loop(%c: i1, %f: f32, %i: index) {
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}2, 8)]
  %a = memref.alloc() : memref<16xf32>                    // 0
  // CHECK-NEXT: @b1 {{.*}} live {{\[\[}}8, 11), [15, 18)]
  %b = memref.alloc() : memref<16xf32>                    // 1
  cf.br ^first                                            // 2
^first:
  memref.store %f, %a[%i] : memref<16xf32>                // 3
  cf.cond_br %c, ^first, ^between                         // 4
^between:
  // CHECK-NEXT: @b2 {{.*}} live {{\[\[}}17, 18)]
  %d = memref.alloc() : memref<16xf32>                    // 5
  cf.cond_br %c, ^skip, ^skip                             // 6
^skip:
  %x = memref.load %a[%i] : memref<16xf32>                // 7
  memref.store %x, %b[%i] : memref<16xf32>                // 8
  cf.br ^head                                             // 9
^head:
  cf.cond_br %c, ^body, ^exit                             // 10
^body:
  // A new buffer in each iteration.
  // CHECK-NEXT: @b3 {{.*}} live {{\[\[}}12, 16)]
  %e = memref.alloc() : memref<16xf32>                    // 11
  cf.br ^inner                                            // 12
^inner:
  memref.store %f, %e[%i] : memref<16xf32>                // 13
  cf.cond_br %c, ^inner, ^latch                           // 14
^latch:
  memref.copy %e, %b : memref<16xf32> to memref<16xf32>   // 15
  cf.br ^head                                             // 16
^exit:
  memref.copy %b, %d : memref<16xf32> to memref<16xf32>   // 17
  return                                                  // 18
}
