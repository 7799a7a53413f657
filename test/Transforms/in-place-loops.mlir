// Loops may write an element of one buffer over that of another after its last
// read.

// RUN: memplan-opt %s -split-input-file --plan-memory="in-place=true lower=false" | memplan-opt -split-input-file --memplan-verify=quiet=true | FileCheck %s
// RUN: memplan-opt %s -split-input-file --memplan-extract="in-place=true" --memplan-solve --memplan-materialize --memplan-verify=quiet=true | FileCheck %s
// RUN: memplan-opt %s -split-input-file --plan-memory="in-place=true" --memplan-verify=quiet=true -o /dev/null

// CHECK-LABEL: func.func @nest(
// CHECK: memplan.arena align(64) : memref<64xi8>
func.func @nest(%in: memref<4x4xf32>, %bias: memref<4xf32>, %out: memref<4x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<4x4xf32>
  linalg.exp ins(%in : memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  %b = memref.alloc() : memref<4x4xf32>
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      %x = memref.load %a[%i, %j] : memref<4x4xf32>
      %y = memref.load %bias[%j] : memref<4xf32>
      %s = arith.addf %x, %y : f32
      memref.store %s, %b[%i, %j] : memref<4x4xf32>
    }
  }
  memref.copy %b, %out : memref<4x4xf32> to memref<4x4xf32>
  return
}

// -----

// In any order of the iterations.
// CHECK-LABEL: func.func @parallel(
// CHECK: memplan.arena align(64) : memref<64xi8>
func.func @parallel(%in: memref<4x4xf32>, %out: memref<4x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<4x4xf32>
  linalg.exp ins(%in : memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  %b = memref.alloc() : memref<4x4xf32>
  scf.parallel (%i, %j) = (%c0, %c0) to (%c4, %c4) step (%c1, %c1) {
    %x = memref.load %a[%i, %j] : memref<4x4xf32>
    %s = math.absf %x : f32
    memref.store %s, %b[%i, %j] : memref<4x4xf32>
  }
  memref.copy %b, %out : memref<4x4xf32> to memref<4x4xf32>
  return
}

// -----

// Affine loops, one dimension of one element, a condition, and an inner loop
// that reads the element again: all reads come before the write.
// CHECK-LABEL: func.func @affine(
// CHECK: memplan.arena align(64) : memref<64xi8>
func.func @affine(%in: memref<1x4x4xf32>, %out: memref<1x4x4xf32>, %c: i1) {
  %a = memref.alloc() : memref<1x4x4xf32>
  linalg.exp ins(%in : memref<1x4x4xf32>) outs(%a : memref<1x4x4xf32>)
  %b = memref.alloc() : memref<1x4x4xf32>
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 4 {
      %x = affine.for %k = 0 to 4 iter_args(%s = %in) -> (memref<1x4x4xf32>) {
        %t = affine.load %a[0, %i, %j] : memref<1x4x4xf32>
        affine.yield %s : memref<1x4x4xf32>
      }
      %y = affine.load %a[0, %i, %j] : memref<1x4x4xf32>
      scf.if %c {
        affine.store %y, %b[0, %i, %j] : memref<1x4x4xf32>
      }
    }
  }
  memref.copy %b, %out : memref<1x4x4xf32> to memref<1x4x4xf32>
  return
}

// -----

// A neighbouring element is read after it is written, or before: in both
// directions.
// CHECK-LABEL: func.func @neighbour(
// CHECK: memplan.arena align(64) : memref<128xi8>
func.func @neighbour(%in: memref<16xf32>, %out: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %b = memref.alloc() : memref<16xf32>
  affine.for %i = 1 to 16 {
    %x = affine.load %a[%i - 1] : memref<16xf32>
    affine.store %x, %b[%i] : memref<16xf32>
  }
  memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  return
}

// -----

