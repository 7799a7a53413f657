// memplan-lower lowers memplan ops to plain memref ops.
// RUN: memplan-opt %s --memplan-lower \
// RUN:   | FileCheck %s --implicit-check-not="memplan.{{[a-z_]}}"
// RUN: memplan-opt %s --memplan-lower --memplan-lower | memplan-opt > %t
// RUN: memplan-opt %s --memplan-lower | diff %t -

// CHECK-LABEL: func.func @arena_views_release
func.func @arena_views_release(%f: f32, %i: index) {
  // One constant for each offset.
  // CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
  // CHECK-DAG: %[[C64:.*]] = arith.constant 64 : index
  // The mark by which a later run recognises the arena.
  // CHECK: %[[ARENA:.*]] = memref.alloc() {alignment = 128 : i64, bufferization.manual_deallocation, memplan.arena} : memref<128xi8>
  %arena = memplan.arena align(128) : memref<128xi8>
  // CHECK-NEXT: %[[A:.*]] = memref.view %[[ARENA]][%[[C64]]][] : memref<128xi8> to memref<16xf32>
  %a = memplan.view %arena[64] align(64) : memref<128xi8> to memref<16xf32>
  // CHECK-NEXT: memref.view %[[ARENA]][%[[C0]]][] : memref<128xi8> to memref<4x4xf32>
  %b = memplan.view %arena[0] align(64) : memref<128xi8> to memref<4x4xf32>
  // CHECK-NEXT: memref.view %[[ARENA]][%[[C0]]][] : memref<128xi8> to memref<f64>
  %c = memplan.view %arena[0] align(64) : memref<128xi8> to memref<f64>
  // CHECK-NEXT: memref.store %{{.*}}, %[[A]]
  memref.store %f, %a[%i] : memref<16xf32>
  // CHECK-NEXT: memref.dealloc %[[ARENA]] {bufferization.manual_deallocation} : memref<128xi8>
  memplan.release %arena : memref<128xi8>
  return
}

// CHECK-LABEL: func.func @memory_space
func.func @memory_space() {
  // CHECK: memref.alloc() {alignment = 64 : i64, bufferization.manual_deallocation, memplan.arena} : memref<64xi8, 1>
  %arena = memplan.arena align(64) : memref<64xi8, 1>
  // CHECK: memref.view %{{.*}} : memref<64xi8, 1> to memref<16xf32, 1>
  %a = memplan.view %arena[0] align(64) : memref<64xi8, 1> to memref<16xf32, 1>
  // CHECK: memref.dealloc %{{.*}} : memref<64xi8, 1>
  memplan.release %arena : memref<64xi8, 1>
  return
}

// Scratch that was not planned becomes an allocation; it is freed if no op can
// keep it.
// CHECK-LABEL: func.func @scratch
func.func @scratch(%f: f32, %i: index) {
  // CHECK-NEXT: %[[S:.*]] = memref.alloc() {alignment = 32 : i64} : memref<16xf32>
  %s = memplan.workspace shared align(32) : memref<16xf32>
  // CHECK-NEXT: memref.store %{{.*}}, %[[S]]
  memref.store %f, %s[%i] : memref<16xf32>
  // CHECK-NEXT: memref.dealloc %[[S]]
  // CHECK-NEXT: return
  return
}

// CHECK-LABEL: func.func @scratch_freed_already
func.func @scratch_freed_already(%f: f32, %i: index) {
  %s = memplan.workspace shared align(64) : memref<16xf32>
  memref.store %f, %s[%i] : memref<16xf32>
  // CHECK: memref.dealloc
  // CHECK-NOT: memref.dealloc
  memref.dealloc %s : memref<16xf32>
  return
}

// Code that has stored the pointer may still read it, and the end of the
// asynchronous op is unknown.
// CHECK-LABEL: func.func @scratch_that_is_kept
// CHECK-NOT: memref.dealloc
func.func @scratch_that_is_kept(%f: f32, %i: index,
                                %p: memref<memref<16xf32>>) {
  %s = memplan.workspace shared align(64) : memref<16xf32>
  memref.store %s, %p[] : memref<memref<16xf32>>
  %t = memplan.workspace unique align(64) : memref<16xf32>
  %token = async.execute {
    memref.store %f, %t[%i] : memref<16xf32>
    async.yield
  }
  return
}

// Workers and strides become arithmetic at the view.
// CHECK-LABEL: func.func @workers
func.func @workers(%f: f32) {
  // CHECK-DAG: %[[BASE:.*]] = arith.constant 128 : index
  // CHECK-DAG: %[[OUTER:.*]] = arith.constant 512 : index
  // CHECK-DAG: %[[INNER:.*]] = arith.constant 64 : index
  %arena = memplan.arena align(64) : memref<1152xi8>
  // CHECK: scf.forall (%[[I:.*]]) in (2)
  scf.forall (%i) in (2) {
    // CHECK: scf.forall (%[[J:.*]]) in (8)
    scf.forall (%j) in (8) {
      // CHECK: %[[A:.*]] = arith.muli %[[I]], %[[OUTER]] : index
      // CHECK: %[[B:.*]] = arith.addi %[[BASE]], %[[A]] : index
      // CHECK: %[[C:.*]] = arith.muli %[[J]], %[[INNER]] : index
      // CHECK: %[[D:.*]] = arith.addi %[[B]], %[[C]] : index
      // CHECK: memref.view %{{.*}}[%[[D]]][] : memref<1152xi8> to memref<16xf32>
      %a = memplan.view %arena[128 + %i * 512 + %j * 64] align(64) : memref<1152xi8> to memref<16xf32>
      linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    }
  }
  memplan.release %arena : memref<1152xi8>
  return
}

// CHECK-LABEL: func.func private @declaration
func.func private @declaration()

// Threads of a device have no heap: their scratch is on the stack.
// CHECK-LABEL: gpu.module @device
gpu.module @device {
  // CHECK: func.func @scratch
  // CHECK: memref.alloca() {alignment = 16 : i64} : memref<16xf32>
  // CHECK-NOT: memref.dealloc
  func.func @scratch(%x: f32, %i: index) {
    %w = memplan.workspace shared align(16) : memref<16xf32>
    memref.store %x, %w[%i] : memref<16xf32>
    return
  }
  // CHECK: gpu.func @kernel
  // CHECK: memref.alloca() {alignment = 16 : i64} : memref<16xf32>
  // CHECK-NOT: memref.dealloc
  // CHECK: gpu.return
  gpu.func @kernel(%x: f32, %i: index) kernel {
    %w = memplan.workspace shared align(16) : memref<16xf32>
    memref.store %x, %w[%i] : memref<16xf32>
    gpu.return
  }
}
