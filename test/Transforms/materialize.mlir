// memplan-materialize rewrites programs to the plans of their problems. Offsets
// are chosen by hand, so that they differ from those of a solver.
// RUN: memplan-opt %s --memplan-materialize | FileCheck %s --implicit-check-not=memplan.problem --implicit-check-not=memplan.buffer --implicit-check-not=dealloc

// CHECK-LABEL: func.func @straight_line
memplan.problem @straight_line align(64) {
  memplan.buffer @b0 size(64) align(64) live [[2, 4)] offset(64)
  memplan.buffer @b1 size(128) align(64) live [[4, 6)] offset(0)
}
func.func @straight_line(%f: f32, %i: index) -> f32 {
  // The arena ends at the highest end of a buffer.
  // CHECK: %[[ARENA:.*]] = memplan.arena align(64) : memref<128xi8>
  // CHECK-NEXT: %[[A:.*]] = memplan.view %[[ARENA]][64] align(64) : memref<128xi8> to memref<16xf32>
  %a = memref.alloc() {memplan.buffer = "b0"} : memref<16xf32>
  // CHECK-NEXT: %[[B:.*]] = memplan.view %[[ARENA]][0] align(64) : memref<128xi8> to memref<32xf32>
  %b = memref.alloc() {memplan.buffer = "b1"} : memref<32xf32>
  // CHECK-NEXT: memref.store %{{.*}}, %[[A]]
  memref.store %f, %a[%i] : memref<16xf32>
  // CHECK-NEXT: memref.load %[[A]]
  %x = memref.load %a[%i] : memref<16xf32>
  // CHECK-NEXT: memref.store %{{.*}}, %[[B]]
  memref.store %x, %b[%i] : memref<32xf32>
  // CHECK-NEXT: %[[Y:.*]] = memref.load %[[B]]
  %y = memref.load %b[%i] : memref<32xf32>
  memref.dealloc %b : memref<32xf32>
  memref.dealloc %a : memref<16xf32>
  // The arena is freed at the end of the function, and only there.
  // CHECK-NEXT: memplan.release %[[ARENA]]
  // CHECK-NEXT: return %[[Y]]
  return %y : f32
}

// The buffers may be in another order than in the program, and the alignment
// need not be the default.
// CHECK-LABEL: func.func @order_and_alignment
memplan.problem @order_and_alignment align(4) {
  memplan.buffer @b1 size(4) align(1) live [[3, 4)] offset(68)
  memplan.buffer @b0 size(64) align(4) live [[2, 3)] offset(4)
  memplan.conflict @b0, @b1
}
func.func @order_and_alignment(%f: f32, %v: i8, %i: index) {
  // CHECK: memplan.arena align(4) : memref<72xi8>
  // CHECK-NEXT: memplan.view %{{.*}}[4] align(4) {{.*}} to memref<16xf32>
  %a = memref.alloc() {memplan.buffer = "b0"} : memref<16xf32>
  // CHECK-NEXT: memplan.view %{{.*}}[68] align(1) {{.*}} to memref<4xi8>
  %b = memref.alloc() {memplan.buffer = "b1"} : memref<4xi8>
  memref.store %f, %a[%i] : memref<16xf32>
  memref.store %v, %b[%i] : memref<4xi8>
  return
}

// A live range that ends in one branch ends at the start of the other.
// CHECK-LABEL: func.func @ends_in_branches
memplan.problem @ends_in_branches align(64) {
  memplan.buffer @b0 size(64) align(64) live [[1, 4)] offset(0)
  memplan.buffer @b1 size(64) align(64) live [[7, 8)] offset(0)
}
func.func @ends_in_branches(%c: i1, %f: f32, %i: index) {
  // CHECK: %[[A:.*]] = memplan.view
  %a = memref.alloc() {memplan.buffer = "b0"} : memref<16xf32>    // 0
  memref.store %f, %a[%i] : memref<16xf32>                // 1
  // CHECK: scf.if
  scf.if %c {                                             // 2
    // CHECK-NEXT: memref.load %[[A]]
    %x = memref.load %a[%i] : memref<16xf32>              // 3
    memref.dealloc %a : memref<16xf32>                    // 4, yield: 5
    // CHECK-NEXT: } else {
  } else {                                                // yield: 4
    // CHECK-NEXT: %[[B:.*]] = memplan.view
    %b = memref.alloc() {memplan.buffer = "b1"} : memref<16xf32>
    memref.store %f, %b[%i] : memref<16xf32>
  }
  return
}

