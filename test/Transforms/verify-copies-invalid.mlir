// Wrong plans of copies into or from a slice of another buffer.
// RUN: memplan-opt %s -split-input-file -verify-diagnostics --memplan-verify=quiet=true

// The source is one element beside the slice.
func.func @off_by_one(%in: memref<4xf32>, %out: memref<16xf32>) {
  %arena = memplan.arena align(64) : memref<128xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %t = memplan.view %arena[0] align(4) : memref<128xi8> to memref<16xf32>
  // expected-note @below {{the buffer at [20, 36) is placed here}}
  %s = memplan.view %arena[20] align(4) : memref<128xi8> to memref<4xf32>
  linalg.abs ins(%in : memref<4xf32>) outs(%s : memref<4xf32>)
  %slice = memref.subview %t[4] [4] [1] : memref<16xf32> to memref<4xf32, strided<[1], offset: 4>>
  // expected-error @below {{shares bytes with it}}
  memref.copy %s, %slice : memref<4xf32> to memref<4xf32, strided<[1], offset: 4>>
  memref.copy %t, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<128xi8>
  return
}

// -----

// The source is read after the slice was overwritten.
func.func @source_read_later(%in: memref<4xf32>, %out: memref<16xf32>, %last: memref<4xf32>) {
  %arena = memplan.arena align(64) : memref<128xi8>
  %t = memplan.view %arena[0] align(4) : memref<128xi8> to memref<16xf32>
  // expected-note @below {{the buffer at [16, 32) is placed here}}
  %s = memplan.view %arena[16] align(4) : memref<128xi8> to memref<4xf32>
  linalg.abs ins(%in : memref<4xf32>) outs(%s : memref<4xf32>)
  %slice = memref.subview %t[4] [4] [1] : memref<16xf32> to memref<4xf32, strided<[1], offset: 4>>
  // expected-note @below {{bytes [0, 64) are written here}}
  memref.copy %s, %slice : memref<4xf32> to memref<4xf32, strided<[1], offset: 4>>
  memref.copy %t, %out : memref<16xf32> to memref<16xf32>
  // expected-error @below {{reads buffer at bytes [16, 32) of the arena, which 'memref.copy' through the buffer at [0, 64) has overwritten}}
  memref.copy %s, %last : memref<4xf32> to memref<4xf32>
  memplan.release %arena : memref<128xi8>
  return
}

// -----

// All of the target is filled while the source is live.
func.func @target_filled_between(%x: f32, %in: memref<4xf32>, %out: memref<16xf32>) {
  %arena = memplan.arena align(64) : memref<128xi8>
  %t = memplan.view %arena[0] align(4) : memref<128xi8> to memref<16xf32>
  // expected-note @below {{the buffer at [16, 32) is placed here}}
  %s = memplan.view %arena[16] align(4) : memref<128xi8> to memref<4xf32>
  linalg.abs ins(%in : memref<4xf32>) outs(%s : memref<4xf32>)
  // expected-note @below {{bytes [0, 64) are written here}}
  linalg.fill ins(%x : f32) outs(%t : memref<16xf32>)
  %slice = memref.subview %t[4] [4] [1] : memref<16xf32> to memref<4xf32, strided<[1], offset: 4>>
  // expected-error @below {{reads buffer at bytes [16, 32) of the arena, which 'linalg.fill' through the buffer at [0, 64) has overwritten}}
  memref.copy %s, %slice : memref<4xf32> to memref<4xf32, strided<[1], offset: 4>>
  memref.copy %t, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<128xi8>
  return
}

// -----

// The target is read before the copy to the slice.
func.func @target_read_before(%in: memref<4xf32>, %first: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memplan.arena align(64) : memref<128xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %t = memplan.view %arena[0] align(4) : memref<128xi8> to memref<16xf32>
  linalg.abs ins(%first : memref<16xf32>) outs(%t : memref<16xf32>)
  %s = memplan.view %arena[16] align(4) : memref<128xi8> to memref<4xf32>
  // expected-note @below {{bytes [16, 32) are written here}}
  linalg.abs ins(%in : memref<4xf32>) outs(%s : memref<4xf32>)
  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'linalg.abs' through the buffer at [16, 32) has overwritten}}
  memref.copy %t, %first : memref<16xf32> to memref<16xf32>
  %slice = memref.subview %t[4] [4] [1] : memref<16xf32> to memref<4xf32, strided<[1], offset: 4>>
  memref.copy %s, %slice : memref<4xf32> to memref<4xf32, strided<[1], offset: 4>>
  memref.copy %t, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<128xi8>
  return
}

// -----

