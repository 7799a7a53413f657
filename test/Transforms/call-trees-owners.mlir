// RUN: memplan-opt %s --plan-memory="scope=module lower=false" --split-input-file | FileCheck %s

// A result has an owner. When the result of @fresh is left to callers, %b and
// %c are two allocations. %c is not freed, so its ownership is not used, and it
// is left to its callers in turn.
// CHECK-LABEL: func.func private @fresh
// CHECK-SAME: -> i1
func.func private @fresh(%in: memref<16xf32>) -> (memref<16xf32>, i1) {
  %true = arith.constant true
  %r = memref.alloc() : memref<16xf32>
  linalg.abs ins(%in : memref<16xf32>) outs(%r : memref<16xf32>)
  return %r, %true : memref<16xf32>, i1
}
// CHECK-LABEL: func.func private @twice
// CHECK-SAME: -> i1
// CHECK-NOT: memref.alloc
// CHECK-NOT: dealloc
func.func private @twice(%in: memref<16xf32>) -> (memref<16xf32>, i1) {
  %b:2 = call @fresh(%in) : (memref<16xf32>) -> (memref<16xf32>, i1)
  %c:2 = call @fresh(%b#0) : (memref<16xf32>) -> (memref<16xf32>, i1)
  %o = bufferization.dealloc (%b#0 : memref<16xf32>) if (%b#1) retain (%c#0 : memref<16xf32>)
  %own = arith.ori %o, %c#1 : i1
  return %c#0, %own : memref<16xf32>, i1
}
// %r, and the 64 bytes of @twice.
// CHECK-LABEL: func.func @main
// CHECK: memplan.arena align(64) : memref<128xi8>
// CHECK-NOT: memref.alloc
// CHECK-NOT: dealloc
func.func @main(%in: memref<16xf32>, %out: memref<16xf32>) {
  %r:2 = call @twice(%in) : (memref<16xf32>) -> (memref<16xf32>, i1)
  memref.copy %r#0, %out : memref<16xf32> to memref<16xf32>
  bufferization.dealloc (%r#0 : memref<16xf32>) if (%r#1)
  return
}

// -----

// The retained memref may be the freed one, so its ownership is used, and the
// result stays an allocation of the callee.
// CHECK-LABEL: func.func private @fresh
// CHECK-SAME: -> i1
func.func private @fresh(%in: memref<16xf32>) -> (memref<16xf32>, i1) {
  %true = arith.constant true
  %r = memref.alloc() : memref<16xf32>
  linalg.abs ins(%in : memref<16xf32>) outs(%r : memref<16xf32>)
  return %r, %true : memref<16xf32>, i1
}
// CHECK-LABEL: func.func private @either
// CHECK-SAME: -> (memref<16xf32>, i1)
// CHECK: memref.alloc
// CHECK: bufferization.dealloc ({{.*}}) if ({{.*}}) retain
func.func private @either(%in: memref<16xf32>, %c: i1) -> (memref<16xf32>, i1) {
  %b:2 = call @fresh(%in) : (memref<16xf32>) -> (memref<16xf32>, i1)
  %d:2 = call @fresh(%b#0) : (memref<16xf32>) -> (memref<16xf32>, i1)
  %r = arith.select %c, %b#0, %d#0 : memref<16xf32>
  linalg.abs ins(%d#0 : memref<16xf32>) outs(%b#0 : memref<16xf32>)
  %own = bufferization.dealloc (%b#0, %d#0 : memref<16xf32>, memref<16xf32>) if (%b#1, %d#1) retain (%r : memref<16xf32>)
  return %r, %own : memref<16xf32>, i1
}
func.func @main(%in: memref<16xf32>, %out: memref<16xf32>, %c: i1) {
  %r:2 = call @either(%in, %c) : (memref<16xf32>, i1) -> (memref<16xf32>, i1)
  memref.copy %r#0, %out : memref<16xf32> to memref<16xf32>
  bufferization.dealloc (%r#0 : memref<16xf32>) if (%r#1)
  return
}
