// Plans in which loops overwrite a part of a buffer that they or others still
// read. The first is correct, and so are those of partial-overlap.mlir.
// RUN: memplan-opt %s -split-input-file -verify-diagnostics --memplan-verify=quiet=true

func.func @right(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memplan.arena align(64) : memref<72xi8>
  %a = memplan.view %arena[8] align(4) : memref<72xi8> to memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %b = memplan.view %arena[0] align(4) : memref<72xi8> to memref<16xf32>
  affine.for %i = 2 to 16 {
    %x = affine.load %a[%i - 2] : memref<16xf32>
    affine.store %x, %b[%i] : memref<16xf32>
  }
  memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<72xi8>
  return
}

// -----

// The distance is one element too small.
func.func @too_near(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memplan.arena align(64) : memref<68xi8>
  // expected-note @below {{is placed here}}
  %a = memplan.view %arena[4] align(4) : memref<68xi8> to memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %b = memplan.view %arena[0] align(4) : memref<68xi8> to memref<16xf32>
  affine.for %i = 2 to 16 {
    // expected-error @below {{reads buffer at bytes [4, 68) of the arena, which 'affine.store' through the buffer at [0, 64) has overwritten}}
    %x = affine.load %a[%i - 2] : memref<16xf32>
    // expected-note @below {{bytes [0, 64) are written here}}
    affine.store %x, %b[%i] : memref<16xf32>
  }
  memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<68xi8>
  return
}

// -----

