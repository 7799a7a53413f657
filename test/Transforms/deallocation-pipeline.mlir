// Planned programs pass through upstream's deallocation passes, lowered or not:
// the arena is unchanged, and buffers that are not planned are freed.
// RUN: memplan-opt %s --plan-memory --buffer-deallocation-pipeline | FileCheck %s --check-prefixes=CHECK,LOWERED
// RUN: memplan-opt %s --plan-memory=lower=false --buffer-deallocation-pipeline | FileCheck %s --check-prefixes=CHECK,KEPT
// Without the mark, upstream rejects the deallocation.
// RUN: memplan-opt %s --plan-memory | sed 's/bufferization.manual_deallocation//; s/ {}//; s/, , /, /' \
// RUN:   | not memplan-opt --buffer-deallocation-pipeline 2>&1 | FileCheck %s --check-prefix=REFUSED
// REFUSED: memory free side-effect on MemRef value not supported

// The 1-D buffer of unknown size is not planned.
// CHECK-LABEL: func.func @beside_dynamic
// LOWERED: %[[ARENA:.*]] = memref.alloc() {alignment = 64 : i64, bufferization.manual_deallocation, memplan.arena} : memref<64xi8>
// KEPT: %[[ARENA:.*]] = memplan.arena align(64) : memref<64xi8>
// CHECK: %[[D:.*]] = memref.alloc(%{{.*}}) : memref<?xf32>
// LOWERED: memref.dealloc %[[ARENA]] {bufferization.manual_deallocation}
// KEPT: memplan.release %[[ARENA]]
// CHECK-NOT: dealloc
// CHECK: {{dealloc .*}}%[[D]]
// CHECK-NOT: dealloc
// CHECK: return
func.func @beside_dynamic(%n: index, %in: memref<16xf32>, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16xf32>
  // The division may be by zero, so it stays where it is.
  %unknown = arith.divsi %n, %n : index
  %d = memref.alloc(%unknown) : memref<?xf32>
  linalg.abs ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %x = memref.load %a[%c0] : memref<16xf32>
  memref.store %x, %d[%c0] : memref<?xf32>
  %y = memref.load %d[%c0] : memref<?xf32>
  memref.store %y, %out[%c0] : memref<16xf32>
  return
}

// Slots that a loop carries are yielded directly, not as clones. Upstream may
// determine at run time that they have no owner.
// CHECK-LABEL: func.func @carried
// LOWERED: memplan.arena}
// KEPT: memplan.arena
// CHECK: scf.for
// CHECK-NOT: clone
// CHECK-NOT: memref.alloc() : memref<16xf32>
// CHECK: return
func.func @carried(%n: index, %in: memref<16xf32>, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  linalg.abs ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> memref<16xf32> {
    %b = memref.alloc() : memref<16xf32>
    linalg.exp ins(%x : memref<16xf32>) outs(%b : memref<16xf32>)
    scf.yield %b : memref<16xf32>
  }
  memref.copy %r, %out : memref<16xf32> to memref<16xf32>
  return
}

// Scratch that is not planned is freed once.
// CHECK-LABEL: func.func @scratch_returned
// CHECK-NOT: dealloc
// CHECK: return
func.func @scratch_returned() -> memref<16xf32> {
  %w = memplan.workspace shared align(64) : memref<16xf32>
  return %w : memref<16xf32>
}
