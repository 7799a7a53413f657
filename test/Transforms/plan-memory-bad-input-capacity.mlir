// If the capacity is less than the peak, the error has the missing bytes and
// the buffers that are live at the peak; a capacity equal to the peak suffices.

// RUN: memplan-opt --plan-memory="prepare=false capacity=300 in-place=false" --verify-diagnostics %s
// RUN: not memplan-opt --plan-memory="prepare=false capacity=300 in-place=false" %s 2>/dev/null | FileCheck %s --check-prefix=NOTHING --allow-empty
// RUN: memplan-opt --plan-memory="prepare=false capacity=512 in-place=false" %s | FileCheck %s --check-prefix=FITS

// NOTHING-NOT: memref.view
// FITS: memref.alloc() {{.*}} : memref<512xi8>

// expected-error @+2 {{arena of @f in memory space 0 requires at least 512 bytes but its capacity is 300, 212 too few}}
// expected-note @+1 {{memplan-fit may make it fit, as it reorders ops and computes values again; memplan-assign-spaces moves buffers to other memory spaces}}
func.func @f() {
  %c = arith.constant 1.0 : f32
  // expected-note @+1 {{b0, 256 bytes, is live at the peak of 512 bytes}}
  %a = memref.alloc() : memref<64xf32>
  // expected-note @+1 {{b1, 256 bytes, is live at the peak of 512 bytes}}
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%c : f32) outs(%a : memref<64xf32>)
  linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
  return
}
