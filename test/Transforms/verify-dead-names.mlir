// RUN: memplan-opt %s --memplan-verify=quiet -split-input-file -verify-diagnostics -o /dev/null

// The write to %b destroys nothing of %x, which has no contents yet. %x was %a
// first and is another buffer later; this does not matter, as %a has no use in
// or after the loop.
func.func @first_name_is_dead(%n: index, %v: f32, %some: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memplan.arena align(64) : memref<64xi8>
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> memref<16xf32> {
    %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
    memref.store %v, %b[%c1] : memref<16xf32>
    %w = memref.load %b[%c1] : memref<16xf32>
    memref.store %w, %x[%c0] : memref<16xf32>
    %y = memref.load %x[%c0] : memref<16xf32>
    %next = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
    scf.yield %next : memref<16xf32>
  }
  memplan.release %arena : memref<64xi8>
  return %v : f32
}

// -----

// Here %a is used: %x may still be %a, which was overwritten by %b.
func.func @first_name_is_used(%n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> memref<16xf32> {
    // expected-note @below {{bytes [0, 64) are written here}}
    memref.store %v, %x[%c0] : memref<16xf32>
    %next = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
    memref.store %v, %next[%c0] : memref<16xf32>
    scf.yield %next : memref<16xf32>
  }
  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'memref.store' through the buffer at [0, 64) has overwritten}}
  %w = memref.load %a[%c0] : memref<16xf32>
  memplan.release %arena : memref<64xi8>
  return %w : f32
}

// -----

// A name that the next iteration of the outer loop uses once more is not dead
// at the begin of the inner loop.
func.func @used_in_the_next_iteration(%n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  memref.store %v, %a[%c0] : memref<16xf32>
  scf.for %i = %c0 to %n step %c1 {
    // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'memref.store' through the buffer at [0, 64) has overwritten}}
    %w = memref.load %a[%c0] : memref<16xf32>
    scf.for %j = %c0 to %n step %c1 {
      %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
      // expected-note @below {{bytes [0, 64) are written here}}
      memref.store %v, %b[%c0] : memref<16xf32>
      %y = memref.load %b[%c0] : memref<16xf32>
    }
  }
  memplan.release %arena : memref<64xi8>
  return
}
