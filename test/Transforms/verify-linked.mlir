// RUN: memplan-opt %s --memplan-verify=quiet -split-input-file -verify-diagnostics

// Chains of values, each of which is the previous value or a new slot, all at
// the same bytes, and broken plans of them. The verifier represents the slots
// of a value as sets that share common parts.

// Each value overwrites the previous one, which is not read any more.
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

// The first value of the chain is read after the last one has overwritten it.
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

// A buffer that no value of the chain may be overwrites them: all of them lose
// their bytes.
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

// A value of the chain that is written through is either the first buffer or a
// buffer elsewhere, so nothing is lost by it.
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
