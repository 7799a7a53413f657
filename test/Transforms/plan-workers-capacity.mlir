// Where all workers at once do not fit, what they need is left alone, the loop
// is as it was, and all of it is told once.
// RUN: memplan-opt %s --plan-memory="parallel-workers=2 capacity=100 lower=false" \
// RUN:   --remarks-filter='plan.*' -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @too_large
func.func @too_large(%f: f32, %n: index) { // expected-remark {{arena}}
  // CHECK: memplan.arena align(64) : memref<64xi8>
  // expected-remark@+1 {{b0 planned at offset 0}}
  %x = memref.alloc() : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%x : memref<16xf32>)
  func.call @use(%x) : (memref<16xf32>) -> ()
  // CHECK: scf.forall (%{{.*}}) in (%{{.*}}) {
  // CHECK-NEXT: memref.alloc
  scf.forall (%i) in (%n) {
    // expected-remark@+1 {{b1 not planned: it is allocated inside 'scf.forall', whose iterations may run at the same time; their number is not known}}
    %a = memref.alloc() : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    func.call @use(%a) : (memref<16xf32>) -> ()
  }
  return
}
func.func private @use(memref<16xf32>)
