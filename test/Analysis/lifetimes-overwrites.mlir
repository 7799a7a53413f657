// RUN: memplan-opt %s --memplan-extract="sink-fills=false in-place=false" --split-input-file | FileCheck %s

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

// A part is not all, an op that accumulates reads, and so does one that reads by
// another name.
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

// What every iteration overwrites is dead where the next one begins, unless an
// iteration may go without.
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
