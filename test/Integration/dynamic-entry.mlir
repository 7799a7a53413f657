// Ops that compute a size in a branch are run at the entry, also if the branch is not
// taken.
// RUN: cat %s | %execute | FileCheck %s
// RUN: memplan-opt %s --plan-memory=require=verified | %execute | FileCheck %s
// RUN: memplan-opt %s --plan-memory=require=verified | FileCheck %s --check-prefix=PLAN

// The flags of the difference hold in the branch alone. At the entry it would be
// poison where the branch is not taken, and LLVM derives from that whatever it likes.
// PLAN-LABEL: func.func private @difference(
// PLAN:     arith.subi %{{.*}}, %{{.*}} : index
// PLAN:     memref.alloc(
// PLAN-NOT: memref.alloc(
func.func private @difference(%pa: memref<?xf32>, %pb: memref<?xf32>) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %most = arith.constant 1000000 : index
  %k = arith.constant 1.5 : f32
  %z = arith.constant 0.0 : f32
  %da = memref.dim %pa, %c0 : memref<?xf32>
  %a = arith.remui %da, %most : index
  %b = memref.dim %pb, %c0 : memref<?xf32>
  %y = memref.alloc(%a) : memref<?x16xf32>
  linalg.fill ins(%k : f32) outs(%y : memref<?x16xf32>)
  %c = arith.cmpi ule, %b, %a : index
  %s = scf.if %c -> f32 {
    %n = arith.subi %a, %b overflow<nsw, nuw> : index
    %t = memref.alloc(%n) : memref<?x16xf32>
    linalg.fill ins(%k : f32) outs(%t : memref<?x16xf32>)
    %w = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %z) -> f32 {
      %v = memref.load %t[%i, %c1] : memref<?x16xf32>
      %u = memref.load %y[%i, %c1] : memref<?x16xf32>
      %m = arith.mulf %u, %v : f32
      %nx = arith.addf %acc, %m : f32
      scf.yield %nx : f32
    }
    memref.dealloc %t : memref<?x16xf32>
    scf.yield %w : f32
  } else { scf.yield %k : f32 }
  %w = scf.for %i = %c0 to %a step %c1 iter_args(%acc = %s) -> f32 {
      %u = memref.load %y[%i, %c1] : memref<?x16xf32>
      %nx = arith.addf %acc, %u : f32
      scf.yield %nx : f32
  }
  memref.dealloc %y : memref<?x16xf32>
  return %w : f32
}

// The divisor is 0 where the branch is not taken: the size is not known at the entry.
// PLAN-LABEL: func.func private @quotient(
// PLAN: scf.if
// PLAN: memref.alloc(
func.func private @quotient(%pa: memref<?xf32>, %pb: memref<?xf32>) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant 1.5 : f32
  %a = memref.dim %pa, %c0 : memref<?xf32>
  %b = memref.dim %pb, %c0 : memref<?xf32>
  %y = memref.alloc(%a) : memref<?x16xf32>
  linalg.fill ins(%k : f32) outs(%y : memref<?x16xf32>)
  %c = arith.cmpi ugt, %b, %c0 : index
  %s = scf.if %c -> f32 {
    %n = affine.min affine_map<(d0)[s0] -> (d0, d0 floordiv s0)>(%a)[%b]
    %t = memref.alloc(%n) : memref<?x16xf32>
    linalg.fill ins(%k : f32) outs(%t : memref<?x16xf32>)
    %v = memref.load %t[%c0, %c1] : memref<?x16xf32>
    scf.yield %v : f32
  } else { scf.yield %k : f32 }
  %w = scf.for %i = %c0 to %a step %c1 iter_args(%acc = %s) -> f32 {
      %u = memref.load %y[%i, %c1] : memref<?x16xf32>
      %nx = arith.addf %acc, %u : f32
      scf.yield %nx : f32
  }
  return %w : f32
}

