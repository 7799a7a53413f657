// RUN: memplan-opt %s --plan-memory=lower=false | FileCheck %s
// RUN: memplan-opt %s --plan-memory=lower=false --bufferization-lower-deallocations --memplan-lower --memplan-verify -o %t
// RUN: memplan-opt %s --plan-memory --remarks-filter=plan.* 2>&1 >%t | FileCheck %s --check-prefix=REMARK

// A deallocation that stays compares the address of its buffers with those of
// its retained memrefs. For this comparison, no address of planned memory is
// used.

// CHECK: func.func private @owned
func.func private @owned(i1)

// The freed buffer has an unknown size, so it is not planned. Planned buffers
// have no owner.
// CHECK-LABEL: func.func @planned
// CHECK: %[[D:.*]] = memref.alloc(%{{.*}}) : memref<?xf32>
// CHECK: %[[OWNED:.*]] = bufferization.dealloc (%[[D]] : memref<?xf32>) if (%{{.*}}) retain (%[[D]] : memref<?xf32>)
// CHECK: %[[NO:.*]] = arith.constant false
// CHECK: call @owned(%[[NO]])
// CHECK: call @owned(%[[OWNED]])
func.func @planned(%n: index, %c: i1) {
  %k = arith.constant 1.0 : f32
  // The division may be by zero, so it stays where it is.
  %unknown = arith.divsi %n, %n : index
  %d = memref.alloc(%unknown) : memref<?xf32>
  linalg.fill ins(%k : f32) outs(%d : memref<?xf32>)
  %p = memref.alloc() : memref<16xf32>
  linalg.fill ins(%k : f32) outs(%p : memref<16xf32>)
  %0:2 = bufferization.dealloc (%d : memref<?xf32>) if (%c)
    retain (%p, %d : memref<16xf32>, memref<?xf32>)
  call @owned(%0#0) : (i1) -> ()
  call @owned(%0#1) : (i1) -> ()
  linalg.exp ins(%p : memref<16xf32>) outs(%p : memref<16xf32>)
  return
}

// A buffer that is planned on only one path is not planned.
// CHECK-LABEL: func.func @planned_sometimes
// CHECK: memref.alloc() : memref<16xf32>
// CHECK: bufferization.dealloc {{.*}} retain
// REMARK: is compared with memory that is not planned
func.func @planned_sometimes(%n: index, %c: i1, %m: memref<16xf32>) {
  %k = arith.constant 1.0 : f32
  // The division may be by zero, so it stays where it is.
  %unknown1 = arith.divsi %n, %n : index
  %d = memref.alloc(%unknown1) : memref<?xf32>
  linalg.fill ins(%k : f32) outs(%d : memref<?xf32>)
  %p = memref.alloc() : memref<16xf32>
  linalg.fill ins(%k : f32) outs(%p : memref<16xf32>)
  %s = arith.select %c, %p, %m : memref<16xf32>
  %0 = bufferization.dealloc (%d : memref<?xf32>) if (%c)
    retain (%s : memref<16xf32>)
  call @owned(%0) : (i1) -> ()
  linalg.exp ins(%s : memref<16xf32>) outs(%s : memref<16xf32>)
  return
}

// A deallocation of buffers that are never owned frees nothing, and is removed
// with the planned ones.
// CHECK-LABEL: func.func @never_owned
// CHECK-NOT: bufferization.dealloc
// CHECK: return
func.func @never_owned(%m: memref<16xf32>) {
  %k = arith.constant 1.0 : f32
  %no = arith.constant false
  %p = memref.alloc() : memref<16xf32>
  linalg.fill ins(%k : f32) outs(%p : memref<16xf32>)
  %0 = bufferization.dealloc (%p, %m : memref<16xf32>, memref<16xf32>)
    if (%no, %no) retain (%p : memref<16xf32>)
  call @owned(%0) : (i1) -> ()
  linalg.exp ins(%p : memref<16xf32>) outs(%p : memref<16xf32>)
  return
}

// The body of a parallel loop is planned separately; the deallocation after it
// does not belong to it.
// CHECK-LABEL: func.func @behind_a_parallel_loop
// CHECK-NOT: bufferization.dealloc
// CHECK: return
func.func @behind_a_parallel_loop(%c: i1, %m: memref<8xf32>) {
  %k = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %p = memref.alloc() : memref<16xf32>
  linalg.fill ins(%k : f32) outs(%p : memref<16xf32>)
  scf.forall (%i) in (8) {
    %s = memref.alloc() : memref<4xf32>
    linalg.fill ins(%k : f32) outs(%s : memref<4xf32>)
    %x = memref.load %s[%c0] : memref<4xf32>
    memref.store %x, %m[%i] : memref<8xf32>
  }
  %q = memref.alloc() : memref<16xf32>
  %0 = bufferization.dealloc (%p : memref<16xf32>) if (%c) retain (%q : memref<16xf32>)
  call @owned(%0) : (i1) -> ()
  return
}
