// Wrong arenas of iterations.
// RUN: memplan-opt %s -split-input-file -verify-diagnostics --memplan-verify=quiet=true
// RUN: memplan-opt %s -split-input-file -verify-diagnostics --memplan-lower --memplan-verify=quiet=true

func.func @kept(%n: index, %in: memref<16xf32>, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    // expected-error @+2 {{leaves the arena without a release}}
    // expected-note @+1 {{the arena is allocated here}}
    %arena = memplan.arena align(64) : memref<64xi8>
    %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
    linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
    %v = memref.load %a[%i] : memref<16xf32>
    memref.store %v, %out[%i] : memref<16xf32>
  }
  // expected-error @below {{leaves the arena without a release}}
  return
}

// -----

func.func @released_early(%n: index, %in: memref<16xf32>, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %arena = memplan.arena align(64) : memref<64xi8>
    %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
    linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
    // expected-note @below {{released here}}
    memplan.release %arena : memref<64xi8>
    // expected-error @below {{uses buffer at bytes [0, 64) of the arena after the arena's release}}
    %v = memref.load %a[%i] : memref<16xf32>
    memref.store %v, %out[%i] : memref<16xf32>
  }
  return
}

// -----

// One arena for all iterations.
func.func @shared(%n: index, %in: memref<16xf32>, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-error @below {{iterations that may run at once share the buffer at bytes [0, 64)}}
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    // expected-note @below {{is placed here}}
    %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
    linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
    %v = memref.load %a[%i] : memref<16xf32>
    memref.store %v, %out[%i] : memref<16xf32>
  }
  memplan.release %arena : memref<64xi8>
  return
}
