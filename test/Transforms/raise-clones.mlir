// RUN: memplan-opt %s --memplan-raise-deallocations --plan-memory --canonicalize --split-input-file | FileCheck %s
// RUN: memplan-opt %s --memplan-raise-deallocations --split-input-file | FileCheck %s --check-prefix=RAISED
// RUN: memplan-opt %s --memplan-raise-deallocations --plan-memory=report=text --remarks-filter='plan.*' --split-input-file -o %t.mlir 2>&1 | FileCheck %s --check-prefix=TOLD

// A clone is an allocation and a copy. Both buffers are read after %a has
// changed, so they share no byte.
// CHECK-LABEL: func.func @cloned
// CHECK: memref.alloc() {{.*}}memplan.arena} : memref<128xi8>
// CHECK-NOT: memref.alloc
// CHECK-NOT: bufferization.clone
// CHECK: memref.copy %[[A:.*]], %[[B:.*]] :
// CHECK: linalg.exp ins(%{{.*}}) outs(%[[A]] :
// RAISED-LABEL: func.func @cloned
// RAISED: %[[A:.*]] = memref.alloc() : memref<16xf32>
// RAISED: %[[B:.*]] = memref.alloc() : memref<16xf32>
// RAISED-NEXT: memref.copy %[[A]], %[[B]]
func.func @cloned(%in: memref<16xf32>, %out: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.abs ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %b = bufferization.clone %a : memref<16xf32> to memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  linalg.add ins(%a, %b : memref<16xf32>, memref<16xf32>) outs(%out : memref<16xf32>)
  return
}

// -----

// The source is dead after the clone is made, but the clone has separate bytes.
// %a is at 0, the clone at 64, %t at 0 again.
// CHECK-LABEL: func.func @source_ends
// CHECK: memref.alloc() {{.*}}memplan.arena} : memref<128xi8>
// CHECK-NOT: bufferization.clone
func.func @source_ends(%in: memref<16xf32>, %out: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.abs ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %b = bufferization.clone %a : memref<16xf32> to memref<16xf32>
  memref.dealloc %a : memref<16xf32>
  %t = memref.alloc() : memref<16xf32>
  linalg.exp ins(%b : memref<16xf32>) outs(%t : memref<16xf32>)
  linalg.add ins(%t, %b : memref<16xf32>, memref<16xf32>) outs(%out : memref<16xf32>)
  memref.dealloc %b : memref<16xf32>
  memref.dealloc %t : memref<16xf32>
  return
}

// -----

// The clone is returned and its source is planned: only the copy is an
// allocation.
// CHECK-LABEL: func.func @returned_clone
// CHECK: memref.alloc() {{.*}}memplan.arena} : memref<64xi8>
// CHECK: %[[B:.*]] = memref.alloc() : memref<16xf32>
// CHECK: memref.copy %{{.*}}, %[[B]]
// CHECK: return %[[B]]
// TOLD: b1 not planned: it is returned
func.func @returned_clone(%in: memref<16xf32>) -> memref<16xf32> {
  %a = memref.alloc() : memref<16xf32>
  linalg.abs ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %b = bufferization.clone %a : memref<16xf32> to memref<16xf32>
  return %b : memref<16xf32>
}

// -----

// Nothing is planned in the callee, but the plan of the caller depends on the
// result being a copy: %t has the bytes of %a while %r is still read.
// CHECK-LABEL: func.func private @copies
// CHECK-NOT: bufferization.clone
// CHECK: memref.copy
func.func private @copies(%x: memref<16xf32>) -> memref<16xf32> {
  %b = bufferization.clone %x : memref<16xf32> to memref<16xf32>
  return %b : memref<16xf32>
}
// CHECK-LABEL: func.func @calls
// CHECK: memref.alloc() {{.*}}memplan.arena} : memref<64xi8>
func.func @calls(%in: memref<16xf32>, %out: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.abs ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %r = call @copies(%a) : (memref<16xf32>) -> memref<16xf32>
  %t = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%t : memref<16xf32>)
  linalg.add ins(%t, %r : memref<16xf32>, memref<16xf32>) outs(%out : memref<16xf32>)
  return
}

// -----

// A clone of a part, whose type has an offset: the allocation has no offset. 64
// bytes of %a, 32 of the clone.
// CHECK-LABEL: func.func @clone_of_part
// CHECK: memref.alloc() {{.*}}memplan.arena} : memref<96xi8>
// CHECK-NOT: memref.alloc
// CHECK-NOT: bufferization.clone
// RAISED-LABEL: func.func @clone_of_part
// RAISED: %[[C:.*]] = memref.alloc() : memref<8xf32>
// RAISED-NEXT: memref.copy %{{.*}}, %[[C]]
// RAISED-NEXT: memref.cast %[[C]] : memref<8xf32> to memref<8xf32, strided<[1], offset: ?>>
func.func @clone_of_part(%i: index, %in: memref<16xf32>, %out: memref<8xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.abs ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %p = memref.subview %a[%i] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1], offset: ?>>
  %b = bufferization.clone %p : memref<8xf32, strided<[1], offset: ?>> to memref<8xf32, strided<[1], offset: ?>>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %q = memref.subview %a[%i] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1], offset: ?>>
  linalg.add ins(%q, %b : memref<8xf32, strided<[1], offset: ?>>, memref<8xf32, strided<[1], offset: ?>>) outs(%out : memref<8xf32>)
  return
}

