// Allocations in the bodies of parallel loops: their offsets, and the ones that
// are not planned.
// RUN: memplan-opt %s --plan-memory="prepare=false strategy=greedy lower=false in-place=false" \
// RUN:   --split-input-file | FileCheck %s
// RUN: memplan-opt %s --plan-memory="prepare=false strategy=greedy in-place=false" --memplan-verify \
// RUN:   --canonicalize --cse --memplan-verify --split-input-file > %t
// A second run changes nothing.
// RUN: memplan-opt %s --plan-memory="prepare=false strategy=greedy lower=false in-place=false" \
// RUN:   --split-input-file > %t.once
// RUN: memplan-opt %t.once --plan-memory="prepare=false strategy=greedy lower=false workers=2 in-place=false" \
// RUN:   --split-input-file | diff %t.once -

// %a is dead when %c begins, so a frame has 128 bytes, not 192: 4 * 128 = 512.
// %x, which all iterations read, is after the frames; %y, after the loop, is at
// the bottom.
// CHECK-LABEL: func.func @frames
func.func @frames(%f: f32, %i: index, %out: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  // CHECK: memplan.arena align(64) : memref<640xi8>
  // CHECK: memplan.view %arena[512] align(64) : memref<640xi8> to memref<16xf32>
  %x = memref.alloc() : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%x : memref<16xf32>)
  // CHECK: scf.parallel (%[[W:.*]]) =
  scf.parallel (%k) = (%c0) to (%c4) step (%c1) {
    // CHECK-NEXT: %[[A:.*]] = memplan.view %arena[0 + %[[W]] * 128] align(64)
    %a = memref.alloc() : memref<16xf32>
    linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
    // CHECK: %[[B:.*]] = memplan.view %arena[64 + %[[W]] * 128] align(64)
    // CHECK: linalg.exp
    %b = memref.alloc() : memref<16xf32>
    linalg.exp ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
    // CHECK-NEXT: memplan.view %arena[0 + %[[W]] * 128] align(64)
    %c = memref.alloc() : memref<16xf32>
    linalg.exp ins(%b : memref<16xf32>) outs(%c : memref<16xf32>)
    %v = memref.load %c[%i] : memref<16xf32>
    memref.store %v, %out[%k] : memref<4xf32>
    // CHECK-NOT: memref.dealloc
    memref.dealloc %a : memref<16xf32>
    memref.dealloc %b : memref<16xf32>
    // CHECK: scf.reduce
  }
  // CHECK: memplan.view %arena[0] align(64) : memref<640xi8> to memref<160xf32>
  %y = memref.alloc() : memref<160xf32>
  linalg.fill ins(%f : f32) outs(%y : memref<160xf32>)
  %v = memref.load %y[%i] : memref<160xf32>
  memref.store %v, %out[%i] : memref<4xf32>
  return
}

// -----

// The number of the iteration for any bounds and steps.
// CHECK-LABEL: func.func @numbers
func.func @numbers(%f: f32, %out: memref<100xf32>) {
  // CHECK: affine.parallel (%[[I:.*]], %[[J:.*]]) = (10, 1)
  // CHECK: %[[D:.*]] = arith.subi %[[I]], %c10
  // CHECK: %[[K:.*]] = arith.divui %[[D]], %c2
  // CHECK: %[[E:.*]] = arith.subi %[[J]], %c1
  // CHECK: %[[M:.*]] = arith.muli %[[K]], %c2
  // CHECK: %[[W:.*]] = arith.addi %[[M]], %[[E]]
  // CHECK: memplan.view %arena[0 + %[[W]] * 64] align(64) : memref<512xi8>
  affine.parallel (%i, %j) = (10, 1) to (17, 3) step (2, 1) {
    %a = memref.alloc() : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    %v = affine.load %a[%j] : memref<16xf32>
    affine.store %v, %out[%i] : memref<100xf32>
  }
  return
}

// -----

// Three frames of 64 bytes in each of two frames of 192 + 64.
// CHECK-LABEL: func.func @nested
func.func @nested(%f: f32, %n: index) {
  // CHECK: memplan.arena align(64) : memref<512xi8>
  // CHECK: scf.forall (%[[I:.*]]) in (2)
  scf.forall (%i) in (2) {
    // CHECK: memplan.view %arena[192 + %[[I]] * 256] align(64)
    %a = memref.alloc() : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    scf.for %k = %i to %n step %n {
      // CHECK: scf.forall (%[[J:.*]]) in (3)
      scf.forall (%j) in (3) {
        // CHECK: memplan.view %arena[0 + %[[I]] * 256 + %[[J]] * 64] align(64)
        %b = memref.alloc() : memref<16xf32>
        memref.copy %a, %b : memref<16xf32> to memref<16xf32>
        func.call @use(%b) : (memref<16xf32>) -> ()
      }
    }
    func.call @use(%a) : (memref<16xf32>) -> ()
  }
  return
}
func.func private @use(memref<16xf32>)

