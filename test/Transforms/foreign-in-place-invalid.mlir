// The verifier trusts an op's declaration over which operand it may write, but
// nothing beyond it.
// RUN: memplan-test-opt %s --split-input-file --memplan-verify -verify-diagnostics > /dev/null

func.func @second(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note@+1 {{placed here}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  foreign.apply %in to %a : memref<16xf32>, memref<16xf32>
  // expected-note@+1 {{placed here}}
  %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  // expected-error@+1 {{buffer}}
  foreign.merge %in, %a to %b : memref<16xf32>, memref<16xf32>, memref<16xf32>
  foreign.apply %b to %out : memref<16xf32>, memref<16xf32>
  memplan.release %arena : memref<64xi8>
  return
}

// -----

// A part of %a is read after %b is written.
func.func @a_part(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memplan.arena align(64) : memref<128xi8>
  // expected-note@+1 {{placed here}}
  %a = memplan.view %arena[0] align(64) : memref<128xi8> to memref<16xf32>
  foreign.apply %in to %a : memref<16xf32>, memref<16xf32>
  // expected-note@+1 {{placed here}}
  %b = memplan.view %arena[32] align(32) : memref<128xi8> to memref<16xf32>
  // expected-error@+1 {{buffer}}
  foreign.merge %a, %in to %b : memref<16xf32>, memref<16xf32>, memref<16xf32>
  foreign.apply %b to %out : memref<16xf32>, memref<16xf32>
  memplan.release %arena : memref<128xi8>
  return
}
