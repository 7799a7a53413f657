// Loops may overwrite a part of the buffer that they read, in their order of
// execution. All elements are at multiples of 4 bytes, so each arena is as
// small as the displacement allows.

// RUN: memplan-opt %s -split-input-file --plan-memory="partial-overlap=true alignment=4 lower=false" | memplan-opt -split-input-file --memplan-verify=quiet=true | FileCheck %s
// RUN: memplan-opt %s -split-input-file --memplan-extract="partial-overlap=true alignment=4" --memplan-solve --memplan-materialize --memplan-verify=quiet=true | FileCheck %s
// RUN: memplan-opt %s -split-input-file --plan-memory="partial-overlap=true alignment=4" --memplan-verify=quiet=true -o /dev/null
// RUN: memplan-opt %s -split-input-file --plan-memory="partial-overlap=true alignment=4" --remarks-filter='plan.*' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: memplan-opt %s -split-input-file --memplan-extract="partial-overlap=true alignment=4" | FileCheck %s --check-prefix=PROBLEM
// RUN: memplan-opt %s -split-input-file --memplan-extract="alignment=4" | FileCheck %s --check-prefix=APART
// RUN: memplan-opt %s -split-input-file --memplan-extract="in-place=false partial-overlap=true alignment=4" | FileCheck %s --check-prefix=APART
// RUN: memplan-opt %s -split-input-file --plan-memory="partial-overlap=true alignment=4 report=text" -o /dev/null 2>&1 | FileCheck %s --check-prefix=REPORT
// RUN: memplan-opt %s -split-input-file --plan-memory="partial-overlap=true alignment=4 report=json" -o /dev/null 2>&1 | FileCheck %s --check-prefix=JSON

// Only if requested: vectorised code may read several elements at once.
// APART-NOT: memplan.overlap

// Iteration 2 reads element 1, so iteration 1 must not overwrite it: the
// distance is one element.
// PROBLEM-LABEL: memplan.problem @window
// PROBLEM: memplan.overlap @b0, @b1 by [-64, -4]
// CHECK-LABEL: func.func @window(
// CHECK: memplan.arena align(4) : memref<68xi8>
// CHECK: memplan.view %{{.*}}[4]
// CHECK: memplan.view %{{.*}}[0]
// REPORT: b1 over b0, which is 4 bytes above affine.for, {{.*}}: in the order of the loops no load comes after a store at or above its first byte, if the buffers are 4 bytes apart or more; loop 1 of the nest asks for it
// REMARK: BufferOverlap {{.*}} Delta=4, Remark="b1 is written over b0: in the order of the loops
// JSON: {"read": "b0", "written": "b1", "delta": 4, "op": "affine.for", "location": "{{.*}}", "proof": "in the order of the loops
func.func @window(%in: memref<16xf32>, %out: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %b = memref.alloc() : memref<16xf32>
  affine.for %i = 1 to 15 {
    %x = affine.load %a[%i - 1] : memref<16xf32>
    %y = affine.load %a[%i + 1] : memref<16xf32>
    %z = arith.addf %x, %y : f32
    affine.store %z, %b[%i] : memref<16xf32>
  }
  linalg.exp ins(%b : memref<16xf32>) outs(%out : memref<16xf32>)
  return
}

// -----

// Twice as many channels: the writes overtake the reads, and reach the first
// element of the last row when all but its last element are written: 4 * (16 *
// 8 - 2) - 4 * 15 * 4 bytes and one element.
// CHECK-LABEL: func.func @more_channels(
// CHECK: memplan.arena align(4) : memref<524xi8>
// REPORT: 268 bytes apart or more; loop 2 of the nest
func.func @more_channels(%in: memref<16x4xf32>, %w: memref<4x8xf32>, %out: memref<16x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<16x4xf32>
  linalg.exp ins(%in : memref<16x4xf32>) outs(%a : memref<16x4xf32>)
  %b = memref.alloc() : memref<16x8xf32>
  affine.for %p = 0 to 16 {
    affine.for %c = 0 to 8 {
      %s = affine.for %k = 0 to 4 iter_args(%t = %zero) -> (f32) {
        %x = affine.load %a[%p, %k] : memref<16x4xf32>
        %f = affine.load %w[%k, %c] : memref<4x8xf32>
        %m = arith.mulf %x, %f : f32
        %n = arith.addf %t, %m : f32
        affine.yield %n : f32
      }
      affine.store %s, %b[%p, %c] : memref<16x8xf32>
    }
  }
  linalg.exp ins(%b : memref<16x8xf32>) outs(%out : memref<16x8xf32>)
  return
}

// -----

// Elements of other sizes: the last byte but one is behind 15 words.
// CHECK-LABEL: func.func @wider(
// CHECK: memplan.arena align(4) : memref<64xi8>
// CHECK: memplan.view %{{.*}}[48]
// REPORT: 45 bytes apart
func.func @wider(%in: memref<16xi8>, %out: memref<16xi32>) {
  %a = memref.alloc() : memref<16xi8>
  linalg.copy ins(%in : memref<16xi8>) outs(%a : memref<16xi8>)
  %b = memref.alloc() : memref<16xi32>
  affine.for %i = 0 to 16 {
    %x = affine.load %a[%i] : memref<16xi8>
    %y = arith.extsi %x : i8 to i32
    affine.store %y, %b[%i] : memref<16xi32>
  }
  linalg.copy ins(%b : memref<16xi32>) outs(%out : memref<16xi32>)
  return
}

