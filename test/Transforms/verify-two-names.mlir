// RUN: memplan-opt %s --memplan-verify=quiet -split-input-file -verify-diagnostics -o /dev/null

// Two values are chosen by one condition. If both choices are the same for the
// first value, this does not determine the second.
func.func @condition_is_forgotten_where_choices_agree(%c: i1, %d: i1, %x: f32, %i: index) -> f32 {
  %arena = memplan.arena align(64) : memref<256xi8>
  %p = memplan.view %arena[0] align(64) : memref<256xi8> to memref<16xf32>
  %q = memplan.view %arena[64] align(64) : memref<256xi8> to memref<16xf32>
  linalg.fill ins(%x : f32) outs(%p : memref<16xf32>)
  linalg.fill ins(%x : f32) outs(%q : memref<16xf32>)
  cf.cond_br %d, ^next(%p : memref<16xf32>), ^next(%q : memref<16xf32>)
^next(%m: memref<16xf32>):
  %good = memplan.view %arena[192] align(64) : memref<256xi8> to memref<16xf32>
  linalg.fill ins(%x : f32) outs(%good : memref<16xf32>)
  // expected-note @below {{the buffer at [128, 192) is placed here}}
  %bad = memplan.view %arena[128] align(64) : memref<256xi8> to memref<16xf32>
  linalg.fill ins(%x : f32) outs(%bad : memref<16xf32>)
  %over = memplan.view %arena[128] align(64) : memref<256xi8> to memref<16xf32>
  // expected-note @below {{bytes [128, 192) are written here}}
  linalg.fill ins(%x : f32) outs(%over : memref<16xf32>)
  %s = arith.select %c, %m, %m : memref<16xf32>
  %u = arith.select %c, %good, %bad : memref<16xf32>
  %v = memref.load %s[%i] : memref<16xf32>
  // expected-error @below {{reads buffer at bytes [128, 192) of the arena, which 'linalg.fill' through the buffer at [128, 192) has overwritten}}
  %w = memref.load %u[%i] : memref<16xf32>
  %y = arith.addf %v, %w : f32
  memplan.release %arena : memref<256xi8>
  return %y : f32
}

// -----

// %b begins in the bytes of %a, and is first written when %a is dead. The
// select may be %b, which does not matter as long as its result is not used.
func.func @chosen_and_not_used(%c: i1, %x: f32, %i: index) -> f32 {
  %arena = memplan.arena align(64) : memref<64xi8>
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  %chosen = arith.select %c, %b, %a : memref<16xf32>
  %part = memref.subview %chosen[0] [8] [1] : memref<16xf32> to memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %v = memref.load %a[%i] : memref<16xf32>
  memref.store %v, %b[%i] : memref<16xf32>
  %w = memref.load %b[%i] : memref<16xf32>
  memplan.release %arena : memref<64xi8>
  return %w : f32
}

// -----

// The same, carried by a loop to a value without uses.
func.func @handed_on_and_not_used(%c: i1, %x: f32, %i: index, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memplan.arena align(64) : memref<64xi8>
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%h = %b) -> memref<16xf32> {
    %chosen = arith.select %c, %h, %a : memref<16xf32>
    linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
    scf.yield %chosen : memref<16xf32>
  }
  memref.store %x, %b[%i] : memref<16xf32>
  %w = memref.load %b[%i] : memref<16xf32>
  memplan.release %arena : memref<64xi8>
  return %w : f32
}

// -----

// The chosen value is written to, and may be %b.
func.func @chosen_and_written(%c: i1, %x: f32, %i: index) -> f32 {
  %arena = memplan.arena align(64) : memref<64xi8>
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  %chosen = arith.select %c, %b, %a : memref<16xf32>
  %part = memref.subview %chosen[0] [8] [1] : memref<16xf32> to memref<8xf32>
  // expected-note @below {{bytes [0, 64) are written here}}
  memref.store %x, %part[%i] : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'memref.store' through the buffer at [0, 64) has overwritten}}
  %w = memref.load %b[%i] : memref<16xf32>
  memplan.release %arena : memref<64xi8>
  return %w : f32
}

// -----

// The carried value is written to after the loop.
func.func @handed_on_and_written(%c: i1, %x: f32, %i: index, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%h = %b) -> memref<16xf32> {
    %chosen = arith.select %c, %h, %a : memref<16xf32>
    // expected-note @below {{bytes [0, 64) are written here}}
    linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
    scf.yield %chosen : memref<16xf32>
  }
  // expected-error @below {{which 'linalg.fill' through the buffer at [0, 64) has overwritten}}
  memref.store %x, %r[%i] : memref<16xf32>
  memplan.release %arena : memref<64xi8>
  return %x : f32
}

// -----

// A choice among one buffer is that buffer: what is written through one name is
// read through the other.
func.func @one_buffer_chosen(%c: i1, %x: f32, %i: index) -> f32 {
  %arena = memplan.arena align(64) : memref<64xi8>
  %p = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  linalg.fill ins(%x : f32) outs(%p : memref<16xf32>)
  %s = arith.select %c, %p, %p : memref<16xf32>
  %other = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  linalg.fill ins(%x : f32) outs(%other : memref<16xf32>)
  linalg.fill ins(%x : f32) outs(%p : memref<16xf32>)
  %v = memref.load %s[%i] : memref<16xf32>
  memplan.release %arena : memref<64xi8>
  return %v : f32
}

// -----

func.func @one_buffer_chosen_and_lost(%c: i1, %x: f32, %i: index) -> f32 {
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %p = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  linalg.fill ins(%x : f32) outs(%p : memref<16xf32>)
  %s = arith.select %c, %p, %p : memref<16xf32>
  %other = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  // expected-note @below {{bytes [0, 64) are written here}}
  linalg.fill ins(%x : f32) outs(%other : memref<16xf32>)
  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'linalg.fill' through the buffer at [0, 64) has overwritten}}
  %v = memref.load %s[%i] : memref<16xf32>
  memplan.release %arena : memref<64xi8>
  return %v : f32
}
