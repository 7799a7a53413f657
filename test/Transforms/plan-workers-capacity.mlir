// The frames of all workers must fit at once.
// RUN: memplan-opt %s --plan-memory=capacity=100 -verify-diagnostics
// RUN: not memplan-opt %s --memplan-extract=capacity=100 --memplan-solve 2>&1 | FileCheck %s --check-prefix=SOLVE
// SOLVE: error: arena of @too_large in memory space 0 requires at least 128 bytes but its capacity is 100, 28 too few
// SOLVE: note: workers0, 128 bytes, is live at the peak of 128 bytes

// expected-error@+2 {{arena of @too_large in memory space 0 requires at least 128 bytes but its capacity is 100, 28 too few}}
// expected-note@+1 {{memplan-fit may make it fit, as it reorders ops and computes values again; memplan-assign-spaces moves buffers to other memory spaces}}
func.func @too_large(%f: f32) {
  %x = memref.alloc() : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%x : memref<16xf32>)
  func.call @use(%x) : (memref<16xf32>) -> ()
  // expected-note@+1 {{workers0, 128 bytes, is live at the peak of 128 bytes}}
  scf.forall (%i) in (2) {
    %a = memref.alloc() : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    func.call @use(%a) : (memref<16xf32>) -> ()
  }
  return
}
func.func private @use(memref<16xf32>)
