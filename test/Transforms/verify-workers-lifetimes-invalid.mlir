// Wrong lifetimes in and around the frames of workers.
// RUN: memplan-opt %s --memplan-verify=quiet --split-input-file -verify-diagnostics

// The frames take bytes of %x in its lifetime.
func.func @frames_in_a_lifetime(%f: f32) {
  %arena = memplan.arena align(64) : memref<256xi8>
  %x = memplan.view %arena[192] align(64) : memref<256xi8> to memref<16xf32>
  // expected-note @below {{the lifetime of the buffer at [192, 256) starts here}}
  memplan.lifetime_start %x : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%x : memref<16xf32>)
  // expected-error @below {{starts the lifetime of buffer at bytes [0, 256) of the arena while the buffer at [192, 256), which shares bytes with it, is live}}
  scf.forall (%i) in (4) {
    %a = memplan.view %arena[0 + %i * 64] align(64) : memref<256xi8> to memref<16xf32>
    memplan.lifetime_start %a : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    memplan.lifetime_end %a : memref<16xf32>
  }
  memplan.lifetime_end %x : memref<16xf32>
  memplan.release %arena : memref<256xi8>
  return
}

// -----

func.func @lifetimes_overlap_in_the_frame(%f: f32) {
  %arena = memplan.arena align(64) : memref<256xi8>
  scf.forall (%i) in (4) {
    %a = memplan.view %arena[0 + %i * 64] align(64) : memref<256xi8> to memref<16xf32>
    // expected-note @below {{the lifetime of the buffer at [0, 64) starts here}}
    memplan.lifetime_start %a : memref<16xf32>
    %b = memplan.view %arena[0 + %i * 64] align(64) : memref<256xi8> to memref<16xf32>
    // expected-error @below {{starts the lifetime of buffer at bytes [0, 64) of the arena while the buffer at [0, 64), which shares bytes with it, is live}}
    memplan.lifetime_start %b : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
    memplan.lifetime_end %b : memref<16xf32>
    memplan.lifetime_end %a : memref<16xf32>
  }
  memplan.release %arena : memref<256xi8>
  return
}

// -----

func.func @used_outside_its_lifetime(%f: f32) {
  %arena = memplan.arena align(64) : memref<256xi8>
  scf.forall (%i) in (4) {
    %a = memplan.view %arena[0 + %i * 64] align(64) : memref<256xi8> to memref<16xf32>
    // expected-error @below {{accesses buffer at bytes [0, 64) of the arena outside its lifetime}}
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    // expected-note @below {{a lifetime of it starts here}}
    memplan.lifetime_start %a : memref<16xf32>
    memplan.lifetime_end %a : memref<16xf32>
  }
  memplan.release %arena : memref<256xi8>
  return
}

// -----

func.func @after_the_release(%f: f32) {
  %arena = memplan.arena align(64) : memref<256xi8>
  // expected-note @below {{released here}}
  memplan.release %arena : memref<256xi8>
  // expected-error @below {{uses buffer at bytes [0, 256) of the arena after the arena's release}}
  scf.forall (%i) in (4) {
    %a = memplan.view %arena[0 + %i * 64] align(64) joined : memref<256xi8> to memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  }
  return
}
