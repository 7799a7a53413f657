// Ops that run at once: no live range begins or ends between them; the report
// has the cost.
// RUN: memplan-opt %s --plan-memory="lower=false strategy=greedy report=text in-place=false" \
// RUN:   2> %t.txt | FileCheck %s
// RUN: FileCheck %s --check-prefix=TEXT < %t.txt
// RUN: memplan-opt %s --plan-memory="strategy=greedy report=json in-place=false" 2> %t.json \
// RUN:   | memplan-opt --memplan-verify > /dev/null
// RUN: FileCheck %s --check-prefix=JSON < %t.json

// TEXT-LABEL: arena of @two_at_once
// TEXT: bound      256 bytes
// TEXT: arena      256 bytes
// TEXT-NEXT: steps      3, of at most 2 ops at once
// TEXT-NEXT: sequential 192 bytes, bound 192; concurrency costs 64 bytes (1.3333 of it)
// JSON: "concurrency": {
// JSON-NEXT: "steps": 3,
// JSON-NEXT: "widest_step": 2,
// JSON-NEXT: "sequential_bound_bytes": 192,
// JSON-NEXT: "sequential_arena_bytes": 192,
// JSON-NEXT: "price_bytes": 64,
// JSON-NEXT: "price_ratio": 1.333

// CHECK-LABEL: func.func @two_at_once
func.func @two_at_once(%in: memref<16xf32>, %out: memref<16xf32>) {
  // CHECK: memplan.arena {{.*}} memref<256xi8>
  // CHECK: linalg.exp {memplan.step = 0 : i64}
  %a = memref.alloc() : memref<16xf32>
  linalg.exp {memplan.step = 0} ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  // Both buffers become live before the step, %a ends after it.
  // CHECK: %[[B:.*]] = memplan.view
  // CHECK-NEXT: %[[C:.*]] = memplan.view
  // CHECK-NEXT: linalg.abs {memplan.step = 1 : i64}
  // CHECK-NEXT: linalg.exp {memplan.step = 1 : i64}
  %b = memref.alloc() : memref<16xf32>
  linalg.abs {memplan.step = 1} ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
  %c = memref.alloc() : memref<16xf32>
  linalg.exp {memplan.step = 1} ins(%a : memref<16xf32>) outs(%c : memref<16xf32>)
  %d = memref.alloc() : memref<16xf32>
  linalg.exp {memplan.step = 2} ins(%b : memref<16xf32>) outs(%d : memref<16xf32>)
  %e = memref.alloc() : memref<16xf32>
  linalg.exp {memplan.step = 2} ins(%c : memref<16xf32>) outs(%e : memref<16xf32>)
  memref.copy %d, %out : memref<16xf32> to memref<16xf32>
  memref.copy %e, %out : memref<16xf32> to memref<16xf32>
  return
}

// Without ops that run at once there is no cost.
// TEXT-LABEL: arena of @one_after_another
// TEXT-NOT: concurrency
// JSON-LABEL: "function": "one_after_another",{{$}}
// JSON-NOT: "concurrency"
func.func @one_after_another(%f: f32, %i: index) {
  %a = memref.alloc() : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  return
}

// A buffer of an iteration, in a loop that is one op of a step: its bytes
// belong to the loop during the step.
// TEXT-LABEL: arena of @a_loop_in_a_step
// JSON-LABEL: "function": "a_loop_in_a_step",{{$}}
// JSON: "sequential_arena_bytes": 32,
// CHECK-LABEL: func.func @a_loop_in_a_step
// CHECK: memplan.view
// CHECK-NEXT: %[[B:.*]] = memplan.view
// CHECK-NEXT: linalg.fill {memplan.step = 0 : i64}
// CHECK-NEXT: scf.for
// CHECK-NEXT: memref.store %{{.*}}, %[[B]]
// CHECK-NEXT: memref.load %[[B]]
// CHECK-NEXT: }
func.func @a_loop_in_a_step(%f: f32, %i: index, %n: index) {
  %a = memref.alloc() : memref<8xf32>
  linalg.fill {memplan.step = 0} ins(%f : f32) outs(%a : memref<8xf32>)
  scf.for %k = %i to %n step %i {
    %b = memref.alloc() : memref<8xf32>
    memref.store %f, %b[%k] : memref<8xf32>
    %x = memref.load %b[%k] : memref<8xf32>
  } {memplan.step = 0}
  return
}

// CHECK-LABEL: func.func @streams
// CHECK: linalg.fill {memplan.stream = 0 : i64}
// CHECK-NEXT: linalg.fill {memplan.stream = 1 : i64}
func.func @streams(%f: f32) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  linalg.fill {memplan.stream = 0} ins(%f : f32) outs(%a : memref<8xf32>)
  linalg.fill {memplan.stream = 1} ins(%f : f32) outs(%b : memref<8xf32>)
  return
}

// A parallel loop in a step, and a step in a parallel loop: the allocations of
// the workers are not planned, the others are.
// CHECK-LABEL: func.func @workers
// CHECK: memplan.view
// CHECK: linalg.fill {memplan.step = 0 : i64}
// CHECK-NEXT: scf.forall
// CHECK-NEXT: memref.alloc() : memref<8xf32>
func.func @workers(%f: f32) {
  %a = memref.alloc() : memref<8xf32>
  linalg.fill {memplan.step = 0} ins(%f : f32) outs(%a : memref<8xf32>)
  scf.forall (%k) in (2) {
    %b = memref.alloc() : memref<8xf32>
    memref.store %f, %b[%k] : memref<8xf32>
  } {memplan.step = 0}
  return
}
