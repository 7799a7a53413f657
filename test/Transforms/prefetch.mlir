// Prefetches read their buffer and have no result.
// RUN: memplan-opt %s --plan-memory=lower=false | FileCheck %s
// RUN: memplan-opt %s --plan-memory --memplan-verify --remarks-filter=plan.* 2>&1 | \
// RUN:   FileCheck %s --check-prefix=REMARKS
// REMARKS-NOT: not planned
// REMARKS-NOT: warning

// CHECK-LABEL: func.func @prefetched
// CHECK: memplan.arena align(64) : memref<64xi8>
// CHECK: memplan.view {{.*}}[0]
// CHECK: affine.prefetch
// CHECK: memplan.view {{.*}}[0]
// CHECK: memref.prefetch
func.func @prefetched(%x: f32) -> f32 {
  %c3 = arith.constant 3 : index
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  affine.prefetch %a[3], read, locality<3>, data : memref<16xf32>
  %y = affine.load %a[4] : memref<16xf32>
  memref.dealloc %a : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%y : f32) outs(%b : memref<16xf32>)
  memref.prefetch %b[%c3], write, locality<1>, data : memref<16xf32>
  %z = affine.load %b[5] : memref<16xf32>
  memref.dealloc %b : memref<16xf32>
  return %z : f32
}