// An integer that is too large for a float's conversion back is poison.
// PLAN-LABEL: func.func private @scaled(
// PLAN: scf.if
// PLAN: memref.alloc(
func.func private @scaled(%pa: memref<?xf32>, %pb: memref<?xf32>) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %most = arith.constant 5 : index
  %k = arith.constant 1.5 : f32
  %a = memref.dim %pa, %c0 : memref<?xf32>
  %b = memref.dim %pb, %c0 : memref<?xf32>
  %y = memref.alloc(%a) : memref<?x16xf32>
  linalg.fill ins(%k : f32) outs(%y : memref<?x16xf32>)
  %c = arith.cmpi ult, %b, %most : index
  %s = scf.if %c -> f32 {
    %i = arith.index_cast %b : index to i64
    %f = arith.sitofp %i : i64 to f32
    %large = arith.constant 1.0e18 : f32
    %g = arith.mulf %f, %large : f32
    %j = arith.fptosi %g : f32 to i64
    %m = arith.index_cast %j : i64 to index
    %n = arith.minsi %a, %m : index
    %t = memref.alloc(%n) : memref<?x16xf32>
    linalg.fill ins(%k : f32) outs(%t : memref<?x16xf32>)
    %v = memref.load %t[%c0, %c1] : memref<?x16xf32>
    memref.dealloc %t : memref<?x16xf32>
    scf.yield %v : f32
  } else { scf.yield %k : f32 }
  %w = scf.for %i = %c0 to %a step %c1 iter_args(%acc = %s) -> f32 {
      %u = memref.load %y[%i, %c1] : memref<?x16xf32>
      %nx = arith.addf %acc, %u : f32
      scf.yield %nx : f32
  }
  memref.dealloc %y : memref<?x16xf32>
  return %w : f32
}

// The program's product wraps around where the branch is not taken: the size is
// a + b * 2^40 - floordiv(b * 2^62, 2^22), which is a only where it does not.
// PLAN-LABEL: func.func private @wrapped(
// PLAN: scf.if
// PLAN: memref.alloc(
func.func private @wrapped(%pa: memref<?xf32>, %pb: memref<?xf32>) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %most = arith.constant 2 : index
  %k = arith.constant 1.5 : f32
  %a = memref.dim %pa, %c0 : memref<?xf32>
  %b = memref.dim %pb, %c0 : memref<?xf32>
  %y = memref.alloc(%a) : memref<?x16xf32>
  linalg.fill ins(%k : f32) outs(%y : memref<?x16xf32>)
  %c = arith.cmpi ult, %b, %most : index
  %s = scf.if %c -> f32 {
    %large = arith.constant 4611686018427387904 : index
    %divisor = arith.constant 4194304 : index
    %factor = arith.constant 1099511627776 : index
    %p = arith.muli %b, %large : index
    %q = arith.divui %p, %divisor : index
    %r = arith.muli %b, %factor : index
    %d = arith.subi %r, %q : index
    %n = arith.addi %d, %a : index
    %t = memref.alloc(%n) : memref<?x16xf32>
    linalg.fill ins(%k : f32) outs(%t : memref<?x16xf32>)
    %v = memref.load %t[%c0, %c1] : memref<?x16xf32>
    memref.dealloc %t : memref<?x16xf32>
    scf.yield %v : f32
  } else { scf.yield %k : f32 }
  %w = scf.for %i = %c0 to %a step %c1 iter_args(%acc = %s) -> f32 {
      %u = memref.load %y[%i, %c1] : memref<?x16xf32>
      %nx = arith.addf %acc, %u : f32
      scf.yield %nx : f32
  }
  memref.dealloc %y : memref<?x16xf32>
  return %w : f32
}

