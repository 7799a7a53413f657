// A pass that orders memory by SSA value does not know that two values share
// bytes. Fused before planning the loops are planned as they are; fused after
// it one slot is read when it is another's, and the verifier says so.
// RUN: memplan-opt %s --affine-loop-fusion --plan-memory --memplan-verify=quiet | \
// RUN:   FileCheck %s --check-prefix=BEFORE
// RUN: not memplan-opt %s --plan-memory --affine-loop-fusion --memplan-verify=quiet \
// RUN:   2>&1 | FileCheck %s --check-prefix=AFTER

// Both buffers are read by the one loop, so they lie side by side.
// BEFORE-LABEL: func.func @two_readers
// BEFORE: memref.alloc() {{.*}}memplan.arena} : memref<128xi8>
// BEFORE-COUNT-1: affine.for
// BEFORE-NOT: affine.for

// One after the other they had one place. In the fused loop %a is read after
// %b was written.
// AFTER: error: reads buffer at bytes [0, 64) of the arena, which 'memref.copy' through the buffer at [0, 64) has overwritten
// AFTER-NEXT: affine.load %a
func.func @two_readers(%in: memref<16xf32>, %in2: memref<16xf32>,
                       %out: memref<16xf32>, %out2: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  affine.for %i = 0 to 16 {
    %x = affine.load %a[%i] : memref<16xf32>
    %z = affine.load %in[%i] : memref<16xf32>
    %y = arith.mulf %x, %z : f32
    affine.store %y, %out[%i] : memref<16xf32>
  }
  %b = memref.alloc() : memref<16xf32>
  memref.copy %in2, %b : memref<16xf32> to memref<16xf32>
  affine.for %i = 0 to 16 {
    %x = affine.load %b[%i] : memref<16xf32>
    %z = affine.load %in[%i] : memref<16xf32>
    %y = arith.addf %x, %z : f32
    affine.store %y, %out2[%i] : memref<16xf32>
  }
  return
}
