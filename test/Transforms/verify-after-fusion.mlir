// A pass that orders memory by SSA value does not see that two values share
// bytes. Loops that are fused before planning are planned as such. After fusion
// of planned loops, a slot is read while another buffer has its bytes, and the
// verifier reports it.
// RUN: memplan-opt %s --affine-loop-fusion --plan-memory --memplan-verify=quiet | \
// RUN:   FileCheck %s --check-prefix=BEFORE
// RUN: not memplan-opt %s --plan-memory --affine-loop-fusion --memplan-verify=quiet \
// RUN:   2>&1 | FileCheck %s --check-prefix=AFTER

// The one loop reads both buffers, so they are side by side.
// BEFORE-LABEL: func.func @two_readers
// BEFORE: memref.alloc() {{.*}}memplan.arena} : memref<128xi8>
// BEFORE-COUNT-1: affine.for
// BEFORE-NOT: affine.for

// As separate loops they shared bytes. In the fused loop %a is read after %b
// was written.
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