// -----

// A buffer of a worker that the body allocates in one of two branches.
// CHECK-LABEL: func.func @branches
func.func @branches(%f: f32, %c: i1) {
  // CHECK: memplan.arena align(64) : memref<128xi8>
  // CHECK: scf.forall (%[[I:.*]]) in (2)
  scf.forall (%i) in (2) {
    // CHECK: scf.if
    // CHECK-COUNT-2: memplan.view %arena[0 + %[[I]] * 64] align(64)
    %r = scf.if %c -> memref<16xf32> {
      %a = memref.alloc() : memref<16xf32>
      linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
      scf.yield %a : memref<16xf32>
    } else {
      %b = memref.alloc() : memref<16xf32>
      linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
      scf.yield %b : memref<16xf32>
    }
    func.call @use(%r) : (memref<16xf32>) -> ()
    // CHECK-NOT: memref.dealloc
    memref.dealloc %r : memref<16xf32>
  }
  return
}
func.func private @use(memref<16xf32>)

// -----

// A join of a buffer of the iteration and one from outside; the freed buffer
// may be either, so both are not planned.
// CHECK-LABEL: func.func @freed_with_another
func.func @freed_with_another(%f: f32, %c: i1) {
  // CHECK-NOT: memplan
  %x = memref.alloc() : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%x : memref<16xf32>)
  scf.forall (%i) in (1) {
    %a = memref.alloc() : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    %r = arith.select %c, %a, %x : memref<16xf32>
    func.call @use(%r) : (memref<16xf32>) -> ()
    memref.dealloc %r : memref<16xf32>
  }
  // CHECK: return
  return
}
func.func private @use(memref<16xf32>)

// -----

// The same without a deallocation: the buffer from outside is only read.
// CHECK-LABEL: func.func @meets_another
func.func @meets_another(%f: f32, %c: i1) {
  // CHECK: memplan.arena align(64) : memref<192xi8>
  // CHECK: memplan.view %arena[128]
  %x = memref.alloc() : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%x : memref<16xf32>)
  scf.forall (%i) in (2) {
    // CHECK: memplan.view %arena[0 + %{{.*}} * 64]
    %a = memref.alloc() : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    %r = arith.select %c, %a, %x : memref<16xf32>
    func.call @use(%r) : (memref<16xf32>) -> ()
  }
  return
}
func.func private @use(memref<16xf32>)

// -----

// A loop that reduces the results of its iterations in a region.
// CHECK-LABEL: func.func @reduction
func.func @reduction(%f: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  // CHECK: memplan.arena align(64) : memref<128xi8>
  %sum = scf.parallel (%i) = (%c0) to (%c2) step (%c1) init (%f) -> f32 {
    // CHECK: memplan.view %arena[0 + %{{.*}} * 64] align(64)
    %a = memref.alloc() : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    // CHECK: scf.reduce
    scf.reduce(%f : f32) {
    ^bb0(%x: f32, %y: f32):
      // CHECK: memref.load
      %v = memref.load %a[%n] : memref<16xf32>
      %z = arith.addf %x, %v : f32
      scf.reduce.return %z : f32
    }
  }
  return %sum : f32
}

// -----

// Buffers of the iteration that cannot be followed, are used by work that may
// run at another time, or must not share their bytes.
// CHECK-LABEL: func.func @left_alone
func.func @left_alone(%f: f32, %keep: memref<2xmemref<16xf32>>, %n: index) {
  // CHECK-NOT: memplan.view
  scf.forall (%i) in (2) {
    // CHECK: memref.alloc
    %a = memref.alloc() : memref<16xf32>
    memref.store %a, %keep[%i] : memref<2xmemref<16xf32>>
    // CHECK: memref.alloc
    %b = memref.alloc() : memref<16xf32>
    %t = async.execute {
      linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
      async.yield
    }
    // CHECK: memref.alloc
    %c = memref.alloc(%n) : memref<?xf32>
    linalg.fill ins(%f : f32) outs(%c : memref<?xf32>)
    // CHECK: memplan.workspace unique
    %d = memplan.workspace unique align(64) : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%d : memref<16xf32>)
  }
  // CHECK: return
  return
}

// -----

// No iterations, and a loop in a task: planning has no gain, or the loop is not
// understood.
// CHECK-LABEL: func.func @never_and_elsewhere
func.func @never_and_elsewhere(%f: f32) {
  // CHECK-NOT: memplan
  scf.forall (%i) in (0) {
    %a = memref.alloc() : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    func.call @use(%a) : (memref<16xf32>) -> ()
  }
  %t = async.execute {
    scf.forall (%i) in (2) {
      %a = memref.alloc() : memref<16xf32>
      linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
      func.call @use(%a) : (memref<16xf32>) -> ()
    }
    async.yield
  }
  async.await %t : !async.token
  // CHECK: return
  return
}
func.func private @use(memref<16xf32>)
