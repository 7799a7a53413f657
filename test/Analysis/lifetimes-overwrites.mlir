// RUN: memplan-opt %s --memplan-extract="prepare=false in-place=false" --split-input-file | FileCheck %s
// The plan is accepted by the verifier.
// RUN: memplan-opt %s --plan-memory="lower=false require=verified" --split-input-file > %t

// Between the last access to some contents and an op that overwrites all of
// them a buffer is dead.
// CHECK-LABEL: memplan.problem @line
func.func @line(%f: f32, %o: memref<16xf32>) {
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}1, 3), [5, 6), [7, 8)]
  %a = memref.alloc() : memref<16xf32>                                 // 0
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)                  // 1
  memref.copy %a, %o : memref<16xf32> to memref<16xf32>                // 2
  // CHECK-NEXT: @b1 {{.*}} live {{\[\[}}4, 6)]
  %b = memref.alloc() : memref<16xf32>                                 // 3
  linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)                  // 4
  memref.copy %b, %a : memref<16xf32> to memref<16xf32>                // 5
  %e = memref.expand_shape %a [[0, 1]] output_shape [4, 4]
      : memref<16xf32> into memref<4x4xf32>                            // 6
  linalg.fill ins(%f : f32) outs(%e : memref<4x4xf32>)                 // 7
  return                                                               // 8
}

// -----

// Not an overwrite: a part of the buffer, an op that accumulates, and an op
// that also reads it by another name.
// CHECK-LABEL: memplan.problem @not_all
func.func @not_all(%f: f32, %o: memref<16xf32>, %m: memref<16x16xf32>) {
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}3, 8)]
  %a = memref.alloc() : memref<16xf32>                                 // 0
  // CHECK-NEXT: @b1 {{.*}} live {{\[\[}}4, 9)]
  %b = memref.alloc() : memref<16xf32>                                 // 1
  // CHECK-NEXT: @b2 {{.*}} live {{\[\[}}5, 11)]
  %c = memref.alloc() : memref<16xf32>                                 // 2
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)                  // 3
  linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)                  // 4
  linalg.fill ins(%f : f32) outs(%c : memref<16xf32>)                  // 5
  %s = memref.subview %a[0] [15] [1]
      : memref<16xf32> to memref<15xf32, strided<[1]>>                 // 6
  linalg.fill ins(%f : f32) outs(%s : memref<15xf32, strided<[1]>>)    // 7
  linalg.matvec ins(%m, %o : memref<16x16xf32>, memref<16xf32>)
      outs(%b : memref<16xf32>)                                        // 8
  %e = memref.cast %c : memref<16xf32> to memref<16xf32, strided<[1]>> // 9
  linalg.exp ins(%e : memref<16xf32, strided<[1]>>)
      outs(%c : memref<16xf32>)                                        // 10
  return                                                               // 11
}

// -----

// A buffer that every iteration overwrites is dead at the begin of the next
// one, unless an iteration may skip the overwrite.
// CHECK-LABEL: memplan.problem @loop
func.func @loop(%f: f32, %n: index, %c: i1, %o: memref<16xf32>) {
  %c0 = arith.constant 0 : index                                       // 0
  %c1 = arith.constant 1 : index                                       // 1
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}6, 8)]
  %a = memref.alloc() : memref<16xf32>                                 // 2
  // CHECK-NEXT: @b1 {{.*}} live {{\[\[}}4, 13)]
  %b = memref.alloc() : memref<16xf32>                                 // 3
  linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)                  // 4
  scf.for %i = %c0 to %n step %c1 {                                    // 5
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)                // 6
    memref.copy %a, %o : memref<16xf32> to memref<16xf32>              // 7
    scf.if %c {                                                        // 8
      linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)              // 9
    }                                                                  // 10
    memref.copy %b, %o : memref<16xf32> to memref<16xf32>              // 11
  }                                                                    // 12
  return                                                               // 13
}

// -----