// In row order a distance of one row suffices, in column order it does not.
func.func @rows(%in: memref<4x4xf32>, %out: memref<4x4xf32>) {
  %arena = memplan.arena align(64) : memref<80xi8>
  %a = memplan.view %arena[16] align(4) : memref<80xi8> to memref<4x4xf32>
  linalg.exp ins(%in : memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  %b = memplan.view %arena[0] align(4) : memref<80xi8> to memref<4x4xf32>
  affine.for %i = 1 to 4 {
    affine.for %j = 0 to 4 {
      %x = affine.load %a[%i - 1, %j] : memref<4x4xf32>
      affine.store %x, %b[%i, %j] : memref<4x4xf32>
    }
  }
  memref.copy %b, %out : memref<4x4xf32> to memref<4x4xf32>
  memplan.release %arena : memref<80xi8>
  return
}

// -----

func.func @interchanged(%in: memref<4x4xf32>, %out: memref<4x4xf32>) {
  %arena = memplan.arena align(64) : memref<80xi8>
  // expected-note @below {{is placed here}}
  %a = memplan.view %arena[16] align(4) : memref<80xi8> to memref<4x4xf32>
  linalg.exp ins(%in : memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  %b = memplan.view %arena[0] align(4) : memref<80xi8> to memref<4x4xf32>
  affine.for %j = 0 to 4 {
    // expected-note @below {{are written here}}
    affine.for %i = 1 to 4 {
      // expected-error @below {{has overwritten}}
      %x = affine.load %a[%i - 1, %j] : memref<4x4xf32>
      affine.store %x, %b[%i, %j] : memref<4x4xf32>
    }
  }
  memref.copy %b, %out : memref<4x4xf32> to memref<4x4xf32>
  memplan.release %arena : memref<80xi8>
  return
}

// -----

// The load in the same iteration is correct, the later one is not.
func.func @late_read(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memplan.arena align(64) : memref<68xi8>
  // expected-note @below {{is placed here}}
  %a = memplan.view %arena[4] align(4) : memref<68xi8> to memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %b = memplan.view %arena[0] align(4) : memref<68xi8> to memref<16xf32>
  affine.for %i = 1 to 16 {
    %x = affine.load %a[%i - 1] : memref<16xf32>
    // expected-note @below {{are written here}}
    affine.store %x, %b[%i] : memref<16xf32>
    // expected-error @below {{has overwritten}}
    %y = affine.load %a[%i - 1] : memref<16xf32>
    affine.store %y, %out[%i] : memref<16xf32>
  }
  memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<68xi8>
  return
}

// -----

// The second store overtakes the loads.
func.func @second_store(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memplan.arena align(64) : memref<68xi8>
  // expected-note @below {{is placed here}}
  %a = memplan.view %arena[4] align(4) : memref<68xi8> to memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %b = memplan.view %arena[0] align(4) : memref<68xi8> to memref<16xf32>
  affine.for %i = 0 to 14 {
    // expected-error @below {{has overwritten}}
    %x = affine.load %a[%i] : memref<16xf32>
    affine.store %x, %b[%i] : memref<16xf32>
    // expected-note @below {{are written here}}
    affine.store %x, %b[%i + 2] : memref<16xf32>
  }
  memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<68xi8>
  return
}

// -----

func.func @used_later(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memplan.arena align(64) : memref<68xi8>
  // expected-note @below {{is placed here}}
  %a = memplan.view %arena[4] align(4) : memref<68xi8> to memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %b = memplan.view %arena[0] align(4) : memref<68xi8> to memref<16xf32>
  // expected-note @below {{bytes [0, 64) are written here}}
  affine.for %i = 1 to 16 {
    %x = affine.load %a[%i - 1] : memref<16xf32>
    affine.store %x, %b[%i] : memref<16xf32>
  }
  // expected-error @below {{reads buffer at bytes [4, 68) of the arena, which 'affine.for' through the buffer at [0, 64) has overwritten}}
  linalg.add ins(%a, %b : memref<16xf32>, memref<16xf32>) outs(%out : memref<16xf32>)
  memplan.release %arena : memref<68xi8>
  return
}

// -----

// The outer loop reads elements that it has overwritten before.
func.func @again(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memplan.arena align(64) : memref<68xi8>
  // expected-note @below {{is placed here}}
  %a = memplan.view %arena[4] align(4) : memref<68xi8> to memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %b = memplan.view %arena[0] align(4) : memref<68xi8> to memref<16xf32>
  affine.for %n = 0 to 2 {
    // expected-note @below {{are written here}}
    affine.for %i = 1 to 16 {
      // expected-error @below {{has overwritten}}
      %x = affine.load %a[%i - 1] : memref<16xf32>
      affine.store %x, %b[%i] : memref<16xf32>
    }
  }
  memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<68xi8>
  return
}

// -----

// By a view that begins further below.
func.func @by_view(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memplan.arena align(64) : memref<68xi8>
  // expected-note @below {{is placed here}}
  %a = memplan.view %arena[4] align(4) : memref<68xi8> to memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %b = memplan.view %arena[0] align(4) : memref<68xi8> to memref<16xf32>
  %v = memref.subview %b[2] [14] [1] : memref<16xf32> to memref<14xf32, strided<[1], offset: 2>>
  affine.for %i = 0 to 14 {
    // expected-error @below {{has overwritten}}
    %x = affine.load %a[%i] : memref<16xf32>
    // expected-note @below {{are written here}}
    affine.store %x, %v[%i] : memref<14xf32, strided<[1], offset: 2>>
  }
  memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<68xi8>
  return
}

// -----

// Two iterations at once.
func.func @parallel(%in: memref<16xf32>, %out: memref<16xf32>) {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %arena = memplan.arena align(64) : memref<68xi8>
  // expected-note @below {{is placed here}}
  %a = memplan.view %arena[4] align(4) : memref<68xi8> to memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %b = memplan.view %arena[0] align(4) : memref<68xi8> to memref<16xf32>
  scf.parallel (%i) = (%c1) to (%c16) step (%c1) {
    // expected-error @below {{has overwritten}}
    %x = memref.load %a[%i] : memref<16xf32>
    // expected-note @below {{are written here}}
    memref.store %x, %b[%i] : memref<16xf32>
  }
  memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<68xi8>
  return
}

// -----

// A third buffer is written over a part of both.
func.func @third(%in: memref<16xf32>, %out: memref<16xf32>) {
  %zero = arith.constant 0.0 : f32
  %arena = memplan.arena align(64) : memref<68xi8>
  // expected-note @below {{is placed here}}
  %a = memplan.view %arena[4] align(4) : memref<68xi8> to memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  // expected-note @below {{is placed here}}
  %b = memplan.view %arena[0] align(4) : memref<68xi8> to memref<16xf32>
  %c = memplan.view %arena[32] align(4) : memref<68xi8> to memref<4xf32>
  affine.for %i = 1 to 16 {
    // expected-error @below {{has overwritten}}
    %x = affine.load %a[%i - 1] : memref<16xf32>
    // expected-error @below {{has overwritten}}
    affine.store %x, %b[%i] : memref<16xf32>
    // expected-note @below {{are written here}}
    affine.store %zero, %c[0] : memref<4xf32>
  }
  memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<68xi8>
  return
}
