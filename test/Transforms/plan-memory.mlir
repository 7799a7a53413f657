// plan-memory as a whole, to plain memref and to memplan ops. Offsets are those
// of the greedy strategy: largest first, ties in program order, each as low as
// the buffers that are live at the same time allow.
// RUN: memplan-opt %s --plan-memory=strategy=greedy \
// RUN:   | FileCheck %s --implicit-check-not="memplan.{{[b-z]}}"
// RUN: memplan-opt %s --pass-pipeline='builtin.module(plan-memory{strategy=greedy})' \
// RUN:   | FileCheck %s
// RUN: memplan-opt %s --plan-memory="strategy=greedy lower=false" \
// RUN:   | FileCheck %s --check-prefix=KEPT

// A second run changes nothing, also after clean-ups.
// RUN: memplan-opt %s --plan-memory > %t.once
// RUN: memplan-opt %t.once --plan-memory > %t.twice
// RUN: diff %t.once %t.twice
// RUN: memplan-opt %s --plan-memory=lower=false > %t.kept
// RUN: memplan-opt %t.kept --plan-memory=lower=false | diff %t.kept -
// RUN: memplan-opt %t.once --canonicalize --cse > %t.clean
// RUN: memplan-opt %t.clean --plan-memory | diff %t.clean -

// The separate passes give the same program.
// RUN: memplan-opt %s --plan-memory="strategy=greedy lower=false" > %t.pass
// RUN: memplan-opt %s --memplan-extract --memplan-solve=strategy=greedy \
// RUN:   --memplan-materialize | diff %t.pass -
// RUN: memplan-opt %t.pass --memplan-verify --memplan-lower --memplan-verify \
// RUN:   > %t.steps
// RUN: memplan-opt %s --plan-memory=strategy=greedy | diff %t.steps -

// CHECK-LABEL: func.func @three_buffers
// KEPT-LABEL: func.func @three_buffers
func.func @three_buffers(%f: f32, %i: index) -> f32 {
  // CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
  // CHECK-DAG: %[[C128:.*]] = arith.constant 128 : index
  // CHECK: %[[ARENA:.*]] = memref.alloc() {alignment = 64 : i64, bufferization.manual_deallocation, memplan.arena} : memref<192xi8>
  // KEPT: %[[ARENA:.*]] = memplan.arena align(64) : memref<192xi8>
  // Above %b, the largest buffer, with which it is live.
  // CHECK: %[[A:.*]] = memref.view %[[ARENA]][%[[C128]]][] : memref<192xi8> to memref<16xf32>
  // KEPT: memplan.view %[[ARENA]][128]
  %a = memref.alloc() : memref<16xf32>
  // Placed first, at the bottom.
  // CHECK: memref.view %[[ARENA]][%[[C0]]][] : memref<192xi8> to memref<32xf32>
  // KEPT: memplan.view %[[ARENA]][0]
  %b = memref.alloc() : memref<32xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  %x = memref.load %a[%i] : memref<16xf32>
  memref.store %x, %b[%i] : memref<32xf32>
  memref.store %x, %a[%i] : memref<16xf32>
  %y = memref.load %b[%i] : memref<32xf32>
  memref.dealloc %b : memref<32xf32>
  memref.dealloc %a : memref<16xf32>
  // %a and %b are dead, so it is at the bottom again.
  // CHECK: memref.view %[[ARENA]][%[[C0]]][] : memref<192xi8> to memref<8xf32>
  // KEPT: memplan.view %[[ARENA]][0]
  %c = memref.alloc() : memref<8xf32>
  memref.store %y, %c[%i] : memref<8xf32>
  %z = memref.load %c[%i] : memref<8xf32>
  memref.dealloc %c : memref<8xf32>
  // CHECK: memref.dealloc %[[ARENA]]
  // CHECK-NEXT: return
  // KEPT: memplan.release %[[ARENA]]
  // KEPT-NEXT: return
  return %z : f32
}

