// RUN: memplan-opt %s --plan-memory="prepare=false lower=false" | FileCheck %s
// RUN: memplan-opt %s --plan-memory=prepare=false --memplan-verify --remarks-filter=plan.* -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Planned buffers have no owner. A deallocation returns whether it owns its
// retained memrefs; if one of its buffers is planned, this result must not
// change for its other uses.

func.func private @tell(i1)
func.func private @note(index)

// CHECK-LABEL: func.func @told
// CHECK: %[[A:.*]] = memref.alloc() : memref<8xf32>
// CHECK: %[[B:.*]] = memref.alloc() : memref<8xf32>
// CHECK: %[[R:.*]] = arith.select %{{.*}}, %[[A]], %[[B]]
// CHECK: %[[OWNED:.*]] = bufferization.dealloc (%[[A]] : memref<8xf32>) if (%{{.*}}) retain (%[[R]] : memref<8xf32>)
// CHECK: call @tell(%[[OWNED]])
// REMARK: Function=told{{.*}}b0 not planned: it is freed by an op whose results are used for more than deallocation
func.func @told(%c: i1, %k: f32) {
  %true = arith.constant true
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%k : f32) outs(%a : memref<8xf32>)
  linalg.fill ins(%k : f32) outs(%b : memref<8xf32>)
  %r = arith.select %c, %a, %b : memref<8xf32>
  %owned = bufferization.dealloc (%a : memref<8xf32>) if (%true)
    retain (%r : memref<8xf32>)
  func.call @tell(%owned) : (i1) -> ()
  linalg.exp ins(%r : memref<8xf32>) outs(%r : memref<8xf32>)
  return
}

// It decides whether another buffer is freed.
// CHECK-LABEL: func.func @frees_another
// CHECK: bufferization.dealloc {{.*}} retain
// CHECK: scf.if
// CHECK: memref.dealloc
func.func @frees_another(%c: i1, %k: f32, %n: index) {
  %true = arith.constant true
  // The division may be by zero, so it stays where it is.
  %unknown = arith.divsi %n, %n : index
  %other = memref.alloc(%unknown) : memref<?xf32>
  linalg.fill ins(%k : f32) outs(%other : memref<?xf32>)
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%k : f32) outs(%a : memref<8xf32>)
  linalg.fill ins(%k : f32) outs(%b : memref<8xf32>)
  %r = arith.select %c, %a, %b : memref<8xf32>
  %owned = bufferization.dealloc (%a : memref<8xf32>) if (%true)
    retain (%r : memref<8xf32>)
  scf.if %owned {
    memref.dealloc %other : memref<?xf32>
  }
  linalg.exp ins(%r : memref<8xf32>) outs(%r : memref<8xf32>)
  return
}

// It decides whether the retained memref is freed: through a conditional, a
// loop, and another deallocation. All of these are removed.
// CHECK-LABEL: func.func @frees_itself
// CHECK: memplan.arena
// CHECK-NOT: alloc
// CHECK: return
func.func @frees_itself(%c: i1, %d: i1, %k: f32, %n: index) {
  %true = arith.constant true
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%k : f32) outs(%a : memref<8xf32>)
  linalg.fill ins(%k : f32) outs(%b : memref<8xf32>)
  %r = arith.select %c, %a, %b : memref<8xf32>
  %owned = bufferization.dealloc (%a, %b : memref<8xf32>, memref<8xf32>)
    if (%true, %true) retain (%r : memref<8xf32>)
  %s:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %r, %o = %owned)
      -> (memref<8xf32>, i1) {
    linalg.exp ins(%x : memref<8xf32>) outs(%x : memref<8xf32>)
    scf.yield %x, %o : memref<8xf32>, i1
  }
  %both = arith.andi %s#1, %d : i1
  scf.if %both {
    memref.dealloc %s#0 : memref<8xf32>
  }
  return
}

// The result is false whatever is planned.
// CHECK-LABEL: func.func @never_the_same
// CHECK: memplan.arena
// CHECK-NOT: alloc
// CHECK: call @tell
func.func @never_the_same(%c: i1, %k: f32) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%k : f32) outs(%a : memref<8xf32>)
  linalg.fill ins(%k : f32) outs(%b : memref<8xf32>)
  %owned = bufferization.dealloc (%a : memref<8xf32>) if (%c)
    retain (%b : memref<8xf32>)
  func.call @tell(%owned) : (i1) -> ()
  linalg.exp ins(%b : memref<8xf32>) outs(%b : memref<8xf32>)
  return
}

// It decides whether a loop continues.
// CHECK-LABEL: func.func @ends_a_loop
// CHECK: bufferization.dealloc {{.*}} retain
func.func @ends_a_loop(%c: i1, %k: f32) {
  %true = arith.constant true
  %false = arith.constant false
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%k : f32) outs(%a : memref<8xf32>)
  linalg.fill ins(%k : f32) outs(%b : memref<8xf32>)
  %r = arith.select %c, %a, %b : memref<8xf32>
  %owned = bufferization.dealloc (%a : memref<8xf32>) if (%true)
    retain (%r : memref<8xf32>)
  %last = scf.while (%go = %owned) : (i1) -> i1 {
    scf.condition(%go) %go : i1
  } do {
  ^bb0(%go: i1):
    linalg.exp ins(%r : memref<8xf32>) outs(%r : memref<8xf32>)
    scf.yield %false : i1
  }
  return
}
