// Parallel loops whose bodies allocate are distributed to four workers.
// RUN: memplan-opt %s --memplan-distribute-workers="workers=4" \
// RUN:   --canonicalize --cse --split-input-file | FileCheck %s
// A second run changes nothing: the loops have the most workers that are
// allowed.
// RUN: memplan-opt %s --memplan-distribute-workers="workers=4" \
// RUN:   --split-input-file > %t.once
// RUN: memplan-opt %t.once --memplan-distribute-workers="workers=4" \
// RUN:   --split-input-file | diff %t.once -

// If callees are not trusted, no argument of a function without a body is
// planned.
// RUN: memplan-opt %s --memplan-distribute-workers="workers=4 callee-trust=none" \
// RUN:   --split-input-file | FileCheck %s --check-prefix=NO-TRUST
// NO-TRUST-LABEL: func.func @remainder
// NO-TRUST-NOT: scf.for{{ }}
// NO-TRUST: return

// Ten iterations are at most three for each worker; the last worker has one.
// CHECK-LABEL: func.func @remainder
func.func @remainder(%f: f32) {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c30 = arith.constant 30 : index
  // CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : index
  // CHECK-DAG: %[[TEN:.*]] = arith.constant 10 : index
  // CHECK: scf.parallel (%[[W:.*]]) = (%c0) to (%c4) step (%c1)
  // CHECK:   %[[BEGIN:.*]] = arith.muli %[[W]], %c3
  // CHECK:   %[[NEXT:.*]] = arith.addi %[[BEGIN]], %c3
  // CHECK:   %[[END:.*]] = arith.minui %[[NEXT]], %[[TEN]]
  // CHECK:   scf.for %[[N:.*]] = %[[BEGIN]] to %[[END]] step %[[ONE]]
  // CHECK:     %[[STEPS:.*]] = arith.muli %[[N]], %c3
  // CHECK:     %[[I:.*]] = arith.addi %[[STEPS]], %c2
  // CHECK:     memref.alloc
  // CHECK:     call @use(%{{.*}}, %[[I]])
  scf.parallel (%i) = (%c2) to (%c30) step (%c3) {
    %a = memref.alloc() : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    func.call @use(%a, %i) : (memref<16xf32>, index) -> ()
  }
  return
}
func.func private @use(memref<16xf32>, index)

// -----

// The bounds are unknown: the number of iterations is computed; it is 0 if the
// end is before the begin.
// CHECK-LABEL: func.func @unknown_bounds
// CHECK-SAME: f32, %[[LB:.*]]: index, %[[UB:.*]]: index, %[[S:.*]]: index
func.func @unknown_bounds(%f: f32, %lb: index, %ub: index, %s: index) {
  // CHECK: %[[EXTENT:.*]] = arith.subi %[[UB]], %[[LB]]
  // CHECK: %[[LAST:.*]] = arith.subi %[[EXTENT]], %c1
  // CHECK: %[[STEPS:.*]] = arith.divui %[[LAST]], %[[S]]
  // CHECK: %[[SOME:.*]] = arith.addi %[[STEPS]], %c1
  // CHECK: %[[ANY:.*]] = arith.cmpi slt, %[[LB]], %[[UB]]
  // CHECK: %[[TOTAL:.*]] = arith.select %[[ANY]], %[[SOME]], %c0
  // CHECK: %[[UP4:.*]] = arith.addi %[[TOTAL]], %c3
  // CHECK: %[[SHARE:.*]] = arith.divui %[[UP4]], %c4
  // CHECK: scf.parallel (%[[W:.*]]) = (%c0) to (%c4)
  // CHECK:   arith.muli %[[W]], %[[SHARE]]
  // CHECK:   scf.for
  scf.parallel (%i) = (%lb) to (%ub) step (%s) {
    %a = memref.alloc() : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    func.call @use(%a, %i) : (memref<16xf32>, index) -> ()
  }
  return
}
func.func private @use(memref<16xf32>, index)

// -----