// -----

// The clone is in the memory space of its type, not in that of its source.
// RAISED-LABEL: func.func @clone_to_space
// RAISED: memref.alloc() : memref<16xf32, 3>
// RAISED-NEXT: memref.copy %{{.*}}, %{{.*}} : memref<16xf32> to memref<16xf32, 3>
// CHECK-LABEL: func.func @clone_to_space
// CHECK: memref.alloc() {{.*}}memplan.arena} : memref<64xi8, 3>
// CHECK-NOT: memref.alloc
func.func @clone_to_space(%in: memref<16xf32>, %out: memref<16xf32>) {
  %b = "bufferization.clone"(%in) : (memref<16xf32>) -> memref<16xf32, 3>
  linalg.abs ins(%b : memref<16xf32, 3>) outs(%out : memref<16xf32>)
  return
}

// -----

// A clone that is only freed gets bytes for the copy only; its deallocation is
// removed.
// CHECK-LABEL: func.func @clone_freed_at_once
// CHECK: memref.alloc() {{.*}}memplan.arena} : memref<64xi8>
// CHECK: memref.dealloc %{{.*}} : memref<64xi8>
// CHECK-NOT: memref.dealloc
func.func @clone_freed_at_once(%in: memref<16xf32>) {
  %b = bufferization.clone %in : memref<16xf32> to memref<16xf32>
  memref.dealloc %b : memref<16xf32>
  return
}

// -----

// Each iteration clones its carried buffer and yields the clone: two slots
// alternate, and the loop has no allocation.
// CHECK-LABEL: func.func @carried_clone
// CHECK: memref.alloc() {{.*}}memplan.arena} : memref<128xi8>
// CHECK-NOT: memref.alloc
// CHECK: scf.for
// CHECK: memref.copy
func.func @carried_clone(%n: index, %in: memref<16xf32>, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  linalg.abs ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (memref<16xf32>) {
    %b = bufferization.clone %x : memref<16xf32> to memref<16xf32>
    linalg.add ins(%x, %b : memref<16xf32>, memref<16xf32>) outs(%b : memref<16xf32>)
    memref.dealloc %x : memref<16xf32>
    scf.yield %b : memref<16xf32>
  }
  memref.copy %r, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %r : memref<16xf32>
  return
}

// -----

// A remark names a clone that is not raised. A layout to which no allocation
// can be cast:
// TOLD: b1 not planned: it has a layout other than the identity
// TOLD: b2 not planned: it has a dynamic shape
// TOLD: not planned
// TOLD-NEXT: b1 memref<4x4xf32, strided<[8, 1]>>, {{.*}}: has a layout other than the identity
// TOLD-NEXT: b2 memref<?xf32>, {{.*}}: has a dynamic shape
// CHECK-LABEL: func.func @stays
// CHECK: memplan.arena
// CHECK: bufferization.clone {{.*}} to memref<4x4xf32, strided<[8, 1]>>
// CHECK: bufferization.clone {{.*}} to memref<?xf32>
func.func @stays(%d: memref<?xf32>, %s: memref<4x4xf32, strided<[8, 1]>>, %out: memref<4x4xf32>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  linalg.abs ins(%out : memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  %b = bufferization.clone %s : memref<4x4xf32, strided<[8, 1]>> to memref<4x4xf32, strided<[8, 1]>>
  %e = bufferization.clone %d : memref<?xf32> to memref<?xf32>
  %v = memref.load %e[%c0] : memref<?xf32>
  memref.store %v, %a[%c0, %c0] : memref<4x4xf32>
  linalg.add ins(%a, %b : memref<4x4xf32>, memref<4x4xf32, strided<[8, 1]>>) outs(%out : memref<4x4xf32>)
  return
}

// -----

// The copy is part of the clone's step, so %a, the clone and %t, which the step
// writes as well, share no byte.
// RAISED-LABEL: func.func @clone_in_step
// RAISED: memref.copy %{{.*}}, %{{.*}} {memplan.step = 0 : i64}
// CHECK-LABEL: func.func @clone_in_step
// CHECK: memref.alloc() {{.*}}memplan.arena} : memref<192xi8>
func.func @clone_in_step(%in: memref<16xf32>, %out: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  %t = memref.alloc() : memref<16xf32>
  linalg.abs ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %b = bufferization.clone %a {memplan.step = 0} : memref<16xf32> to memref<16xf32>
  linalg.exp {memplan.step = 0} ins(%in : memref<16xf32>) outs(%t : memref<16xf32>)
  linalg.add ins(%t, %b : memref<16xf32>, memref<16xf32>) outs(%out : memref<16xf32>)
  return
}