// The product of an affine expression wraps around where the branch is not taken: the
// formula is not what the entry computes.
// PLAN-LABEL: func.func private @multiple(
// PLAN: scf.if
// PLAN: memref.alloc(
func.func private @multiple(%pa: memref<?xf32>, %pb: memref<?xf32>) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %most = arith.constant 2 : index
  %k = arith.constant 1.5 : f32
  %a = memref.dim %pa, %c0 : memref<?xf32>
  %b = memref.dim %pb, %c0 : memref<?xf32>
  %y = memref.alloc(%a) : memref<?x16xf32>
  linalg.fill ins(%k : f32) outs(%y : memref<?x16xf32>)
  %c = arith.cmpi ult, %b, %most : index
  %s = scf.if %c -> f32 {
    %n = affine.min affine_map<(d0)[s0] -> (d0, s0 * 2305843009213693952)>(%a)[%b]
    %t = memref.alloc(%n) : memref<?x16xf32>
    linalg.fill ins(%k : f32) outs(%t : memref<?x16xf32>)
    %v = memref.load %t[%c0, %c1] : memref<?x16xf32>
    memref.dealloc %t : memref<?x16xf32>
    scf.yield %v : f32
  } else { scf.yield %k : f32 }
  %w = scf.for %i = %c0 to %a step %c1 iter_args(%acc = %s) -> f32 {
      %u = memref.load %y[%i, %c1] : memref<?x16xf32>
      %nx = arith.addf %acc, %u : f32
      scf.yield %nx : f32
  }
  memref.dealloc %y : memref<?x16xf32>
  return %w : f32
}

// Remainders, and quotients rounded down, trap although they are pure. Only an unsigned
// divisor can be replaced where it is 0.
// PLAN-LABEL: func.func private @remainder(
// PLAN: arith.remui
// PLAN-COUNT-1: memref.alloc(
// PLAN-NOT: memref.alloc(
func.func private @remainder(%pa: memref<?xf32>, %pb: memref<?xf32>) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %most = arith.constant 5 : index
  %k = arith.constant 1.5 : f32
  %a = memref.dim %pa, %c0 : memref<?xf32>
  %b = memref.dim %pb, %c0 : memref<?xf32>
  %y = memref.alloc(%a) : memref<?x16xf32>
  linalg.fill ins(%k : f32) outs(%y : memref<?x16xf32>)
  %c = arith.cmpi ult, %b, %most : index
  %s = scf.if %c -> f32 {
    %e = arith.constant 140 : index
    %d = arith.subi %e, %b : index
    %r = arith.remui %a, %d : index
    %n = arith.minui %a, %r : index
    %t = memref.alloc(%n) : memref<?x16xf32>
    linalg.fill ins(%k : f32) outs(%t : memref<?x16xf32>)
    %v = memref.load %t[%c0, %c1] : memref<?x16xf32>
    memref.dealloc %t : memref<?x16xf32>
    scf.yield %v : f32
  } else { scf.yield %k : f32 }
  %w = scf.for %i = %c0 to %a step %c1 iter_args(%acc = %s) -> f32 {
      %u = memref.load %y[%i, %c1] : memref<?x16xf32>
      %nx = arith.addf %acc, %u : f32
      scf.yield %nx : f32
  }
  memref.dealloc %y : memref<?x16xf32>
  return %w : f32
}