// Two exits, two memory spaces: every arena is released at every exit.
// CHECK-LABEL: func.func @every_exit
memplan.problem @every_exit align(64) {
  memplan.buffer @b0 size(64) align(64) live [[2, 6)] offset(0)
}
memplan.problem @every_exit space(1 : i64) align(64) {
  memplan.buffer @b1 size(64) align(64) live [[3, 4)] offset(0)
}
func.func @every_exit(%c: i1, %f: f32, %i: index) {
  // CHECK-DAG: %[[ONE:.*]] = memplan.arena align(64) : memref<64xi8>
  // CHECK-DAG: %[[TWO:.*]] = memplan.arena align(64) : memref<64xi8, 1>
  %a = memref.alloc() {memplan.buffer = "b0"} : memref<16xf32>
  %b = memref.alloc() {memplan.buffer = "b1"} : memref<16xf32, 1>
  memref.store %f, %a[%i] : memref<16xf32>
  memref.store %f, %b[%i] : memref<16xf32, 1>
  cf.cond_br %c, ^left, ^right
^left:
  %x = memref.load %a[%i] : memref<16xf32>
  // The program frees a buffer in space 1, so the arena there is freed on every
  // path.
  memref.dealloc %b : memref<16xf32, 1>
  // CHECK: memref.load
  // CHECK-DAG: memplan.release %[[ONE]]
  // CHECK-DAG: memplan.release %[[TWO]]
  // CHECK: return
  return
^right:
  // CHECK-DAG: memplan.release %[[ONE]]
  // CHECK-DAG: memplan.release %[[TWO]]
  // CHECK: return
  return
}

// Ops that were used only by a deallocation are removed with it: its condition,
// the guard around it, a view.
// CHECK-LABEL: func.func @debris
memplan.problem @debris align(64) {
  memplan.buffer @b0 size(64) align(64) live [[2, 3)] offset(0)
  memplan.buffer @b1 size(64) align(64) live [[3, 4)] offset(0)
}
func.func @debris(%c: i1, %p: i32, %f: f32, %i: index) {
  %a = memref.alloc() {memplan.buffer = "b0"} : memref<16xf32>
  %b = memref.alloc() {memplan.buffer = "b1"} : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  memref.store %f, %b[%i] : memref<16xf32>
  // CHECK: memplan.release
  // CHECK-NEXT: return
  %r = scf.if %c -> i1 {
    %three = arith.constant 3 : i32
    %owned = arith.cmpi eq, %p, %three : i32
    bufferization.dealloc (%a : memref<16xf32>) if (%owned)
    scf.yield %owned : i1
  } else {
    %yes = arith.constant true
    scf.yield %yes : i1
  }
  bufferization.dealloc (%b : memref<16xf32>) if (%r)
  %base, %o, %s, %t = memref.extract_strided_metadata %b
      : memref<16xf32> -> memref<f32>, index, index, index
  scf.if %c {
    scf.if %r {
      memref.dealloc %base : memref<f32>
    }
  }
  return
}

// The plan that is stated pays for @b0 and @b1, which share bytes; it is correct.
// CHECK-LABEL: func.func @soft
memplan.problem @soft align(64) capacity(64) {
  memplan.buffer @b0 size(64) align(64) live [[2, 3)] offset(0)
  memplan.buffer @b1 size(64) align(64) live [[3, 4)] offset(0)
  memplan.soft_conflict @b0, @b1 weight(3)
  memplan.all_or_none @b0, @b1
}
func.func @soft(%f: f32, %i: index) {
  // CHECK: memplan.arena align(64) : memref<64xi8>
  %a = memref.alloc() {memplan.buffer = "b0"} : memref<16xf32>
  %b = memref.alloc() {memplan.buffer = "b1"} : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  memref.store %f, %b[%i] : memref<16xf32>
  return
}