// -----

// Strides of two, a margin of one element that a condition excludes, and a
// computed index.
// CHECK-LABEL: func.func @guarded(
// CHECK: memplan.arena align(4) : memref<64xi8>
func.func @guarded(%in: memref<16xf32>, %out: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %b = memref.alloc() : memref<8xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    %s = scf.for %k = %c0 to %c3 step %c1 iter_args(%t = %zero) -> (f32) {
      %twice = arith.muli %i, %c2 : index
      %above = arith.addi %twice, %k : index
      %at = arith.subi %above, %c1 : index
      %inside = arith.cmpi ult, %at, %c16 : index
      %y = scf.if %inside -> (f32) {
        %x = memref.load %a[%at] : memref<16xf32>
        %n = arith.addf %t, %x : f32
        scf.yield %n : f32
      } else {
        scf.yield %t : f32
      }
      scf.yield %y : f32
    }
    memref.store %s, %b[%i] : memref<8xf32>
  }
  linalg.exp ins(%b : memref<8xf32>) outs(%out : memref<8xf32>)
  return
}

// -----

// By tiles: views with variable offsets, and another shape of the buffer.
// CHECK-LABEL: func.func @tiles(
// CHECK: memplan.arena align(4) : memref<68xi8>
func.func @tiles(%in: memref<4x4xf32>, %out: memref<4x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<4x4xf32>
  linalg.exp ins(%in : memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  %b = memref.alloc() : memref<16xf32>
  %c = memref.expand_shape %b [[0, 1]] output_shape [4, 4] : memref<16xf32> into memref<4x4xf32>
  scf.for %i = %c0 to %c4 step %c1 {
    %row = memref.subview %a[%i, 0] [1, 4] [1, 1] : memref<4x4xf32> to memref<4xf32, strided<[1], offset: ?>>
    %first = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
    %flat = memref.subview %b[%first] [4] [1] : memref<16xf32> to memref<4xf32, strided<[1], offset: ?>>
    scf.for %j = %c0 to %c4 step %c1 {
      %x = memref.load %row[%j] : memref<4xf32, strided<[1], offset: ?>>
      memref.store %x, %flat[%j] : memref<4xf32, strided<[1], offset: ?>>
      %y = memref.load %row[%j] : memref<4xf32, strided<[1], offset: ?>>
      %z = arith.addf %x, %y : f32
      memref.store %z, %c[%i, %j] : memref<4x4xf32>
    }
  }
  linalg.exp ins(%c : memref<4x4xf32>) outs(%out : memref<4x4xf32>)
  return
}

// -----

// The sum is in memory and is initialised for each element, so the written
// element may be read.
// CHECK-LABEL: func.func @sum_in_memory(
// CHECK: memplan.arena align(4) : memref<64xi8>
func.func @sum_in_memory(%in: memref<4x4xf32>, %out: memref<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<4x4xf32>
  linalg.exp ins(%in : memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  %b = memref.alloc() : memref<4xf32>
  affine.for %i = 1 to 4 {
    affine.store %zero, %b[%i] : memref<4xf32>
    affine.for %j = 0 to 4 {
      %x = affine.load %a[%i, %j] : memref<4x4xf32>
      %s = affine.load %b[%i] : memref<4xf32>
      %t = arith.addf %x, %s : f32
      affine.store %t, %b[%i] : memref<4xf32>
    }
  }
  linalg.exp ins(%b : memref<4xf32>) outs(%out : memref<4xf32>)
  return
}

// -----

// In the other direction, the last element is read after all others are
// written.
// CHECK-LABEL: func.func @reversed(
// CHECK: memplan.arena align(4) : memref<124xi8>
func.func @reversed(%in: memref<16xf32>, %out: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %b = memref.alloc() : memref<16xf32>
  affine.for %i = 0 to 16 {
    %x = affine.load %a[15 - %i] : memref<16xf32>
    affine.store %x, %b[%i] : memref<16xf32>
  }
  linalg.exp ins(%b : memref<16xf32>) outs(%out : memref<16xf32>)
  return
}

// -----

// Two inner loops: the second one reads elements that were overwritten.
// CHECK-LABEL: func.func @two_loops(
// CHECK: memplan.arena align(4) : memref<128xi8>
func.func @two_loops(%in: memref<16xf32>, %out: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %b = memref.alloc() : memref<16xf32>
  affine.for %n = 0 to 1 {
    affine.for %i = 0 to 16 {
      %x = affine.load %a[%i] : memref<16xf32>
      affine.store %x, %b[%i] : memref<16xf32>
    }
    affine.for %i = 0 to 16 {
      %x = affine.load %a[%i] : memref<16xf32>
      %y = affine.load %b[%i] : memref<16xf32>
      %z = arith.addf %x, %y : f32
      affine.store %z, %b[%i] : memref<16xf32>
    }
  }
  linalg.exp ins(%b : memref<16xf32>) outs(%out : memref<16xf32>)
  return
}

// -----

// All elements are read before any is written, so any bytes are allowed, also
// the same ones.
// CHECK-LABEL: func.func @read_before(
// CHECK: memplan.arena align(4) : memref<64xi8>
// REPORT: no load comes after a store
func.func @read_before(%in: memref<16xf32>, %out: memref<16xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %b = memref.alloc() : memref<16xf32>
  affine.for %n = 0 to 1 {
    %s = affine.for %i = 0 to 16 iter_args(%t = %zero) -> (f32) {
      %x = affine.load %a[15 - %i] : memref<16xf32>
      %y = arith.addf %x, %t : f32
      affine.yield %y : f32
    }
    affine.for %i = 0 to 16 {
      affine.store %s, %b[%i] : memref<16xf32>
    }
  }
  linalg.exp ins(%b : memref<16xf32>) outs(%out : memref<16xf32>)
  return
}

// -----

// Iterations that may run at once have no order, so all reads must come before
// all writes.
// CHECK-LABEL: func.func @parallel(
// CHECK: memplan.arena align(4) : memref<120xi8>
func.func @parallel(%in: memref<16xf32>, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c15 = arith.constant 15 : index
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %b = memref.alloc() : memref<16xf32>
  scf.parallel (%i) = (%c0) to (%c15) step (%c1) {
    %next = arith.addi %i, %c1 : index
    %x = memref.load %a[%next] : memref<16xf32>
    memref.store %x, %b[%i] : memref<16xf32>
  }
  linalg.exp ins(%b : memref<16xf32>) outs(%out : memref<16xf32>)
  return
}

// -----

// An outer loop with an unknown number of iterations.
// CHECK-LABEL: func.func @unknown_bound(
// CHECK: memplan.arena align(4) : memref<128xi8>
func.func @unknown_bound(%in: memref<16xf32>, %out: memref<16xf32>, %n: index) {
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %b = memref.alloc() : memref<16xf32>
  affine.for %i = 1 to %n {
    %x = affine.load %a[%i - 1] : memref<16xf32>
    affine.store %x, %b[%i] : memref<16xf32>
  }
  linalg.exp ins(%b : memref<16xf32>) outs(%out : memref<16xf32>)
  return
}

// -----

// An index that the loop carries, and one that wraps around.
// CHECK-LABEL: func.func @not_affine(
// CHECK: memplan.arena align(4) : memref<128xi8>
func.func @not_affine(%in: memref<16xf32>, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %b = memref.alloc() : memref<16xf32>
  %r = scf.for %i = %c0 to %c16 step %c1 iter_args(%k = %c0) -> (index) {
    %x = memref.load %a[%k] : memref<16xf32>
    %next = arith.addi %k, %c1 : index
    %odd = arith.remui %next, %c16 : index
    memref.store %x, %b[%odd] : memref<16xf32>
    scf.yield %odd : index
  }
  linalg.exp ins(%b : memref<16xf32>) outs(%out : memref<16xf32>)
  return
}

// -----

// The nest does not have the last read.
// CHECK-LABEL: func.func @read_later(
// CHECK: memplan.arena align(4) : memref<128xi8>
func.func @read_later(%in: memref<16xf32>, %out: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %b = memref.alloc() : memref<16xf32>
  affine.for %i = 1 to 16 {
    %x = affine.load %a[%i - 1] : memref<16xf32>
    affine.store %x, %b[%i] : memref<16xf32>
  }
  linalg.add ins(%a, %b : memref<16xf32>, memref<16xf32>) outs(%out : memref<16xf32>)
  return
}

// -----

// The result was written before the nest, and its first element would overwrite
// the input.
// CHECK-LABEL: func.func @written_before(
// CHECK: memplan.arena align(4) : memref<128xi8>
func.func @written_before(%in: memref<16xf32>, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %b = memref.alloc() : memref<16xf32>
  memref.store %zero, %b[%c0] : memref<16xf32>
  affine.for %i = 1 to 16 {
    %x = affine.load %a[%i - 1] : memref<16xf32>
    affine.store %x, %b[%i] : memref<16xf32>
  }
  linalg.exp ins(%b : memref<16xf32>) outs(%out : memref<16xf32>)
  return
}

// -----

// Over one of the two inputs.
// CHECK-LABEL: func.func @two_read(
// CHECK: memplan.arena align(4) : memref<128xi8>
func.func @two_read(%in: memref<16xf32>, %out: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %b = memref.alloc() : memref<16xf32>
  linalg.abs ins(%in : memref<16xf32>) outs(%b : memref<16xf32>)
  %c = memref.alloc() : memref<16xf32>
  affine.for %i = 1 to 15 {
    %x = affine.load %a[%i - 1] : memref<16xf32>
    %y = affine.load %b[%i + 1] : memref<16xf32>
    %z = arith.addf %x, %y : f32
    affine.store %z, %c[%i] : memref<16xf32>
  }
  linalg.exp ins(%c : memref<16xf32>) outs(%out : memref<16xf32>)
  return
}