// Two sources in one slice: the second one overwrites the first.
func.func @two_sources(%in: memref<4xf32>, %out: memref<16xf32>) {
  %arena = memplan.arena align(64) : memref<128xi8>
  %t = memplan.view %arena[0] align(4) : memref<128xi8> to memref<16xf32>
  // expected-note @below {{the buffer at [16, 32) is placed here}}
  %s = memplan.view %arena[16] align(4) : memref<128xi8> to memref<4xf32>
  %r = memplan.view %arena[28] align(4) : memref<128xi8> to memref<4xf32>
  linalg.abs ins(%in : memref<4xf32>) outs(%s : memref<4xf32>)
  // expected-note @below {{bytes [28, 44) are written here}}
  linalg.exp ins(%in : memref<4xf32>) outs(%r : memref<4xf32>)
  %slice = memref.subview %t[4] [4] [1] : memref<16xf32> to memref<4xf32, strided<[1], offset: 4>>
  // expected-error @below {{reads buffer at bytes [16, 32) of the arena, which 'linalg.exp' through the buffer at [28, 44) has overwritten}}
  memref.copy %s, %slice : memref<4xf32> to memref<4xf32, strided<[1], offset: 4>>
  memref.copy %t, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<128xi8>
  return
}

// -----

// Every other element: the bytes between them stay lost.
func.func @gaps_stay_lost(%in: memref<4xf32>, %first: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memplan.arena align(64) : memref<128xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %t = memplan.view %arena[0] align(4) : memref<128xi8> to memref<16xf32>
  linalg.abs ins(%first : memref<16xf32>) outs(%t : memref<16xf32>)
  %s = memplan.view %arena[16] align(4) : memref<128xi8> to memref<4xf32>
  // expected-note @below {{bytes [16, 32) are written here}}
  linalg.abs ins(%in : memref<4xf32>) outs(%s : memref<4xf32>)
  %slice = memref.subview %t[4] [2] [2] : memref<16xf32> to memref<2xf32, strided<[2], offset: 4>>
  %from = memref.subview %in[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
  // expected-error @below {{writes buffer at bytes [0, 64) of the arena, which 'linalg.abs' through the buffer at [16, 32) has overwritten}}
  memref.copy %from, %slice : memref<2xf32, strided<[1]>> to memref<2xf32, strided<[2], offset: 4>>
  memref.copy %t, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<128xi8>
  return
}

// -----

// On one path the slice is not rewritten.
func.func @one_path(%c: i1, %in: memref<4xf32>, %first: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memplan.arena align(64) : memref<128xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %t = memplan.view %arena[0] align(4) : memref<128xi8> to memref<16xf32>
  linalg.abs ins(%first : memref<16xf32>) outs(%t : memref<16xf32>)
  %s = memplan.view %arena[16] align(4) : memref<128xi8> to memref<4xf32>
  // expected-note @below {{bytes [16, 32) are written here}}
  linalg.abs ins(%in : memref<4xf32>) outs(%s : memref<4xf32>)
  scf.if %c {
    %slice = memref.subview %t[4] [4] [1] : memref<16xf32> to memref<4xf32, strided<[1], offset: 4>>
    memref.copy %s, %slice : memref<4xf32> to memref<4xf32, strided<[1], offset: 4>>
  }
  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'linalg.abs' through the buffer at [16, 32) has overwritten}}
  memref.copy %t, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<128xi8>
  return
}

// -----

// A nest that stores every other element of the slice.
func.func @nest_with_gaps(%in: memref<4xf32>, %first: memref<16xf32>, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %arena = memplan.arena align(64) : memref<128xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %t = memplan.view %arena[0] align(4) : memref<128xi8> to memref<16xf32>
  linalg.abs ins(%first : memref<16xf32>) outs(%t : memref<16xf32>)
  %s = memplan.view %arena[16] align(4) : memref<128xi8> to memref<4xf32>
  // expected-note @below {{bytes [16, 32) are written here}}
  linalg.abs ins(%in : memref<4xf32>) outs(%s : memref<4xf32>)
  %slice = memref.subview %t[4] [4] [1] : memref<16xf32> to memref<4xf32, strided<[1], offset: 4>>
  scf.for %i = %c0 to %c4 step %c2 {
    %x = memref.load %s[%i] : memref<4xf32>
    // expected-error @below {{writes buffer at bytes [0, 64) of the arena, which 'linalg.abs' through the buffer at [16, 32) has overwritten}}
    memref.store %x, %slice[%i] : memref<4xf32, strided<[1], offset: 4>>
  }
  memref.copy %t, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<128xi8>
  return
}

