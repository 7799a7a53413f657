// A capacity that just suffices, one that is a byte short, none, and no bytes.
// RUN: memplan-opt %s --plan-memory=capacity=320 | FileCheck %s
// RUN: memplan-opt %s --plan-memory | FileCheck %s
// RUN: not memplan-opt %s --plan-memory=capacity=0 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not memplan-opt %s --plan-memory=capacity=319 2>&1 >%t.out \
// RUN:   | FileCheck %s --check-prefix=SHORT
// RUN: count 0 < %t.out
// NONE: error: arena of @f in memory space 0 requires at least 320 bytes but its capacity is 0, 320 too few
// SHORT: error: arena of @f in memory space 0 requires at least 320 bytes but its capacity is 319, 1 too few

// CHECK: memplan.arena} : memref<320xi8>
func.func @f(%f: f32, %i: index) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<16xf32>
  memref.store %f, %a[%i] : memref<64xf32>
  memref.copy %b, %b : memref<16xf32> to memref<16xf32>
  memref.store %f, %a[%i] : memref<64xf32>
  return
}

// Written in place, 8192 live bytes need 4096; the message names the buffers
// that do not fit accordingly.
// RUN: not memplan-opt %S/../../examples/chain.mlir --plan-memory=capacity=4000 2>&1 | FileCheck %s --check-prefix=PLACE
// PLACE: error: arena of @chain in memory space 0 requires at least 4096 bytes but its capacity is 4000, 96 too few
// PLACE: note: b0, 4096 bytes, is live at the peak of 8192 bytes, which share bytes where ops write over what they read