// Exclusive branches share the bottom.
// CHECK-LABEL: func.func @branches
// CHECK: memref.alloc() {{.*}}memplan.arena} : memref<64xi8>
// KEPT-LABEL: func.func @branches
func.func @branches(%c: i1, %f: f32, %i: index) {
  scf.if %c {
    // KEPT: memplan.view %{{.*}}[0]
    %a = memref.alloc() : memref<16xf32>
    memref.store %f, %a[%i] : memref<16xf32>
    memref.dealloc %a : memref<16xf32>
  } else {
    // KEPT: memplan.view %{{.*}}[0]
    %b = memref.alloc() : memref<16xf32>
    memref.store %f, %b[%i] : memref<16xf32>
    memref.dealloc %b : memref<16xf32>
  }
  return
}

// An arena for each memory space, with its own size.
// CHECK-LABEL: func.func @spaces
// CHECK-DAG: memref.alloc() {{.*}}memplan.arena} : memref<64xi8>
// CHECK-DAG: memref.alloc() {{.*}}memplan.arena} : memref<32xi8, 1>
// CHECK-DAG: memref.alloc() {{.*}}memplan.arena} : memref<16xi8, #gpu.address_space<global>>
// CHECK-DAG: memref.dealloc %{{.*}} : memref<64xi8>
// CHECK-DAG: memref.dealloc %{{.*}} : memref<32xi8, 1>
// CHECK-DAG: memref.dealloc %{{.*}} : memref<16xi8, #gpu.address_space<global>>
func.func @spaces(%f: f32, %i: index) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<8xf32, 1>
  %c = memref.alloc() : memref<4xf32, #gpu.address_space<global>>
  memref.store %f, %a[%i] : memref<16xf32>
  memref.store %f, %b[%i] : memref<8xf32, 1>
  memref.store %f, %c[%i] : memref<4xf32, #gpu.address_space<global>>
  memref.dealloc %b : memref<8xf32, 1>
  memref.dealloc %c : memref<4xf32, #gpu.address_space<global>>
  return
}

// A buffer that is not planned keeps its allocation and its deallocation.
// CHECK-LABEL: func.func @partly
func.func @partly(%f: f32, %i: index, %n: index) {
  %a = memref.alloc() : memref<16xf32>
  // CHECK: %[[D:.*]] = memref.alloc(%{{.*}}) : memref<?xf32>
  // The division may be by zero, so it stays where it is.
  %unknown = arith.divsi %n, %n : index
  %d = memref.alloc(%unknown) : memref<?xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  memref.store %f, %d[%i] : memref<?xf32>
  memref.dealloc %a : memref<16xf32>
  // CHECK: memref.dealloc %[[D]] : memref<?xf32>
  memref.dealloc %d : memref<?xf32>
  return
}

// The order of the blocks is not the order of execution; each return releases
// the arena.
// CHECK-LABEL: func.func @blocks
// CHECK-COUNT-2: memref.dealloc
// CHECK-NOT: memref.dealloc
func.func @blocks(%c: i1, %f: f32, %i: index) -> f32 {
  cf.br ^first
^last:
  %y = memref.load %a[%i] : memref<16xf32>
  memref.dealloc %a : memref<16xf32>
  return %y : f32
^first:
  %a = memref.alloc() : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  cf.cond_br %c, ^last, ^early
^early:
  memref.dealloc %a : memref<16xf32>
  return %f : f32
}

// Scratch in a parallel loop is not planned, but does not remain a memplan op.
// CHECK-LABEL: func.func @scratch_in_parallel
// CHECK: scf.parallel
// CHECK-NEXT: memref.alloc() {alignment = 64 : i64} : memref<16xf32>
// KEPT-LABEL: func.func @scratch_in_parallel
// KEPT: memplan.workspace
func.func @scratch_in_parallel(%f: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%k) = (%c0) to (%n) step (%c1) {
    %s = memplan.workspace shared align(64) : memref<16xf32>
    memref.store %f, %s[%k] : memref<16xf32>
  }
  return
}

// CHECK-LABEL: func.func private @declaration
func.func private @declaration(memref<4xf32>)

// CHECK: module @nested
// CHECK: func.func @in_a_module
// CHECK: memref.alloc() {{.*}}memplan.arena} : memref<64xi8>
module @nested {
  func.func @in_a_module(%f: f32, %i: index) {
    %a = memref.alloc() : memref<16xf32>
    memref.store %f, %a[%i] : memref<16xf32>
    return
  }
}