// A nest of loops that stores every element overwrites the buffer if it has no
// other access to it; dimensions of one element have loops, too.
// CHECK-LABEL: memplan.problem @nests
func.func @nests(%f: f32, %o: memref<1x4x4xf32>) {
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}1, 3), [4, 12)]
  %a = memref.alloc() : memref<1x4x4xf32>                              // 0
  linalg.fill ins(%f : f32) outs(%a : memref<1x4x4xf32>)               // 1
  memref.copy %a, %o : memref<1x4x4xf32> to memref<1x4x4xf32>          // 2
  memref.copy %o, %o : memref<1x4x4xf32> to memref<1x4x4xf32>          // 3
  affine.for %b = 0 to 1 {                                             // 4
    affine.for %i = 0 to 4 {                                           // 5
      affine.for %j = 0 to 4 {                                         // 6
        affine.store %f, %a[%b, %i, %j] : memref<1x4x4xf32>            // 7
      }                                                                // 8
    }                                                                  // 9
  }                                                                    // 10
  memref.copy %a, %o : memref<1x4x4xf32> to memref<1x4x4xf32>          // 11
  return                                                               // 12
}

// -----

// Tile by tile, in any order; and the only element of a buffer.
// CHECK-LABEL: memplan.problem @tiles
func.func @tiles(%f: f32, %o: memref<4x4xf32>, %p: memref<1xf32>) {
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}1, 3), [4, 11), [12, 14)]
  %a = memref.alloc() : memref<4x4xf32>                                // 0
  linalg.fill ins(%f : f32) outs(%a : memref<4x4xf32>)                 // 1
  memref.copy %a, %o : memref<4x4xf32> to memref<4x4xf32>              // 2
  memref.copy %o, %o : memref<4x4xf32> to memref<4x4xf32>              // 3
  affine.for %i = 0 to 2 {                                             // 4
    affine.for %j = 0 to 4 {                                           // 5
      affine.for %k = 0 to 2 {                                         // 6
        affine.store %f, %a[%i * 2 + %k, %j] : memref<4x4xf32>         // 7
      }                                                                // 8
    }                                                                  // 9
  }                                                                    // 10
  memref.copy %o, %o : memref<4x4xf32> to memref<4x4xf32>              // 11
  affine.parallel (%i, %j) = (0, 0) to (4, 4) {                        // 12
    affine.store %f, %a[%j, %i] : memref<4x4xf32>
  }
  memref.copy %a, %o : memref<4x4xf32> to memref<4x4xf32>              // 13
  // CHECK-NEXT: @b1 {{.*}} live {{\[\[}}15, 17), [18, 20)]
  %b = memref.alloc() : memref<1xf32>                                  // 14
  linalg.fill ins(%f : f32) outs(%b : memref<1xf32>)                   // 15
  memref.copy %b, %p : memref<1xf32> to memref<1xf32>                  // 16
  memref.copy %p, %p : memref<1xf32> to memref<1xf32>                  // 17
  affine.store %f, %b[0] : memref<1xf32>                               // 18
  memref.copy %b, %p : memref<1xf32> to memref<1xf32>                  // 19
  return                                                               // 20
}

// -----

// A nest that omits an element, stores an element under a condition, may not
// run, or also reads the buffer needs the old contents.
// CHECK-LABEL: memplan.problem @not_all_of_a_nest
func.func @not_all_of_a_nest(%f: f32, %n: index, %c: i1, %o: memref<4xf32>) {
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}4, 25)]
  %a = memref.alloc() : memref<4xf32>                                  // 0
  // CHECK-NEXT: @b1 {{.*}} live {{\[\[}}5, 26)]
  %b = memref.alloc() : memref<4xf32>                                  // 1
  // CHECK-NEXT: @b2 {{.*}} live {{\[\[}}6, 27)]
  %d = memref.alloc() : memref<4xf32>                                  // 2
  // CHECK-NEXT: @b3 {{.*}} live {{\[\[}}7, 28)]
  %e = memref.alloc() : memref<4xf32>                                  // 3
  linalg.fill ins(%f : f32) outs(%a : memref<4xf32>)                   // 4
  linalg.fill ins(%f : f32) outs(%b : memref<4xf32>)                   // 5
  linalg.fill ins(%f : f32) outs(%d : memref<4xf32>)                   // 6
  linalg.fill ins(%f : f32) outs(%e : memref<4xf32>)                   // 7
  affine.for %i = 0 to 4 step 2 {                                      // 8
    affine.store %f, %a[%i] : memref<4xf32>                            // 9
  }                                                                    // 10
  affine.for %i = 0 to 4 {                                             // 11
    scf.if %c {                                                        // 12
      affine.store %f, %b[%i] : memref<4xf32>                          // 13
    }                                                                  // 14
  }                                                                    // 15
  affine.for %i = 0 to %n {                                            // 16
    affine.store %f, %d[%i] : memref<4xf32>                            // 17
  }                                                                    // 18
  affine.for %i = 0 to 4 {                                             // 19
    affine.store %f, %e[%i] : memref<4xf32>                            // 20
    %v = affine.load %e[3] : memref<4xf32>                             // 21
    affine.store %v, %o[%i] : memref<4xf32>                            // 22
  }                                                                    // 23
  memref.copy %a, %o : memref<4xf32> to memref<4xf32>                  // 24
  memref.copy %b, %o : memref<4xf32> to memref<4xf32>                  // 25
  memref.copy %d, %o : memref<4xf32> to memref<4xf32>                  // 26
  memref.copy %e, %o : memref<4xf32> to memref<4xf32>                  // 27
  return                                                               // 28
}

