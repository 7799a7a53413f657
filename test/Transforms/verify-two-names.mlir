// RUN: memplan-opt %s --memplan-verify=quiet -split-input-file -verify-diagnostics -o /dev/null

// Two values are chosen by one condition. That it makes no difference for the
// first does not tell which the second is.
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
