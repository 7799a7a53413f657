// RUN: memplan-opt %s -split-input-file -verify-diagnostics

// The mark of a lowered renewal at wrong ops.

func.func @wrong_place(%a: memref<64xf32>) {
  // expected-error @below {{attribute 'memplan.renew' belongs on a memref.cast of a slot}}
  memref.dealloc %a {memplan.renew} : memref<64xf32>
  return
}

// -----

func.func @wrong_value(%a: memref<64xf32>) {
  // expected-error @below {{attribute 'memplan.renew' must be a unit attribute}}
  %cast = memref.cast %a {memplan.renew = 1} : memref<64xf32> to memref<64xf32>
  return
}