// -----

// In a loop of any length: %a and %b share their bytes.
// CHECK-LABEL: memplan.problem @nests_in_a_loop
func.func @nests_in_a_loop(%f: f32, %n: index, %o: memref<8xf32>) {
  %c0 = arith.constant 0 : index                                       // 0
  %c1 = arith.constant 1 : index                                       // 1
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}5, 9)]
  %a = memref.alloc() : memref<8xf32>                                  // 2
  // CHECK-NEXT: @b1 {{.*}} live {{\[\[}}9, 13)]
  %b = memref.alloc() : memref<8xf32>                                  // 3
  scf.for %i = %c0 to %n step %c1 {                                    // 4
    affine.for %j = 0 to 8 {                                           // 5
      affine.store %f, %a[%j] : memref<8xf32>                          // 6
    }                                                                  // 7
    linalg.exp ins(%a : memref<8xf32>) outs(%o : memref<8xf32>)        // 8
    affine.for %j = 0 to 8 {                                           // 9
      affine.store %f, %b[%j] : memref<8xf32>                          // 10
    }                                                                  // 11
    linalg.add ins(%b, %o : memref<8xf32>, memref<8xf32>)
        outs(%o : memref<8xf32>)                                       // 12
  }                                                                    // 13
  return                                                               // 14
}

// -----

// With an index of 32 bits the inner loop has no iteration.
// CHECK-LABEL: memplan.problem @narrow
module attributes {dlti.dl_spec = #dlti.dl_spec<index = 32 : i64>} {
func.func @narrow(%f: f32, %o: memref<8xf32>) {
  %c0 = arith.constant 0 : index                                       // 0
  %c1 = arith.constant 1 : index                                       // 1
  %big = arith.constant 2147483648 : index                             // 2
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}4, 12)]
  %a = memref.alloc() : memref<8xf32>                                  // 3
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)                   // 4
  memref.copy %o, %o : memref<8xf32> to memref<8xf32>                  // 5
  affine.for %i = 0 to 8 {                                             // 6
    scf.for %j = %c0 to %big step %c1 {                                // 7
      affine.store %f, %a[%i] : memref<8xf32>                          // 8
    }                                                                  // 9
  }                                                                    // 10
  memref.copy %a, %o : memref<8xf32> to memref<8xf32>                  // 11
  return                                                               // 12
}
}

// -----

// One element, in a parallel loop of one iteration: planned as before.
// CHECK-LABEL: memplan.problem @one_of_many
func.func @one_of_many(%f: f32, %o: memref<1xf32>) {
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}1, 6)]
  %a = memref.alloc() : memref<1xf32>                                  // 0
  linalg.fill ins(%f : f32) outs(%a : memref<1xf32>)                   // 1
  memref.copy %a, %o : memref<1xf32> to memref<1xf32>                  // 2
  memref.copy %o, %o : memref<1xf32> to memref<1xf32>                  // 3
  affine.parallel (%i) = (0) to (1) {                                  // 4
    affine.store %f, %a[%i] : memref<1xf32>
  }
  memref.copy %a, %o : memref<1xf32> to memref<1xf32>                  // 5
  return                                                               // 6
}
