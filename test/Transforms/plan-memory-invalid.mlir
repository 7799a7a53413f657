// Errors of plan-memory have locations and numbers, and nothing is rewritten.
// RUN: memplan-opt %s --plan-memory="capacity=256 strategy=naive" \
// RUN:   --split-input-file -verify-diagnostics
// RUN: not memplan-opt %s --plan-memory=strategy=fastest 2>&1 \
// RUN:   | FileCheck %s --check-prefix=STRATEGY
// STRATEGY: 'fastest' is not one of auto, naive,
// RUN: not memplan-opt %s --plan-memory=alignment=100 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ALIGNMENT
// ALIGNMENT: plan-memory-invalid.mlir:{{.*}}error: alignment 100 is not a power of two
// RUN: not memplan-opt %s --plan-memory=alignment=-8 2>&1 \
// RUN:   | FileCheck %s --check-prefix=BELOW-ZERO
// BELOW-ZERO: '-8' is not a number of bytes
// RUN: not memplan-opt %s --plan-memory=capacity=-64 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: '-64' is not a number of bytes
// RUN: not memplan-opt %s --plan-memory=capacity=64q 2>&1 \
// RUN:   | FileCheck %s --check-prefix=UNIT
// UNIT: '64q' is not a number of bytes

// No strategy can find a plan: 320 bytes are live at once. There is a note at
// every buffer that is live then.
// expected-error@+2 {{arena of @impossible in memory space 0 requires at least 320 bytes but its capacity is 256, 64 too few}}
// expected-note @+1 {{memplan-fit may make it fit, as it reorders ops and computes values again; memplan-assign-spaces moves buffers to other memory spaces}}
func.func @impossible(%f: f32, %i: index) {
  // expected-note@+1 {{b0, 256 bytes, is live at the peak of 320 bytes}}
  %a = memref.alloc() : memref<64xf32>
  // expected-note@+1 {{b1, 64 bytes, is live at the peak of 320 bytes}}
  %b = memref.alloc() : memref<16xf32>
  // It is not live at the peak, so it has no note.
  %c = memref.alloc() : memref<16xf32>
  memref.store %f, %a[%i] : memref<64xf32>
  memref.store %f, %b[%i] : memref<16xf32>
  memref.store %f, %a[%i] : memref<64xf32>
  memref.store %f, %c[%i] : memref<16xf32>
  return
}

// -----

// This strategy does not find a plan; the message names one that does.
// expected-note@+2 {{it fits with strategy=auto}}
// expected-error@+1 {{arena of @another_strategy_would in memory space 0 requires 320 bytes but its capacity is 256, 64 too few (the least that naive found; the lower bound is 256)}}
func.func @another_strategy_would(%f: f32, %i: index) {
  // expected-note@+1 {{b0, 256 bytes, is live at the peak of 256 bytes}}
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<16xf32>
  memref.store %f, %a[%i] : memref<64xf32>
  memref.store %f, %b[%i] : memref<16xf32>
  return
}

// -----

// All functions are reported, not only the first; each arena has its own number
// of bytes.
// expected-error@+2 {{arena of @first in memory space 0 requires at least 512 bytes but its capacity is 256, 256 too few}}
// expected-note @+1 {{memplan-fit may make it fit, as it reorders ops and computes values again; memplan-assign-spaces moves buffers to other memory spaces}}
func.func @first(%f: f32, %i: index) {
  // expected-note@+1 {{b0, 512 bytes, is live at the peak of 512 bytes}}
  %a = memref.alloc() : memref<128xf32>
  memref.store %f, %a[%i] : memref<128xf32>
  return
}
func.func @fits(%f: f32, %i: index) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32, 1>
  memref.store %f, %a[%i] : memref<64xf32>
  memref.store %f, %b[%i] : memref<64xf32, 1>
  return
}
// expected-error@+2 {{arena of @third in memory space 0 requires at least 1024 bytes but its capacity is 256, 768 too few}}
// expected-note @+1 {{memplan-fit may make it fit, as it reorders ops and computes values again; memplan-assign-spaces moves buffers to other memory spaces}}
func.func @third(%f: f32, %i: index) {
  // expected-note@+1 {{b0, 1024 bytes, is live at the peak of 1024 bytes}}
  %a = memref.alloc() : memref<256xf32>
  memref.store %f, %a[%i] : memref<256xf32>
  return
}
