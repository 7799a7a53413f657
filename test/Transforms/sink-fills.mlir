// RUN: memplan-test-opt %s --memplan-sink-fills --split-input-file | FileCheck %s
// The steps of planning for it.
// RUN: memplan-opt %s --plan-memory="lower=false require=verified" --split-input-file > %t.planned
// RUN: memplan-opt %s --memplan-extract --memplan-solve --memplan-materialize --split-input-file | diff %t.planned -
// RUN: memplan-test-opt %s --memplan-sink-fills --plan-memory="lower=false prepare=false" --split-input-file | diff %t.planned -

// CHECK-LABEL: func.func @zeros
func.func @zeros(%m: memref<64x64xf32>, %x: memref<64xf32>, %o: memref<64xf32>) {
  %z = arith.constant 0.0 : f32
  // CHECK: %[[A:.*]] = memref.alloc
  %a = memref.alloc() : memref<64xf32>
  // CHECK-NEXT: %[[B:.*]] = memref.alloc
  %b = memref.alloc() : memref<64xf32>
  // CHECK-NEXT: linalg.fill {{.*}} outs(%[[B]]
  linalg.fill ins(%z : f32) outs(%a : memref<64xf32>)
  memref.copy %a, %b : memref<64xf32> to memref<64xf32>
  // CHECK-NEXT: linalg.matvec {{.*}} outs(%[[B]]
  linalg.matvec ins(%m, %x : memref<64x64xf32>, memref<64xf32>) outs(%b : memref<64xf32>)
  // CHECK-NEXT: linalg.exp
  linalg.exp ins(%b : memref<64xf32>) outs(%o : memref<64xf32>)
  // CHECK-NEXT: linalg.fill {{.*}} outs(%[[A]]
  // CHECK-NEXT: linalg.matvec {{.*}} outs(%[[A]]
  linalg.matvec ins(%m, %o : memref<64x64xf32>, memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.exp ins(%a : memref<64xf32>) outs(%o : memref<64xf32>)
  return
}

// -----

// A part of it, a chain of copies, and copies in a loop; %a is removed.
// CHECK-LABEL: func.func @copies
// CHECK-NOT: memref.copy
// CHECK: scf.for
// CHECK-NEXT: linalg.fill
// CHECK-NOT: memref.copy
func.func @copies(%v: f32, %n: index, %o: memref<8xf32>, %p: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<16xf32>)
  %b = memref.alloc() : memref<16xf32>
  memref.copy %a, %b : memref<16xf32> to memref<16xf32>
  memref.copy %b, %p : memref<16xf32> to memref<16xf32>
  %s = memref.subview %a[4] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1], offset: 4>>
  scf.for %i = %c0 to %n step %c1 {
    memref.copy %s, %o : memref<8xf32, strided<[1], offset: 4>> to memref<8xf32>
  }
  memref.dealloc %a : memref<16xf32>
  memref.dealloc %b : memref<16xf32>
  return
}

// -----

// Not sunk: the source of a copy after another write does not have the value; a
// write by another name may change it; other memory is filled by other ops.
// CHECK-LABEL: func.func @kept
// CHECK-COUNT-3: memref.copy
func.func private @keep(memref<16xf32>)
func.func @kept(%v: f32, %c: i1, %i: index, %x: f32, %o: memref<16xf32>, %p: memref<16xf32, 1>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<16xf32>)
  scf.if %c {
    memref.store %x, %a[%i] : memref<16xf32>
  }
  memref.copy %a, %o : memref<16xf32> to memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  func.call @keep(%b) : (memref<16xf32>) -> ()
  linalg.fill ins(%v : f32) outs(%b : memref<16xf32>)
  func.call @keep(%o) : (memref<16xf32>) -> ()
  memref.copy %b, %o : memref<16xf32> to memref<16xf32>
  %d = memref.alloc() : memref<16xf32>
  linalg.fill ins(%v : f32) outs(%d : memref<16xf32>)
  memref.copy %d, %p : memref<16xf32> to memref<16xf32, 1>
  return
}

// -----

// Ops of one step run at once, so their order means nothing.
// CHECK-LABEL: func.func @steps
// CHECK: memref.copy
func.func @steps(%v: f32, %o: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.fill {memplan.step = 0} ins(%v : f32) outs(%a : memref<16xf32>)
  memref.copy %a, %o {memplan.step = 1} : memref<16xf32> to memref<16xf32>
  return
}