// PLAN-LABEL: func.func private @signed(
// PLAN: scf.if
// PLAN: memref.alloc(
// PLAN: memref.alloc(
func.func private @signed(%pa: memref<?xf32>, %pb: memref<?xf32>) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %most = arith.constant 5 : index
  %k = arith.constant 1.5 : f32
  %a = memref.dim %pa, %c0 : memref<?xf32>
  %b = memref.dim %pb, %c0 : memref<?xf32>
  %y = memref.alloc(%a) : memref<?x16xf32>
  linalg.fill ins(%k : f32) outs(%y : memref<?x16xf32>)
  %c = arith.cmpi ult, %b, %most : index
  %s = scf.if %c -> f32 {
    %e = arith.constant 140 : index
    %d = arith.subi %e, %b : index
    %r = arith.remsi %a, %d : index
    %n = arith.minui %a, %r : index
    %r2 = arith.floordivsi %a, %d : index
    %n2 = arith.minui %a, %r2 : index
    %t2 = memref.alloc(%n2) : memref<?x16xf32>
    linalg.fill ins(%k : f32) outs(%t2 : memref<?x16xf32>)
    %k2 = memref.load %t2[%c0, %c1] : memref<?x16xf32>
    memref.dealloc %t2 : memref<?x16xf32>
    %t = memref.alloc(%n) : memref<?x16xf32>
    linalg.fill ins(%k2 : f32) outs(%t : memref<?x16xf32>)
    %v = memref.load %t[%c0, %c1] : memref<?x16xf32>
    memref.dealloc %t : memref<?x16xf32>
    scf.yield %v : f32
  } else { scf.yield %k : f32 }
  %w = scf.for %i = %c0 to %a step %c1 iter_args(%acc = %s) -> f32 {
      %u = memref.load %y[%i, %c1] : memref<?x16xf32>
      %nx = arith.addf %acc, %u : f32
      scf.yield %nx : f32
  }
  memref.dealloc %y : memref<?x16xf32>
  return %w : f32
}

// One of extents below 2^40 does not.
// PLAN-LABEL: func.func private @multiples(
// PLAN-COUNT-1: memref.alloc(
// PLAN-NOT: memref.alloc(
func.func private @multiples(%pa: memref<?xf32>, %pb: memref<?xf32>) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %most = arith.constant 2 : index
  %k = arith.constant 1.5 : f32
  %a = memref.dim %pa, %c0 : memref<?xf32>
  %b = memref.dim %pb, %c0 : memref<?xf32>
  %y = memref.alloc(%a) : memref<?x16xf32>
  linalg.fill ins(%k : f32) outs(%y : memref<?x16xf32>)
  %c = arith.cmpi ult, %b, %most : index
  %s = scf.if %c -> f32 {
    %n = affine.min affine_map<(d0)[s0] -> (d0, s0 * 64)>(%a)[%b]
    %t = memref.alloc(%n) : memref<?x16xf32>
    linalg.fill ins(%k : f32) outs(%t : memref<?x16xf32>)
    %v = memref.load %t[%c0, %c1] : memref<?x16xf32>
    memref.dealloc %t : memref<?x16xf32>
    scf.yield %v : f32
  } else { scf.yield %k : f32 }
  %w = scf.for %i = %c0 to %a step %c1 iter_args(%acc = %s) -> f32 {
      %u = memref.load %y[%i, %c1] : memref<?x16xf32>
      %nx = arith.addf %acc, %u : f32
      scf.yield %nx : f32
  }
  memref.dealloc %y : memref<?x16xf32>
  return %w : f32
}

// The lowering of affine products promises that they do not overflow. The entry is
// ahead of the assertion that says so.
// PLAN-LABEL: func.func private @asserted(
// PLAN-NOT: affine.apply
// PLAN:     %[[SQUARE:.*]] = arith.muli %[[N:.*]], %[[N]] : index
// PLAN:     %[[LESS:.*]] = arith.addi %[[SQUARE]], %{{.*}} : index
// PLAN:     affine.apply #{{.*}}(%[[LESS]])
// PLAN-NOT: affine.apply
// PLAN:     memref.alloc(
// PLAN:     cf.assert
// PLAN-NOT: memref.alloc(
// PLAN-LABEL: func.func @main(
func.func private @asserted(%pa: memref<?xf32>, %pb: memref<?xf32>) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %most = arith.constant 1000 : index
  %k = arith.constant 151.5 : f32
  %n = memref.dim %pa, %c0 : memref<?xf32>
  %i = memref.dim %pb, %c0 : memref<?xf32>
  %isFew = arith.cmpi ule, %n, %most : index
  cf.assert %isFew, "at most 1000"
  %half = affine.apply affine_map<()[s0] -> ((s0 * s0 - 1) ceildiv 2)>()[%n]
  %y = memref.alloc(%half) : memref<?xf32>
  linalg.fill ins(%k : f32) outs(%y : memref<?xf32>)
  %v = memref.load %y[%i] : memref<?xf32>
  memref.dealloc %y : memref<?xf32>
  return %v : f32
}

