// The output of ownership-based deallocation, directly after the pass and
// lowered: every deallocation of a planned buffer is removed, those of other
// buffers stay.
// RUN: memplan-opt %s --ownership-based-buffer-deallocation --canonicalize \
// RUN:   --buffer-deallocation-simplification --plan-memory \
// RUN:   | FileCheck %s --check-prefixes=CHECK,RAW
// RUN: memplan-opt %s --buffer-deallocation-pipeline --memplan-raise-deallocations --plan-memory \
// RUN:   | FileCheck %s --check-prefixes=CHECK,LOWERED

// CHECK-LABEL: func.func @straight_line
// CHECK: %[[ARENA:.*]] = memref.alloc() {{.*}}memplan.arena
// CHECK-NOT: bufferization.dealloc
// CHECK: memref.dealloc %[[ARENA]] {bufferization.manual_deallocation} :
// CHECK-NOT: dealloc
func.func @straight_line(%f: f32, %i: index) -> f32 {
  %a = memref.alloc() : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  %x = memref.load %a[%i] : memref<16xf32>
  return %x : f32
}

// Freed under the branch's ownership. In lowered form, the pointers of the two
// are stored in tables and compared by a helper; all of this is removed.
// CHECK-LABEL: func.func @yielded_by_a_branch
// RAW: %[[ARENA:.*]] = memref.alloc() {{.*}}memplan.arena} : memref<64xi8>
// RAW-NOT: bufferization.dealloc
// RAW: memref.dealloc %[[ARENA]] {bufferization.manual_deallocation} :
// RAW-NOT: dealloc
// LOWERED: %[[ARENA:.*]] = memref.alloc() {{.*}}memplan.arena} : memref<64xi8>
// LOWERED-NOT: memref.alloc
// LOWERED-NOT: call @dealloc_helper
// LOWERED: memref.dealloc %[[ARENA]] {bufferization.manual_deallocation} :
// LOWERED-NOT: dealloc
func.func @yielded_by_a_branch(%c: i1, %f: f32, %i: index) -> f32 {
  %a = memref.alloc() : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  %r = scf.if %c -> memref<16xf32> {
    scf.yield %a : memref<16xf32>
  } else {
    %b = memref.alloc() : memref<16xf32>
    memref.store %f, %b[%i] : memref<16xf32>
    scf.yield %b : memref<16xf32>
  }
  %x = memref.load %r[%i] : memref<16xf32>
  return %x : f32
}

// The caller may own the argument. The deallocation that compares with it must
// not free a planned buffer, and there is no other buffer to free.
// CHECK-LABEL: func.func @returns_its_argument
// CHECK: %[[ARENA:.*]] = memref.alloc() {{.*}}memplan.arena
// CHECK: memref.dealloc %[[ARENA]] {bufferization.manual_deallocation} :
func.func @returns_its_argument(%m: memref<16xf32>, %f: f32, %i: index)
    -> memref<16xf32> {
  %a = memref.alloc() : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  memref.copy %a, %m : memref<16xf32> to memref<16xf32>
  return %m : memref<16xf32>
}

// A dynamic buffer is freed as before.
// CHECK-LABEL: func.func @one_of_two_planned
// CHECK: %[[ARENA:.*]] = memref.alloc() {{.*}}memplan.arena
// CHECK: %[[D:.*]] = memref.alloc(%{{.*}}) : memref<?xf32>
// CHECK-DAG: memref.dealloc %[[ARENA]] {bufferization.manual_deallocation} :
// RAW-DAG: bufferization.dealloc (%[[D]]
// LOWERED-DAG: memref.dealloc %[[D]] :
func.func @one_of_two_planned(%n: index, %f: f32, %i: index) -> f32 {
  %a = memref.alloc() : memref<16xf32>
  // The division may be by zero, so it stays where it is.
  %unknown = arith.divsi %n, %n : index
  %d = memref.alloc(%unknown) : memref<?xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  memref.store %f, %d[%i] : memref<?xf32>
  %x = memref.load %a[%i] : memref<16xf32>
  %y = memref.load %d[%i] : memref<?xf32>
  %z = arith.addf %x, %y : f32
  return %z : f32
}

// CHECK-LABEL: func.func @in_a_loop
// CHECK: %[[ARENA:.*]] = memref.alloc() {{.*}}memplan.arena
// CHECK: scf.for
// CHECK-NOT: dealloc
// CHECK: }
// CHECK: memref.dealloc %[[ARENA]] {bufferization.manual_deallocation} :
func.func @in_a_loop(%f: f32, %lo: index, %hi: index, %step: index,
                     %out: memref<16xf32>) {
  scf.for %k = %lo to %hi step %step {
    %a = memref.alloc() : memref<16xf32>
    memref.store %f, %a[%k] : memref<16xf32>
    memref.copy %a, %out : memref<16xf32> to memref<16xf32>
  }
  return
}