// -----

// An op that reads %a may still run after control has left it, so the second
// fill is not moved.
// CHECK-LABEL: func.func @asynchronous
// CHECK: async.await
// CHECK-NEXT: linalg.fill
// CHECK-NEXT: linalg.exp ins(%arg1
func.func @asynchronous(%v: f32, %x: memref<16xf32>, %o: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<16xf32>)
  %t = async.execute {
    linalg.exp ins(%a : memref<16xf32>) outs(%o : memref<16xf32>)
    async.yield
  }
  async.await %t : !async.token
  linalg.fill ins(%v : f32) outs(%a : memref<16xf32>)
  linalg.exp ins(%x : memref<16xf32>) outs(%x : memref<16xf32>)
  linalg.exp ins(%a : memref<16xf32>) outs(%o : memref<16xf32>)
  return
}

// -----

// A nest of loops that stores one value everywhere is a fill, and is sunk as a
// nest.
// CHECK-LABEL: func.func @nest
// CHECK-SAME: (%[[V:.*]]: f32, %[[X:.*]]: memref<1x16xf32>, %[[O:.*]]: memref<1x16xf32>)
func.func @nest(%v: f32, %x: memref<1x16xf32>, %o: memref<1x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  // CHECK: %[[A:.*]] = memref.alloc
  // CHECK-NEXT: linalg.exp ins(%[[X]]
  // CHECK-NEXT: %[[B:.*]] = memref.alloc
  // CHECK-NEXT: scf.for
  // CHECK-NEXT: scf.for
  // CHECK-NEXT: memref.store %[[V]], %[[B]]
  // CHECK: linalg.add {{.*}} outs(%[[B]]
  // CHECK-NEXT: scf.for
  // CHECK-NEXT: scf.for
  // CHECK-NEXT: memref.store %[[V]], %[[A]]
  // CHECK: linalg.add {{.*}} outs(%[[A]]
  %a = memref.alloc() : memref<1x16xf32>
  scf.for %i = %c0 to %c1 step %c1 {
    scf.for %j = %c0 to %c16 step %c1 {
      memref.store %v, %a[%i, %j] : memref<1x16xf32>
    }
  }
  linalg.exp ins(%x : memref<1x16xf32>) outs(%x : memref<1x16xf32>)
  %b = memref.alloc() : memref<1x16xf32>
  memref.copy %a, %b : memref<1x16xf32> to memref<1x16xf32>
  linalg.add ins(%x, %x : memref<1x16xf32>, memref<1x16xf32>)
      outs(%b : memref<1x16xf32>)
  linalg.add ins(%b, %x : memref<1x16xf32>, memref<1x16xf32>)
      outs(%a : memref<1x16xf32>)
  memref.copy %a, %o : memref<1x16xf32> to memref<1x16xf32>
  return
}

// -----

// A nest that stores computed values, or has other ops, is not a fill.
// CHECK-LABEL: func.func @no_fill
// CHECK: memref.copy %[[A:.*]], %{{.*}}
// CHECK: memref.copy %[[A2:.*]], %{{.*}}
func.func @no_fill(%v: i32, %o: memref<16xindex>, %p: memref<16xi32>) {
  %a = memref.alloc() : memref<16xindex>
  affine.for %i = 0 to 16 {
    affine.store %i, %a[%i] : memref<16xindex>
  }
  memref.copy %a, %o : memref<16xindex> to memref<16xindex>
  %b = memref.alloc() : memref<16xi32>
  affine.for %i = 0 to 16 {
    affine.store %v, %b[%i] : memref<16xi32>
    affine.store %v, %p[%i] : memref<16xi32>
  }
  memref.copy %b, %p : memref<16xi32> to memref<16xi32>
  return
}

// -----

// An op on %a and a tensor may be bufferized elsewhere: here %r is computed in
// %a.
// CHECK-LABEL: func.func @tensors
// CHECK: linalg.fill ins(%{{.*}} : f32) outs(%[[A:.*]] : memref<4xf32>)
// CHECK: bufferization.materialize_in_destination {{.*}} %[[A]]
func.func @tensors(%v: f32, %x: tensor<4xf32>, %m: memref<4xf32>, %o: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
  linalg.exp ins(%m : memref<4xf32>) outs(%m : memref<4xf32>)
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.abs ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  bufferization.materialize_in_destination %r in restrict writable %a
      : (tensor<4xf32>, memref<4xf32>) -> ()
  linalg.abs ins(%a : memref<4xf32>) outs(%o : memref<4xf32>)
  return
}