func.func @main() {
  %m0 = memref.alloc() : memref<0xf32>
  %m4 = memref.alloc() : memref<4xf32>
  %m100 = memref.alloc() : memref<100xf32>
  %m140 = memref.alloc() : memref<140xf32>
  %m90000 = memref.alloc() : memref<90000xf32>
  %c0 = memref.cast %m0 : memref<0xf32> to memref<?xf32>
  %c4 = memref.cast %m4 : memref<4xf32> to memref<?xf32>
  %c100 = memref.cast %m100 : memref<100xf32> to memref<?xf32>
  %c140 = memref.cast %m140 : memref<140xf32> to memref<?xf32>
  %c90000 = memref.cast %m90000 : memref<90000xf32> to memref<?xf32>
  // CHECK: 300
  %0 = call @difference(%c140, %c100) : (memref<?xf32>, memref<?xf32>) -> f32
  vector.print %0 : f32
  // CHECK: 151.5
  %1 = call @difference(%c100, %c140) : (memref<?xf32>, memref<?xf32>) -> f32
  vector.print %1 : f32
  // CHECK: 151.5
  %2 = call @difference(%c100, %c90000) : (memref<?xf32>, memref<?xf32>) -> f32
  vector.print %2 : f32
  // CHECK: 151.5
  %3 = call @quotient(%c100, %c4) : (memref<?xf32>, memref<?xf32>) -> f32
  vector.print %3 : f32
  // CHECK: 151.5
  %4 = call @quotient(%c100, %c0) : (memref<?xf32>, memref<?xf32>) -> f32
  vector.print %4 : f32
  // CHECK: 151.5
  %5 = call @scaled(%c100, %c4) : (memref<?xf32>, memref<?xf32>) -> f32
  vector.print %5 : f32
  // CHECK: 151.5
  %6 = call @scaled(%c100, %c140) : (memref<?xf32>, memref<?xf32>) -> f32
  vector.print %6 : f32
  // CHECK: 151.5
  %7 = call @wrapped(%c100, %c4) : (memref<?xf32>, memref<?xf32>) -> f32
  vector.print %7 : f32
  // CHECK: 151.5
  %8 = call @multiple(%c100, %c4) : (memref<?xf32>, memref<?xf32>) -> f32
  vector.print %8 : f32
  // CHECK: 151.5
  %9 = call @multiple(%c100, %c140) : (memref<?xf32>, memref<?xf32>) -> f32
  vector.print %9 : f32
  // CHECK: 151.5
  %10 = call @multiples(%c100, %c140) : (memref<?xf32>, memref<?xf32>) -> f32
  vector.print %10 : f32
  // CHECK: 151.5
  %11 = call @remainder(%c100, %c4) : (memref<?xf32>, memref<?xf32>) -> f32
  vector.print %11 : f32
  // CHECK: 151.5
  %12 = call @remainder(%c100, %c140) : (memref<?xf32>, memref<?xf32>) -> f32
  vector.print %12 : f32
  // CHECK: 151.5
  %13 = call @signed(%c100, %c4) : (memref<?xf32>, memref<?xf32>) -> f32
  vector.print %13 : f32
  // CHECK: 151.5
  %14 = call @signed(%c100, %c140) : (memref<?xf32>, memref<?xf32>) -> f32
  vector.print %14 : f32
  // CHECK: 151.5
  %15 = call @asserted(%c100, %c140) : (memref<?xf32>, memref<?xf32>) -> f32
  vector.print %15 : f32
  memref.dealloc %m0 : memref<0xf32>
  memref.dealloc %m4 : memref<4xf32>
  memref.dealloc %m100 : memref<100xf32>
  memref.dealloc %m140 : memref<140xf32>
  memref.dealloc %m90000 : memref<90000xf32>
  return
}
