// RUN: memplan-opt %s --memplan-verify=quiet -split-input-file -verify-diagnostics

// Values each of which is the one before or a new slot, all of them at the same
// bytes, and plans of these that are broken by hand. The verifier keeps the
// slots that a value may be in sets that share what they have in common.

// Each value takes the place of the one before, which nobody reads any more.
func.func @each_takes_over(%c: i1, %x: f32, %out: memref<16xf32>) {
  %arena = memplan.arena align(64) : memref<64xi8>
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %r1 = scf.if %c -> (memref<16xf32>) {
    scf.yield %a : memref<16xf32>
  } else {
    %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
    linalg.fill ins(%x : f32) outs(%b : memref<16xf32>)
    scf.yield %b : memref<16xf32>
  }
  %r2 = scf.if %c -> (memref<16xf32>) {
    scf.yield %r1 : memref<16xf32>
  } else {
    %d = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
    linalg.fill ins(%x : f32) outs(%d : memref<16xf32>)
    scf.yield %d : memref<16xf32>
  }
  memref.copy %r2, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<64xi8>
  return
}

// -----

// The first value of the chain is read after the last link has taken its bytes.
func.func @first_is_read_later(%c: i1, %x: f32, %out: memref<16xf32>) {
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %r1 = scf.if %c -> (memref<16xf32>) {
    scf.yield %a : memref<16xf32>
  } else {
    %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
    linalg.fill ins(%x : f32) outs(%b : memref<16xf32>)
    scf.yield %b : memref<16xf32>
  }
  %r2 = scf.if %c -> (memref<16xf32>) {
    scf.yield %r1 : memref<16xf32>
  } else {
    %d = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
    // expected-note @below {{bytes [0, 64) are written here}}
    linalg.fill ins(%x : f32) outs(%d : memref<16xf32>)
    scf.yield %d : memref<16xf32>
  }
  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'linalg.fill' through the buffer at [0, 64) has overwritten}}
  memref.copy %r1, %out : memref<16xf32> to memref<16xf32>
  memref.copy %r2, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<64xi8>
  return
}

// -----

// What no link may be has its bytes: all of them lose them.
func.func @stranger_writes(%c: i1, %x: f32, %out: memref<16xf32>) {
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %r1 = scf.if %c -> (memref<16xf32>) {
    scf.yield %a : memref<16xf32>
  } else {
    %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
    linalg.fill ins(%x : f32) outs(%b : memref<16xf32>)
    scf.yield %b : memref<16xf32>
  }
  %e = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  // expected-note @below {{bytes [0, 64) are written here}}
  linalg.fill ins(%x : f32) outs(%e : memref<16xf32>)
  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'linalg.fill' through the buffer at [0, 64) has overwritten}}
  memref.copy %r1, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<64xi8>
  return
}

// -----

// A link that is written through is either the first buffer or one elsewhere:
// nothing is lost by it.
func.func @write_through_link(%c: i1, %x: f32, %out: memref<16xf32>) {
  %arena = memplan.arena align(64) : memref<128xi8>
  %a = memplan.view %arena[0] align(64) : memref<128xi8> to memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %r1 = scf.if %c -> (memref<16xf32>) {
    scf.yield %a : memref<16xf32>
  } else {
    %b = memplan.view %arena[64] align(64) : memref<128xi8> to memref<16xf32>
    linalg.fill ins(%x : f32) outs(%b : memref<16xf32>)
    scf.yield %b : memref<16xf32>
  }
  linalg.fill ins(%x : f32) outs(%r1 : memref<16xf32>)
  memref.copy %a, %out : memref<16xf32> to memref<16xf32>
  memref.copy %r1, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<128xi8>
  return
}