// Equal indices are different bytes if the shapes differ, even with equal
// numbers of elements: %b[1, 0] is %a[2, 0].
// CHECK-LABEL: func.func @other_shape(
// CHECK: memplan.arena align(64) : memref<128xi8>
func.func @other_shape(%in: memref<8x2xf32>, %out: memref<4x4xf32>) {
  %a = memref.alloc() : memref<8x2xf32>
  linalg.exp ins(%in : memref<8x2xf32>) outs(%a : memref<8x2xf32>)
  %b = memref.alloc() : memref<4x4xf32>
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 2 {
      %x = affine.load %a[%i, %j] : memref<8x2xf32>
      affine.store %x, %b[%i, %j] : memref<4x4xf32>
    }
  }
  memref.copy %b, %out : memref<4x4xf32> to memref<4x4xf32>
  return
}

// -----

// The shape operand of memref.reshape is read in each iteration.
// CHECK-LABEL: func.func @shape_is_read(
// CHECK: memplan.arena align(64) : memref<80xi8>
func.func @shape_is_read(%in: memref<16xf32>, %out: memref<2xindex>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<2xindex>
  linalg.fill ins(%c4 : index) outs(%a : memref<2xindex>)
  %b = memref.alloc() : memref<2xindex>
  affine.for %i = 0 to 2 {
    %r = memref.reshape %in(%a) : (memref<16xf32>, memref<2xindex>) -> memref<?x?xf32>
    %d = memref.dim %r, %c0 : memref<?x?xf32>
    %x = affine.load %a[%i] : memref<2xindex>
    %y = arith.addi %x, %d : index
    affine.store %y, %b[%i] : memref<2xindex>
  }
  memref.copy %b, %out : memref<2xindex> to memref<2xindex>
  return
}

// -----

// CHECK-LABEL: func.func @transposed(
// CHECK: memplan.arena align(64) : memref<128xi8>
func.func @transposed(%in: memref<4x4xf32>, %out: memref<4x4xf32>) {
  %a = memref.alloc() : memref<4x4xf32>
  linalg.exp ins(%in : memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  %b = memref.alloc() : memref<4x4xf32>
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 4 {
      %x = affine.load %a[%i, %j] : memref<4x4xf32>
      affine.store %x, %b[%j, %i] : memref<4x4xf32>
    }
  }
  memref.copy %b, %out : memref<4x4xf32> to memref<4x4xf32>
  return
}

// -----

// The outer loop visits every element again.
// CHECK-LABEL: func.func @twice(
// CHECK: memplan.arena align(64) : memref<128xi8>
func.func @twice(%in: memref<16xf32>, %out: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %b = memref.alloc() : memref<16xf32>
  affine.for %n = 0 to 2 {
    affine.for %i = 0 to 16 {
      %x = affine.load %a[%i] : memref<16xf32>
      %y = arith.negf %x : f32
      affine.store %y, %b[%i] : memref<16xf32>
    }
  }
  memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  return
}

// -----

// The store comes before the load.
// CHECK-LABEL: func.func @store_first(
// CHECK: memplan.arena align(64) : memref<128xi8>
func.func @store_first(%in: memref<16xf32>, %out: memref<16xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %b = memref.alloc() : memref<16xf32>
  affine.for %i = 0 to 16 {
    affine.store %zero, %b[%i] : memref<16xf32>
    %x = affine.load %a[%i] : memref<16xf32>
    %y = affine.load %b[%i] : memref<16xf32>
    %z = arith.addf %x, %y : f32
    affine.store %z, %b[%i] : memref<16xf32>
  }
  memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  return
}

// -----

// By a view with another order, and by another name.
// CHECK-LABEL: func.func @view(
// CHECK: memplan.arena align(64) : memref<128xi8>
func.func @view(%in: memref<16xf32>, %out: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %b = memref.alloc() : memref<16xf32>
  %v = memref.subview %a[8] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1], offset: 8>>
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<16xf32>
    %y = affine.load %v[%i] : memref<8xf32, strided<[1], offset: 8>>
    %z = arith.addf %x, %y : f32
    affine.store %z, %b[%i] : memref<16xf32>
  }
  memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  return
}

