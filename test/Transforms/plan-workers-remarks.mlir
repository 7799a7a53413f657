// Remarks on the bodies of parallel loops, and the effects of options on them.
// RUN: memplan-opt %s --plan-memory="workers=2" \
// RUN:   --remarks-filter='plan.*' -verify-diagnostics --split-input-file -o /dev/null
// RUN: memplan-opt %s --plan-memory="workers=2 lower=false" \
// RUN:   --split-input-file | FileCheck %s
// RUN: memplan-opt %s --memplan-extract=workers=0 --memplan-solve --memplan-materialize \
// RUN:   --split-input-file | FileCheck %s --check-prefix=ALONE
// RUN: memplan-opt %s --plan-memory="workers=0 lower=false" \
// RUN:   --split-input-file | FileCheck %s --check-prefix=ALONE

// ALONE-NOT: * 64]

// CHECK-LABEL: func.func @two
func.func @two(%f: f32) { // expected-remark {{arena}}
  // CHECK: memplan.arena align(64) : memref<128xi8>
  // expected-remark@+1 {{workers0 planned at offset 0}}
  scf.forall (%i) in (2) {
    // expected-remark@+1 {{b0 planned at offset 0 of the frame of each of 2 workers}}
    %a = memref.alloc() : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    func.call @use(%a) : (memref<16xf32>) -> ()
  }
  return
}
func.func private @use(memref<16xf32>)

// -----

// CHECK-LABEL: func.func @reduction
func.func @reduction(%f: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK-NOT: memplan
  %sum = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%f) -> f32 {
    // expected-remark@+1 {{b0 not planned: it is allocated inside 'scf.parallel', whose iterations may run at the same time; their number is not known}}
    %a = memref.alloc() : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    %v = memref.load %a[%c0] : memref<16xf32>
    scf.reduce(%v : f32) {
    ^bb0(%x: f32, %y: f32):
      %z = arith.addf %x, %y : f32
      scf.reduce.return %z : f32
    }
  }
  return %sum : f32
}

// -----

// In the body of a planned loop, a buffer that is not planned has its own
// reason.
// CHECK-LABEL: func.func @inside
func.func @inside(%f: f32, %n: index, %keep: memref<2xmemref<16xf32>>) { // expected-remark {{arena}}
  // expected-remark@+1 {{workers0 planned at offset 0}}
  scf.forall (%i) in (2) {
    // expected-remark@+1 {{b0 planned at offset 0 of the frame of each of 2 workers}}
    %a = memref.alloc() : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    func.call @use(%a) : (memref<16xf32>) -> ()
    // expected-remark@+1 {{b1 not planned: it is used by 'memref.store', which may keep it}}
    %b = memref.alloc() : memref<16xf32>
    memref.store %b, %keep[%i] : memref<2xmemref<16xf32>>
    scf.forall (%j) in (%n) {
      // expected-remark@+1 {{b2 not planned: it is allocated inside 'scf.forall', whose iterations may run at the same time; it has a mapping}}
      %c = memref.alloc() : memref<16xf32>
      linalg.fill ins(%f : f32) outs(%c : memref<16xf32>)
      func.call @use(%c) : (memref<16xf32>) -> ()
    } {mapping = [#gpu.thread<x>]}
    // expected-remark@+1 {{b3 not planned: it is in a memory space of which each worker may have its own}}
    %d = memref.alloc() : memref<16xf32, 3>
    memref.store %f, %d[%n] : memref<16xf32, 3>
    // expected-remark@+1 {{b4 not planned: it must not share its bytes, but is in the frame of a worker}}
    %e = memplan.workspace unique align(64) : memref<16xf32>
    memref.store %f, %e[%n] : memref<16xf32>
  }
  return
}
func.func private @use(memref<16xf32>)
