// RUN: cat %s %S/Inputs/dealloc_helper.mlir | memplan-opt --memplan-raise-deallocations --plan-memory --canonicalize | FileCheck %s
// RUN: cat %s %S/Inputs/dealloc_helper.mlir | memplan-opt --memplan-raise-deallocations | FileCheck %s --check-prefix=RAISED

// The first call of the helper decides whether %r is owned, and its result is
// an operand of the second call: after raising, this is the result of the first
// deallocation.
// CHECK-LABEL: func.func @decided_twice
// CHECK: memref.alloc() {{.*}}memplan.arena}
// CHECK-NOT: memref.alloc
// CHECK-NOT: call
// CHECK: memref.dealloc
// CHECK-NOT: memref.dealloc
// RAISED-LABEL: func.func @decided_twice
// RAISED: %[[OWNED:.*]] = bufferization.dealloc (%[[A:.*]], %[[B:.*]] : {{.*}}) if (%{{.*}}, %{{.*}}) retain (%[[R:.*]] : memref<16xf32>)
// RAISED: bufferization.dealloc (%[[R]], %{{.*}} : {{.*}}) if (%[[OWNED]], %{{.*}})
func.func @decided_twice(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
  %true = arith.constant true
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.abs ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
  %r = arith.select %c, %a, %b : memref<16xf32>
  %p1 = memref.alloc() : memref<2xindex>
  %o1 = memref.alloc() : memref<2xi1>
  %k1 = memref.alloc() : memref<1xindex>
  %p1_0 = memref.extract_aligned_pointer_as_index %a : memref<16xf32> -> index
  memref.store %p1_0, %p1[%c0] : memref<2xindex>
  %p1_1 = memref.extract_aligned_pointer_as_index %b : memref<16xf32> -> index
  memref.store %p1_1, %p1[%c1] : memref<2xindex>
  memref.store %true, %o1[%c0] : memref<2xi1>
  memref.store %true, %o1[%c1] : memref<2xi1>
  %k1_0 = memref.extract_aligned_pointer_as_index %r : memref<16xf32> -> index
  memref.store %k1_0, %k1[%c0] : memref<1xindex>
  %pc1 = memref.cast %p1 : memref<2xindex> to memref<?xindex>
  %oc1 = memref.cast %o1 : memref<2xi1> to memref<?xi1>
  %kc1 = memref.cast %k1 : memref<1xindex> to memref<?xindex>
  %f1 = memref.alloc() : memref<2xi1>
  %u1 = memref.alloc() : memref<1xi1>
  %fc1 = memref.cast %f1 : memref<2xi1> to memref<?xi1>
  %uc1 = memref.cast %u1 : memref<1xi1> to memref<?xi1>
  call @dealloc_helper(%pc1, %kc1, %oc1, %fc1, %uc1) : (memref<?xindex>, memref<?xindex>, memref<?xi1>, memref<?xi1>, memref<?xi1>) -> ()
  %d1_0 = memref.load %f1[%c0] : memref<2xi1>
  scf.if %d1_0 {
    memref.dealloc %a : memref<16xf32>
  }
  %d1_1 = memref.load %f1[%c1] : memref<2xi1>
  scf.if %d1_1 {
    memref.dealloc %b : memref<16xf32>
  }
  %owned1_0 = memref.load %u1[%c0] : memref<1xi1>
  %e = memref.alloc() : memref<16xf32>
  linalg.exp ins(%r : memref<16xf32>) outs(%e : memref<16xf32>)
  memref.copy %e, %out : memref<16xf32> to memref<16xf32>
  %p2 = memref.alloc() : memref<2xindex>
  %o2 = memref.alloc() : memref<2xi1>
  %k2 = memref.alloc() : memref<0xindex>
  %p2_0 = memref.extract_aligned_pointer_as_index %r : memref<16xf32> -> index
  memref.store %p2_0, %p2[%c0] : memref<2xindex>
  %p2_1 = memref.extract_aligned_pointer_as_index %e : memref<16xf32> -> index
  memref.store %p2_1, %p2[%c1] : memref<2xindex>
  memref.store %owned1_0, %o2[%c0] : memref<2xi1>
  memref.store %true, %o2[%c1] : memref<2xi1>
  %pc2 = memref.cast %p2 : memref<2xindex> to memref<?xindex>
  %oc2 = memref.cast %o2 : memref<2xi1> to memref<?xi1>
  %kc2 = memref.cast %k2 : memref<0xindex> to memref<?xindex>
  %f2 = memref.alloc() : memref<2xi1>
  %u2 = memref.alloc() : memref<0xi1>
  %fc2 = memref.cast %f2 : memref<2xi1> to memref<?xi1>
  %uc2 = memref.cast %u2 : memref<0xi1> to memref<?xi1>
  call @dealloc_helper(%pc2, %kc2, %oc2, %fc2, %uc2) : (memref<?xindex>, memref<?xindex>, memref<?xi1>, memref<?xi1>, memref<?xi1>) -> ()
  %d2_0 = memref.load %f2[%c0] : memref<2xi1>
  scf.if %d2_0 {
    memref.dealloc %r : memref<16xf32>
  }
  %d2_1 = memref.load %f2[%c1] : memref<2xi1>
  scf.if %d2_1 {
    memref.dealloc %e : memref<16xf32>
  }
  return
}
