// The allocations of an iteration of a parallel loop become one allocation, an
// arena in the body, for any number of iterations.

// RUN: memplan-opt %s -split-input-file --plan-memory="prepare=false lower=false in-place=false" | memplan-opt -split-input-file --memplan-verify=quiet=true | FileCheck %s
// RUN: memplan-opt %s -split-input-file --memplan-extract="prepare=false in-place=false" --memplan-solve --memplan-materialize --memplan-verify=quiet=true | FileCheck %s
// RUN: memplan-opt %s -split-input-file --plan-memory="prepare=false in-place=false" --memplan-verify=quiet=true -o %t.once
// A second run changes nothing.
// RUN: memplan-opt %t.once -split-input-file --plan-memory="prepare=false in-place=false" | diff %t.once -
// RUN: memplan-opt %s -split-input-file --plan-memory="prepare=false in-place=false capacity=1M" -o - | FileCheck %s --check-prefix=LIMITED
// RUN: memplan-opt %s -split-input-file --plan-memory="prepare=false in-place=false arena=argument" -o - | FileCheck %s --check-prefix=LIMITED
// RUN: memplan-opt %s -split-input-file --plan-memory="prepare=false in-place=false report=text" -o /dev/null 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: memplan-opt %s -split-input-file --plan-memory="prepare=false in-place=false report=json" -o /dev/null 2>&1 | FileCheck %s --check-prefix=JSON

// TEXT: arena of each iteration of {{.*}}plan-iterations.mlir:[[#@LINE+16]]:3, in @unknown in memory space 0
// TEXT: arena      128 bytes
// JSON: "function": "unknown"
// JSON: "loop": "{{.*}}:[[#@LINE+13]]:3"

// CHECK-LABEL: func.func @unknown(
// CHECK: scf.parallel
// CHECK-NEXT: %[[ARENA:.*]] = memplan.arena align(64) : memref<128xi8>
// CHECK-NOT: alloc
// CHECK: memplan.release %[[ARENA]]
// CHECK-NEXT: scf.reduce
// LIMITED-LABEL: func.func @unknown(
// LIMITED-COUNT-3: memref.alloc() : memref<16xf32>
func.func @unknown(%n: index, %in: memref<16xf32>, %out: memref<?x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %w = memref.subview %out[%i, 0] [1, 16] [1, 1] : memref<?x16xf32> to memref<16xf32, strided<[1], offset: ?>>
    %a = memref.alloc() : memref<16xf32>
    linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
    %b = memref.alloc() : memref<16xf32>
    linalg.abs ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
    memref.dealloc %a : memref<16xf32>
    %c = memref.alloc() : memref<16xf32>
    linalg.add ins(%b, %b : memref<16xf32>, memref<16xf32>) outs(%c : memref<16xf32>)
    memref.dealloc %b : memref<16xf32>
    memref.copy %c, %w : memref<16xf32> to memref<16xf32, strided<[1], offset: ?>>
    memref.dealloc %c : memref<16xf32>
  }
  return
}

// -----

// More iterations than `workers`, and an inner loop with few iterations: its
// workers have frames in the arena of the iteration.
// CHECK-LABEL: func.func @many(
// CHECK: scf.forall
// CHECK-NEXT: %[[ARENA:.*]] = memplan.arena align(64) : memref<192xi8>
// CHECK: scf.forall (%[[J:.*]]) in (2)
// CHECK: memplan.view %[[ARENA]][{{[0-9]+}} + %[[J]] * 64]
// CHECK: memplan.release %[[ARENA]]
func.func @many(%f: f32, %out: memref<1000xf32>) {
  scf.forall (%i) in (1000) {
    %a = memref.alloc() : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    scf.forall (%j) in (2) {
      %b = memref.alloc() : memref<16xf32>
      memref.copy %a, %b : memref<16xf32> to memref<16xf32>
      %v = memref.load %b[%j] : memref<16xf32>
      memref.store %v, %out[%i] : memref<1000xf32>
    }
    %v = memref.load %a[%i] : memref<16xf32>
    memref.store %v, %out[%i] : memref<1000xf32>
  }
  return
}

// -----

// Nested loops, each with its own arena, and an allocation outside of both.
// CHECK-LABEL: func.func @nested(
// CHECK: memplan.arena align(64) : memref<64xi8>
// CHECK: affine.parallel
// CHECK-NEXT: memplan.arena align(64) : memref<128xi8>
// CHECK: scf.parallel
// CHECK-NEXT: memplan.arena align(64) : memref<128xi8>
// CHECK: memplan.release
// CHECK-NEXT: scf.reduce
// CHECK: memplan.release
// CHECK-NEXT: }
// CHECK: memplan.release
// CHECK-NEXT: return
func.func @nested(%n: index, %f: f32, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.alloc() : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%x : memref<16xf32>)
  affine.parallel (%i) = (0) to (100) {
    %a = memref.alloc() : memref<16xf32>
    memref.copy %x, %a : memref<16xf32> to memref<16xf32>
    %b = memref.alloc() : memref<16xf32>
    linalg.add ins(%a, %x : memref<16xf32>, memref<16xf32>) outs(%b : memref<16xf32>)
    scf.parallel (%j) = (%c0) to (%n) step (%c1) {
      %c = memref.alloc() : memref<16xf32>
      linalg.add ins(%a, %b : memref<16xf32>, memref<16xf32>) outs(%c : memref<16xf32>)
      %d = memref.alloc() : memref<16xf32>
      linalg.add ins(%c, %b : memref<16xf32>, memref<16xf32>) outs(%d : memref<16xf32>)
      %v = memref.load %d[%c0] : memref<16xf32>
      memref.store %v, %out[%j] : memref<16xf32>
    }
  }
  return
}

// -----

// A single allocation is not changed; buffers on the stack stay there; and a
// buffer that unknown code keeps is not planned.
// CHECK-LABEL: func.func @stay(
// CHECK-NOT: memplan.arena
func.func @stay(%n: index, %f: f32, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %a = memref.alloc() : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    %b = memref.alloca() : memref<16xf32>
    memref.copy %a, %b : memref<16xf32> to memref<16xf32>
    %v = memref.load %b[%c0] : memref<16xf32>
    memref.store %v, %out[%i] : memref<16xf32>
    memref.dealloc %a : memref<16xf32>
  }
  return
}

// -----

// The frames of two workers are one allocation in each iteration of the outer
// loop.
// CHECK-LABEL: func.func @workers_inside(
// CHECK: affine.parallel
// CHECK-NEXT: memplan.arena {{.*}}128
// CHECK-NEXT: scf.forall
func.func @workers_inside(%out: memref<2xf32>) {
  %zero = arith.constant 0 : index
  affine.parallel (%i) = (0) to (9) {
    scf.forall (%j) in (2) {
      %a = memref.alloc() : memref<16xf32>
      %v = memref.load %a[%zero] : memref<16xf32>
      memref.store %v, %out[%j] : memref<2xf32>
    }
  }
  return
}

// -----

// Other ops of the outer loop run at the same time, so the workers have no
// frames.
// CHECK-LABEL: func.func @no_place(
// CHECK: scf.forall
// CHECK-NEXT: memref.alloc()
func.func @no_place(%out: memref<2xf32>) {
  %zero = arith.constant 0 : index
  affine.parallel (%i) = (0) to (3) {
    %token = async.execute {
      async.yield
    }
    async.await %token : !async.token
    scf.forall (%j) in (2) {
      %a = memref.alloc() : memref<16xf32>
      %v = memref.load %a[%zero] : memref<16xf32>
      memref.store %v, %out[%j] : memref<2xf32>
    }
  }
  return
}
