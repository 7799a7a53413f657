// RUN: mlir-opt %s --buffer-deallocation-pipeline | memplan-opt --memplan-raise-deallocations --plan-memory --canonicalize | FileCheck %s
// RUN: mlir-opt %s --buffer-deallocation-pipeline | memplan-opt --memplan-raise-deallocations --plan-memory=scope=module --canonicalize | FileCheck %s
// RUN: mlir-opt %s --buffer-deallocation-pipeline | memplan-opt --memplan-raise-deallocations \
// RUN:   --memplan-extract --memplan-solve --memplan-materialize --memplan-lower --canonicalize | FileCheck %s
// RUN: mlir-opt %s --buffer-deallocation-pipeline | sed 's/arith.cmpi eq/arith.cmpi ule/' \
// RUN:   | memplan-opt --memplan-raise-deallocations --plan-memory --canonicalize | FileCheck %s --check-prefix=OTHER

// Upstream's lowering of deallocations of several memrefs writes their pointers
// to tables and calls a helper that compares them. If the helper is changed (it
// compares with another predicate), its effects are unknown.

// All buffers are planned: there is no table, no call, and no deallocation
// except that of the arena.
// CHECK-LABEL: func.func @carried
// CHECK: memref.alloc() {{.*}}memplan.arena} : memref<128xi8>
// CHECK-NOT: memref.alloc
// CHECK-NOT: call
// CHECK: memref.dealloc {{.*}} : memref<128xi8>
// CHECK-NOT: memref.dealloc
// OTHER-LABEL: func.func @carried
// OTHER: memref.alloc() : memref<16xf32>
// OTHER: call @dealloc_helper
func.func @carried(%n: index, %in: memref<16xf32>, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> memref<16xf32> {
    %b = memref.alloc() : memref<16xf32>
    linalg.abs ins(%x : memref<16xf32>) outs(%b : memref<16xf32>)
    scf.yield %b : memref<16xf32>
  }
  memref.copy %r, %out : memref<16xf32> to memref<16xf32>
  return
}

// One memref that is freed unless it is yielded: compared directly.
// CHECK-LABEL: func.func @compared_in_place
// CHECK: memref.alloc() {{.*}}memplan.arena} : memref<128xi8>
// CHECK-NOT: extract_aligned_pointer
// CHECK: return
func.func @compared_in_place(%n: index, %c: i1, %in: memref<16xf32>,
                             %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  memref.copy %in, %b : memref<16xf32> to memref<16xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> memref<16xf32> {
    linalg.abs ins(%b : memref<16xf32>) outs(%x : memref<16xf32>)
    %s = arith.select %c, %x, %b : memref<16xf32>
    scf.yield %s : memref<16xf32>
  }
  memref.copy %r, %out : memref<16xf32> to memref<16xf32>
  return
}

// Buffers that are not planned are freed as before. The returned buffer is
// compared with those that the function owns.
// CHECK-LABEL: func.func @some_returned
// CHECK: memref.alloc() : memref<16xf32>
// CHECK: memref.alloc() : memref<16xf32>
// CHECK: bufferization.dealloc
func.func @some_returned(%c: i1, %in: memref<16xf32>) -> memref<16xf32> {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.abs ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  linalg.exp ins(%in : memref<16xf32>) outs(%b : memref<16xf32>)
  %s = arith.select %c, %a, %b : memref<16xf32>
  return %s : memref<16xf32>
}