// The dimensions are linearised, the last one is the fastest: 3 * 5 iterations.
// The loop keeps its kind.
// CHECK-LABEL: func.func @two_dimensions
func.func @two_dimensions(%f: f32) {
  // CHECK: scf.forall (%[[W:.*]]) in (4) {
  // CHECK:   arith.muli %[[W]], %c4
  // CHECK:   scf.for %[[N:.*]] =
  // CHECK:     %[[J:.*]] = arith.remui %[[N]], %c5
  // CHECK:     %[[I:.*]] = arith.divui %[[N]], %c5
  // CHECK:     call @use(%{{.*}}, %[[I]], %[[J]])
  scf.forall (%i, %j) in (3, 5) {
    %a = memref.alloc() : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    func.call @use(%a, %i, %j) : (memref<16xf32>, index, index) -> ()
  }
  return
}
func.func private @use(memref<16xf32>, index, index)

// -----

// Subscripts remain affine.
// CHECK: #[[$BEGIN:map[0-9]*]] = affine_map<(d0) -> (d0 * 4)>
// CHECK: #[[$END:map[0-9]*]] = affine_map<(d0) -> (d0 * 4 + 4, 15)>
// CHECK-LABEL: func.func @affine
func.func @affine(%f: f32, %out: memref<64x64xf32>) {
  // CHECK: affine.parallel (%[[W:.*]]) = (0) to (4)
  // CHECK:   affine.for %[[N:.*]] = #[[$BEGIN]](%[[W]]) to min #[[$END]](%[[W]])
  // CHECK:     affine.store %{{.*}}, %{{.*}}[(%[[N]] floordiv 5) * 2 + 1, %[[N]] mod 5]
  affine.parallel (%i, %j) = (1, 0) to (7, 5) step (2, 1) {
    %a = memref.alloc() : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    %v = affine.load %a[%j] : memref<16xf32>
    affine.store %v, %out[%i, %j] : memref<64x64xf32>
  }
  return
}

// -----

// Only the inner loop allocates; its frames are in those of the outer loop.
// CHECK-LABEL: func.func @nested
func.func @nested(%f: f32, %n: index) {
  // CHECK: scf.forall (%{{.*}}) in (4)
  // CHECK:   scf.for
  // CHECK:     scf.forall (%{{.*}}) in (4)
  // CHECK:       scf.for
  scf.forall (%i) in (%n) {
    scf.forall (%j) in (%n) {
      %a = memref.alloc() : memref<16xf32>
      linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
      func.call @use(%a, %i) : (memref<16xf32>, index) -> ()
    }
  }
  return
}
func.func private @use(memref<16xf32>, index)

// -----

// Not distributed: few iterations; no allocations; no allocations that can be
// planned; a mapping; a reduction; unknown affine bounds; inside of an op of
// another kind.
// CHECK-LABEL: func.func @left_alone
// CHECK-NOT: scf.for{{ }}
// CHECK-NOT: affine.for
// CHECK: return
func.func @left_alone(%f: f32, %n: index, %out: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%i) in (4) {
    %a = memref.alloc() : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    func.call @use(%a, %i) : (memref<16xf32>, index) -> ()
  }
  scf.forall (%i) in (%n) {
    memref.store %f, %out[%i] : memref<?xf32>
  }
  scf.forall (%i) in (%n) {
    %a = memref.alloc(%i) : memref<?xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<?xf32>)
    %v = memref.load %a[%c0] : memref<?xf32>
    memref.store %v, %out[%i] : memref<?xf32>
  }
  scf.forall (%i) in (%n) {
    %a = memref.alloc() : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    func.call @use(%a, %i) : (memref<16xf32>, index) -> ()
  } {mapping = [#gpu.thread<x>]}
  %sum = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%f) -> f32 {
    %a = memref.alloc() : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    func.call @use(%a, %i) : (memref<16xf32>, index) -> ()
    %v = memref.load %a[%c0] : memref<16xf32>
    scf.reduce(%v : f32) {
    ^bb0(%x: f32, %y: f32):
      %z = arith.addf %x, %y : f32
      scf.reduce.return %z : f32
    }
  }
  memref.store %sum, %out[%c0] : memref<?xf32>
  affine.parallel (%i) = (0) to (%n) {
    %a = memref.alloc() : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    func.call @use(%a, %i) : (memref<16xf32>, index) -> ()
  }
  omp.parallel {
    scf.forall (%i) in (%n) {
      %a = memref.alloc() : memref<16xf32>
      linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
      func.call @use(%a, %i) : (memref<16xf32>, index) -> ()
    }
    omp.terminator
  }
  return
}
func.func private @use(memref<16xf32>, index)