// -----

// A nest that ends too early.
func.func @nest_too_short(%in: memref<4xf32>, %first: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memplan.arena align(64) : memref<128xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %t = memplan.view %arena[0] align(4) : memref<128xi8> to memref<16xf32>
  linalg.abs ins(%first : memref<16xf32>) outs(%t : memref<16xf32>)
  %s = memplan.view %arena[16] align(4) : memref<128xi8> to memref<4xf32>
  // expected-note @below {{bytes [16, 32) are written here}}
  linalg.abs ins(%in : memref<4xf32>) outs(%s : memref<4xf32>)
  %slice = memref.subview %t[4] [4] [1] : memref<16xf32> to memref<4xf32, strided<[1], offset: 4>>
  affine.for %i = 0 to 3 {
    %x = affine.load %s[%i] : memref<4xf32>
    affine.store %x, %slice[%i] : memref<4xf32, strided<[1], offset: 4>>
  }
  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'linalg.abs' through the buffer at [16, 32) has overwritten}}
  memref.copy %t, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<128xi8>
  return
}

// -----

// A nest that stores some elements under a condition.
func.func @nest_on_condition(%c: i1, %in: memref<4xf32>, %first: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memplan.arena align(64) : memref<128xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %t = memplan.view %arena[0] align(4) : memref<128xi8> to memref<16xf32>
  linalg.abs ins(%first : memref<16xf32>) outs(%t : memref<16xf32>)
  %s = memplan.view %arena[16] align(4) : memref<128xi8> to memref<4xf32>
  // expected-note @below {{bytes [16, 32) are written here}}
  linalg.abs ins(%in : memref<4xf32>) outs(%s : memref<4xf32>)
  affine.for %i = 0 to 4 {
    %x = affine.load %s[%i] : memref<4xf32>
    scf.if %c {
      // expected-error @below {{writes buffer at bytes [0, 64) of the arena, which 'linalg.abs' through the buffer at [16, 32) has overwritten}}
      affine.store %x, %t[%i + 4] : memref<16xf32>
    }
  }
  memref.copy %t, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<128xi8>
  return
}

// -----

// A nest that reads an element of the slice before it stores it.
func.func @nest_that_reads(%in: memref<4xf32>, %first: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memplan.arena align(64) : memref<128xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %t = memplan.view %arena[0] align(4) : memref<128xi8> to memref<16xf32>
  linalg.abs ins(%first : memref<16xf32>) outs(%t : memref<16xf32>)
  %s = memplan.view %arena[16] align(4) : memref<128xi8> to memref<4xf32>
  // expected-note @below {{bytes [16, 32) are written here}}
  linalg.abs ins(%in : memref<4xf32>) outs(%s : memref<4xf32>)
  affine.for %i = 0 to 4 {
    // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'linalg.abs' through the buffer at [16, 32) has overwritten}}
    %x = affine.load %t[%i + 5] : memref<16xf32>
    affine.store %x, %t[%i + 4] : memref<16xf32>
  }
  memref.copy %t, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<128xi8>
  return
}

// -----

// A nest in which the other buffer is written again, after the store.
func.func @nest_that_gives_back(%in: memref<4xf32>, %first: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memplan.arena align(64) : memref<128xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %t = memplan.view %arena[0] align(4) : memref<128xi8> to memref<16xf32>
  linalg.abs ins(%first : memref<16xf32>) outs(%t : memref<16xf32>)
  %s = memplan.view %arena[16] align(4) : memref<128xi8> to memref<4xf32>
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 4 {
    // expected-error @below {{writes buffer at bytes [0, 64) of the arena, which 'linalg.abs' through the buffer at [16, 32) has overwritten}}
    affine.store %zero, %t[%i + 4] : memref<16xf32>
    // expected-note @below {{bytes [16, 32) are written here}}
    linalg.abs ins(%in : memref<4xf32>) outs(%s : memref<4xf32>)
  }
  memref.copy %t, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<128xi8>
  return
}

// -----

// After the release, no bytes are restored to the buffer.
func.func @nest_after_release(%out: memref<16xf32>) {
  %arena = memplan.arena align(64) : memref<128xi8>
  %t = memplan.view %arena[0] align(4) : memref<128xi8> to memref<16xf32>
  %zero = arith.constant 0.0 : f32
  // expected-note @below {{released here}}
  memplan.release %arena : memref<128xi8>
  affine.for %i = 0 to 4 {
    // expected-error @below {{uses buffer at bytes [0, 64) of the arena after the arena's release}}
    affine.store %zero, %t[%i + 4] : memref<16xf32>
  }
  return
}
