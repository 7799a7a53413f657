// The verifier follows asynchronous work of an unknown dialect.
// RUN: memplan-test-opt %s --split-input-file --memplan-verify -verify-diagnostics

// The work that reads bytes [0, 64) runs until the wait.
func.func @overwritten(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memplan.arena align(64) : memref<64xi8>
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  foreign.apply %in to %a : memref<16xf32>, memref<16xf32>
  // expected-note@+1 {{started here}}
  %e = foreign.send %a to %out : memref<16xf32>, memref<16xf32>
  %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  // expected-error@+1 {{writes a buffer that shares bytes while 'foreign.send', which has not been awaited, may use the buffer at bytes [0, 64)}}
  foreign.apply %in to %b : memref<16xf32>, memref<16xf32>
  foreign.wait %e
  memplan.release %arena : memref<64xi8>
  return
}

// -----

// The second one is awaited, not the first.
func.func @other_event(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note@+1 {{the buffer at bytes [0, 64)}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  foreign.apply %in to %a : memref<16xf32>, memref<16xf32>
  // expected-error@+1 {{uses asynchronously, without an await on every path}}
  %e = foreign.send %a to %out : memref<16xf32>, memref<16xf32>
  %f = foreign.send %in to %out : memref<16xf32>, memref<16xf32>
  foreign.wait %f
  memplan.release %arena : memref<64xi8>
  return
}
