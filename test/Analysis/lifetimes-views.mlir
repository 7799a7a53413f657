// Live ranges through views, casts and selects.
// RUN: memplan-opt %s --memplan-extract --split-input-file | FileCheck %s

// An access through a view, or a view of a view, is an access to the buffer.
// CHECK-LABEL: memplan.problem @view_of_a_view
func.func @view_of_a_view(%f: f32, %i: index) -> f32 {
  // CHECK-NEXT: @b0 size(64) {{.*}} live {{\[\[}}1, 5)]
  %a = memref.alloc() : memref<16xf32>                    // 0
  memref.store %f, %a[%i] : memref<16xf32>                // 1
  %v = memref.subview %a[4] [8] [1]
      : memref<16xf32> to memref<8xf32, strided<[1], offset: 4>>   // 2
  %w = memref.subview %v[2] [2] [1]
      : memref<8xf32, strided<[1], offset: 4>>
        to memref<2xf32, strided<[1], offset: 6>>         // 3
  %x = memref.load %w[%i]
      : memref<2xf32, strided<[1], offset: 6>>            // 4
  return %x : f32
}

// -----

// A view without accesses keeps nothing live.
// CHECK-LABEL: memplan.problem @unused_view
func.func @unused_view(%f: f32, %i: index) {
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}1, 2)]
  %a = memref.alloc() : memref<16xf32>                    // 0
  memref.store %f, %a[%i] : memref<16xf32>                // 1
  %v = memref.expand_shape %a [[0, 1]] output_shape [4, 4]
      : memref<16xf32> into memref<4x4xf32>               // 2
  return
}

// -----

// All ops that give another view of memory.
// CHECK-LABEL: memplan.problem @kinds_of_views
func.func @kinds_of_views(%f: f32, %i: index) -> f32 {
  %c0 = arith.constant 0 : index                          // 0
  // Bytes read as floats.
  // CHECK-NEXT: @b0 size(64) {{.*}} live {{\[\[}}3, 4)]
  %a = memref.alloc() : memref<64xi8>                     // 1
  %v = memref.view %a[%c0][] : memref<64xi8> to memref<16xf32>    // 2
  memref.store %f, %v[%i] : memref<16xf32>                // 3
  // Base and metadata are extracted and combined again.
  // CHECK-NEXT: @b1 size(64) {{.*}} live {{\[\[}}7, 8)]
  %b = memref.alloc() : memref<16xf32>                    // 4
  %base, %o, %s, %t = memref.extract_strided_metadata %b
      : memref<16xf32> -> memref<f32>, index, index, index        // 5
  %w = memref.reinterpret_cast %base to offset: [0], sizes: [4], strides: [4]
      : memref<f32> to memref<4xf32, strided<[4]>>        // 6
  memref.store %f, %w[%i] : memref<4xf32, strided<[4]>>   // 7
  // Reshapes, transposition, an assumption of alignment, a view as a vector.
  // CHECK-NEXT: @b2 size(64) {{.*}} live {{\[\[}}13, 14)]
  %c = memref.alloc() : memref<4x4xf32>                   // 8
  %p = memref.transpose %c (d0, d1) -> (d1, d0)
      : memref<4x4xf32> to memref<4x4xf32, strided<[1, 4]>>       // 9
  %q = memref.cast %p : memref<4x4xf32, strided<[1, 4]>>
      to memref<?x?xf32, strided<[?, ?]>>                 // 10
  %u = memref.cast %q : memref<?x?xf32, strided<[?, ?]>> to memref<*xf32>  // 11
  %k = memref.cast %u : memref<*xf32>
      to memref<?x?xf32, strided<[?, ?]>>                 // 12
  memref.store %f, %k[%i, %i] : memref<?x?xf32, strided<[?, ?]>>  // 13
  // CHECK-NEXT: @b3 size(64) {{.*}} live {{\[\[}}17, 18)]
  %d = memref.alloc() : memref<4x4xf32>                   // 14
  %l = memref.collapse_shape %d [[0, 1]]
      : memref<4x4xf32> into memref<16xf32>               // 15
  %m = memref.assume_alignment %l, 64 : memref<16xf32>    // 16
  %x = memref.load %m[%i] : memref<16xf32>                // 17
  return %x : f32
}

// -----

// A reshape reads the shape and forwards the source.
// CHECK-LABEL: memplan.problem @reshape
func.func @reshape(%f: f32, %i: index) {
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}2, 4)]
  %s = memref.alloc() : memref<2xindex>                   // 0
  // CHECK-NEXT: @b1 {{.*}} live {{\[\[}}4, 5)]
  %a = memref.alloc() : memref<16xf32>                    // 1
  memref.store %i, %s[%i] : memref<2xindex>               // 2
  %r = memref.reshape %a(%s)
      : (memref<16xf32>, memref<2xindex>) -> memref<?x?xf32>      // 3
  memref.store %f, %r[%i, %i] : memref<?x?xf32>           // 4
  return
}

// -----

// Either buffer may be read through the selected value, so both are live until
// its last use. Only the bytes of %c, which is dead by then, are free.
// CHECK-LABEL: memplan.problem @select
func.func @select(%which: i1, %f: f32, %i: index) -> f32 {
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}3, 8)]
  %a = memref.alloc() : memref<16xf32>                    // 0
  // CHECK-NEXT: @b1 {{.*}} live {{\[\[}}4, 8)]
  %b = memref.alloc() : memref<16xf32>                    // 1
  // CHECK-NEXT: @b2 {{.*}} live {{\[\[}}6, 7)]
  %c = memref.alloc() : memref<16xf32>                    // 2
  memref.store %f, %a[%i] : memref<16xf32>                // 3
  memref.store %f, %b[%i] : memref<16xf32>                // 4
  %s = arith.select %which, %a, %b : memref<16xf32>       // 5
  memref.store %f, %c[%i] : memref<16xf32>                // 6
  %x = memref.load %s[%i] : memref<16xf32>                // 7
  return %x : f32
}

// -----

// A chain: select of a view of a loop's result.
// CHECK-LABEL: memplan.problem @chain
func.func @chain(%which: i1, %f: f32, %lo: index, %hi: index) -> f32 {
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}2, 10)]
  %a = memref.alloc() : memref<16xf32>                    // 0
  // CHECK-NEXT: @b1 {{.*}} live {{\[\[}}3, 10)]
  %b = memref.alloc() : memref<16xf32>                    // 1
  memref.store %f, %a[%lo] : memref<16xf32>               // 2
  memref.store %f, %b[%lo] : memref<16xf32>               // 3
  %r = scf.for %k = %lo to %hi step %hi
      iter_args(%x = %a) -> memref<16xf32> {              // 4
    scf.yield %x : memref<16xf32>                         // 5
  }
  %v = memref.cast %r : memref<16xf32> to memref<?xf32>   // 6
  %w = memref.cast %b : memref<16xf32> to memref<?xf32>   // 7
  %s = arith.select %which, %v, %w : memref<?xf32>        // 8
  %y = memref.load %s[%lo] : memref<?xf32>                // 9
  return %y : f32
}