// -----

// Elements of another type have another value.
// CHECK-LABEL: func.func @other_elements
// CHECK: memref.copy
func.func @other_elements(%v: i8, %o: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16xi8>
  linalg.fill ins(%v : i8) outs(%a : memref<16xi8>)
  %w = memref.view %a[%c0][] : memref<16xi8> to memref<4xi32>
  memref.copy %w, %o : memref<4xi32> to memref<4xi32>
  return
}

// -----

// The threads of a workgroup wait for the value that each of them writes.
// CHECK-LABEL: func.func @workgroup
// CHECK: memref.alloc
// CHECK-NEXT: linalg.fill
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: linalg.exp
func.func @workgroup(%v: f32, %n: index) {
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n)
      threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    %a = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
    linalg.fill ins(%v : f32) outs(%a : memref<64xf32, #gpu.address_space<workgroup>>)
    gpu.barrier
    linalg.exp ins(%a : memref<64xf32, #gpu.address_space<workgroup>>)
        outs(%a : memref<64xf32, #gpu.address_space<workgroup>>)
    gpu.terminator
  }
  return
}

// -----

// Fills by threads are not moved.
// CHECK-LABEL: func.func @threads
// CHECK: scf.forall
// CHECK: linalg.exp
// CHECK: memref.copy %[[A:.*]], %{{.*}}
// CHECK: scf.parallel
// CHECK: memref.copy %[[C:.*]], %{{.*}}
// CHECK: gpu.launch
// CHECK: memref.copy %[[B:.*]], %{{.*}}
func.func @threads(%v: f32, %n: index, %x: memref<16xf32>, %o: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  scf.forall (%i) in (16) {
    memref.store %v, %a[%i] : memref<16xf32>
  } {mapping = [#gpu.thread<x>]}
  linalg.exp ins(%x : memref<16xf32>) outs(%x : memref<16xf32>)
  memref.copy %a, %o : memref<16xf32> to memref<16xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c = memref.alloc() : memref<16xf32>
  scf.parallel (%i) = (%c0) to (%c16) step (%c1) {
    memref.store %v, %c[%i] : memref<16xf32>
    scf.reduce
  } {mapping = [#gpu.loop_dim_map<processor = thread_x, map = (d0) -> (d0), bound = (d0) -> (d0)>]}
  memref.copy %c, %o : memref<16xf32> to memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<16xf32>)
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n)
      threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    memref.copy %b, %o : memref<16xf32> to memref<16xf32>
    gpu.terminator
  }
  return
}

// -----

// The target of the copy may be less aligned than that of the nest.
// CHECK-LABEL: func.func @alignment
// CHECK: memref.store
// CHECK-NOT: alignment
// CHECK: return
func.func @alignment(%v: vector<4xf32>, %o: memref<8xvector<4xf32>>) {
  %a = memref.alloc() {alignment = 64 : i64} : memref<2xvector<4xf32>>
  affine.for %i = 0 to 2 {
    memref.store %v, %a[%i] {alignment = 16 : i64} : memref<2xvector<4xf32>>
  }
  %s = memref.subview %o[1] [2] [1] : memref<8xvector<4xf32>>
      to memref<2xvector<4xf32>, strided<[1], offset: 1>>
  memref.copy %a, %s : memref<2xvector<4xf32>>
      to memref<2xvector<4xf32>, strided<[1], offset: 1>>
  return
}

// -----

// A nest whose indices are not its variables fills a whole allocation, but its
// copy into a slice stays.
// CHECK-LABEL: func.func @shifted(
// CHECK: affine.for
// CHECK: memref.copy
// CHECK: return
func.func @shifted(%v: i64, %w: memref<16xi64>) {
  %a = memref.alloc() : memref<8xi64>
  affine.for %i = 1 to 9 {
    affine.store %v, %a[%i - 1] : memref<8xi64>
  }
  %s = memref.subview %w[8] [8] [1] : memref<16xi64> to memref<8xi64, strided<[1], offset: 8>>
  memref.copy %a, %s : memref<8xi64> to memref<8xi64, strided<[1], offset: 8>>
  return
}

// -----

// If it is freed under a condition, it may be read where the condition is
// false.
// CHECK-LABEL: func.func @freed_in_a_branch(
// CHECK: linalg.fill
// CHECK-NEXT: scf.if
func.func @freed_in_a_branch(%q: i1, %v: f32, %o: memref<8xf32>) {
  %true = arith.constant true
  %n = arith.xori %q, %true : i1
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<8xf32>)
  scf.if %q {
    memref.dealloc %a : memref<8xf32>
  }
  scf.if %n {
    memref.copy %a, %o : memref<8xf32> to memref<8xf32>
    memref.dealloc %a : memref<8xf32>
  }
  return
}

// -----

// The indices are not in order, so the elements that are filled are not
// determined.
// CHECK-LABEL: func.func @transposed(
// CHECK: linalg.fill
// CHECK-NEXT: linalg.exp
func.func @transposed(%v: f32, %i: memref<4x4xf32>, %o: memref<4x4xf32>) {
  %a = memref.alloc() : memref<4x4xf32, affine_map<(i, j) -> (j, i)>>
  linalg.fill ins(%v : f32) outs(%a : memref<4x4xf32, affine_map<(i, j) -> (j, i)>>)
  linalg.exp ins(%i : memref<4x4xf32>) outs(%o : memref<4x4xf32>)
  linalg.add ins(%i, %a : memref<4x4xf32>, memref<4x4xf32, affine_map<(i, j) -> (j, i)>>) outs(%o : memref<4x4xf32>)
  return
}

// -----

// All of a buffer is also a slice of it whose offset is a constant of the program.
// CHECK-LABEL: func.func @whole_slice
// CHECK: %[[A:.*]] = memref.alloc
// CHECK: %[[S:.*]] = memref.subview %[[A]]
// CHECK-NOT: affine.store
// CHECK: linalg.abs
// CHECK-NEXT: affine.for
// CHECK-NEXT: affine.store %{{.*}}, %[[S]]
// CHECK: linalg.add
func.func @whole_slice(%in: memref<64xf32>, %o: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<64xf32>
  %s = memref.subview %a[%c0] [64] [1] : memref<64xf32> to memref<64xf32, strided<[1], offset: ?>>
  affine.for %i = 0 to 64 {
    affine.store %z, %s[%i] : memref<64xf32, strided<[1], offset: ?>>
  }
  %b = memref.alloc() : memref<64xf32>
  linalg.exp ins(%in : memref<64xf32>) outs(%b : memref<64xf32>)
  linalg.abs ins(%b : memref<64xf32>) outs(%o : memref<64xf32>)
  linalg.add ins(%a, %o : memref<64xf32>, memref<64xf32>) outs(%o : memref<64xf32>)
  return
}

// -----

// A loop repeats the copy, so that it becomes a nest that fills more than once.
// CHECK-LABEL: func.func @repeated
// CHECK-NOT: memref.copy
// CHECK: scf.for
// CHECK-NEXT: scf.for
// CHECK-NEXT: memref.store {{.*}} : memref<16xi64>
// CHECK: scf.for
// CHECK-NEXT: linalg.fill {{.*}} : memref<8xi64>
// CHECK-NOT: memref.copy
// CHECK: return
func.func private @use(memref<16xi64>, memref<8xi64>)
func.func @repeated(%v: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %a = memref.alloc() : memref<16xi64>
  %b = memref.alloc() : memref<16xi64>
  %c = memref.alloc() : memref<8xi64>
  %d = memref.alloc() : memref<8xi64>
  scf.for %i = %c0 to %c16 step %c1 {
    memref.store %v, %a[%i] : memref<16xi64>
  }
  linalg.fill ins(%v : i64) outs(%c : memref<8xi64>)
  scf.for %k = %c0 to %c2 step %c1 {
    memref.copy %a, %b : memref<16xi64> to memref<16xi64>
  }
  scf.for %k = %c0 to %c2 step %c1 {
    memref.copy %c, %d : memref<8xi64> to memref<8xi64>
  }
  call @use(%b, %d) : (memref<16xi64>, memref<8xi64>) -> ()
  return
}