// -----

// The loop around the nest reads %a again.
// CHECK-LABEL: func.func @around(
// CHECK: memplan.arena align(64) : memref<128xi8>
func.func @around(%n: index, %in: memref<16xf32>, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  scf.for %k = %c0 to %n step %c1 {
    %b = memref.alloc() : memref<16xf32>
    affine.for %i = 0 to 16 {
      %x = affine.load %a[%i] : memref<16xf32>
      affine.store %x, %b[%i] : memref<16xf32>
    }
    memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  }
  return
}

// -----

// The whole loop is one nest: the op before the inner loop reads all of %a in
// every iteration.
// CHECK-LABEL: func.func @read_whole(
// CHECK: memplan.arena align(64) : memref<128xi8>
func.func @read_whole(%in: memref<16xf32>, %out: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %b = memref.alloc() : memref<16xf32>
  affine.for %i = 0 to 16 {
    memref.copy %a, %out : memref<16xf32> to memref<16xf32>
    %x = affine.load %a[%i] : memref<16xf32>
    affine.store %x, %b[%i] : memref<16xf32>
  }
  memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  return
}

// -----

// Only equal indices show that two accesses are to one element.
// CHECK-LABEL: func.func @same_element(
// CHECK: memplan.arena align(64) : memref<128xi8>
func.func @same_element(%in: memref<4x4xf32>, %out: memref<16xf32>) {
  %a = memref.alloc() : memref<4x4xf32>
  linalg.exp ins(%in : memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  %b = memref.alloc() : memref<16xf32>
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 4 {
      %x = affine.load %a[%i + 2, %j] : memref<4x4xf32>
      %y = math.absf %x : f32
      affine.store %y, %b[%i * 4 + %j + 8] : memref<16xf32>
    }
  }
  linalg.exp ins(%b : memref<16xf32>) outs(%out : memref<16xf32>)
  return
}

// -----

// With an index of 32 bits 2^29 * 8 is 0, so iterations 0 and 8 access the same
// element.
// CHECK-LABEL: func.func @narrow_index(
// CHECK: memplan.arena align(64) : memref<68xi8>
module attributes {dlti.dl_spec = #dlti.dl_spec<index = 32 : i64>} {
  func.func @narrow_index(%seven: i8, %out: memref<4xi8>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %big = arith.constant 536870912 : index
    %a = memref.alloc() : memref<4xi8>
    linalg.fill ins(%seven : i8) outs(%a : memref<4xi8>)
    %b = memref.alloc() : memref<4xi8>
    scf.for %i = %c0 to %c16 step %c1 {
      %r = arith.remui %i, %c8 : index
      %p = arith.cmpi eq, %r, %c0 : index
      scf.if %p {
        %k = arith.muli %i, %big : index
        %x = memref.load %a[%k] : memref<4xi8>
        %y = arith.addi %x, %x : i8
        memref.store %y, %b[%k] : memref<4xi8>
      }
    }
    memref.copy %b, %out : memref<4xi8> to memref<4xi8>
    return
  }
}

// -----

// affine.parallel is analysed like other loops, but is not in place.
// CHECK-LABEL: func.func @affine_parallel(
// CHECK: memplan.arena align(64) : memref<96xi8>
func.func @affine_parallel(%x: memref<8xf32>, %y: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  affine.parallel (%i) = (0) to (8) {
    %v = affine.load %a[%i] : memref<8xf32>
    %w = arith.addf %v, %v : f32
    affine.store %w, %b[%i] : memref<8xf32>
  }
  linalg.add ins(%b, %x : memref<8xf32>, memref<8xf32>) outs(%y : memref<8xf32>)
  return
}
