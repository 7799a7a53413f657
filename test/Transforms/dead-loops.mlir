// A loop whose results fed only deallocations: planning may remove the loop or
// leave it, and accepts its own plan either way. The deallocations are as
// upstream's ownership-based deallocation makes them.
// RUN: memplan-opt %s --pass-pipeline="builtin.module(ownership-based-buffer-deallocation,canonicalize,buffer-deallocation-simplification,plan-memory{require=verified lower=false})" | FileCheck %s
// RUN: memplan-opt %s --pass-pipeline="builtin.module(ownership-based-buffer-deallocation,buffer-deallocation-simplification,plan-memory{require=verified},memplan-verify{quiet})" -o /dev/null
// RUN: memplan-opt %s --pass-pipeline="builtin.module(ownership-based-buffer-deallocation,canonicalize,buffer-deallocation-simplification,bufferization-lower-deallocations,cse,canonicalize,memplan-raise-deallocations,plan-memory{require=verified},memplan-verify{quiet})" -o /dev/null

func.func private @cond() -> i1

// CHECK-LABEL: func.func @branches(
// CHECK: memplan.view
// CHECK: scf.while
// CHECK: return
func.func @branches(%n: index, %p: i1, %x: memref<16xf32>, %y: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.if %p -> (memref<16xf32>) {
    scf.yield %x : memref<16xf32>
  } else {
    %a = memref.alloc() : memref<16xf32>
    %b = memref.alloc() : memref<16xf32>
    %1 = scf.for %i = %c0 to %n step %c1 iter_args(%q = %a) -> (memref<16xf32>) {
      %2 = scf.for %j = %c0 to %n step %c1 iter_args(%r = %b) -> (memref<16xf32>) {
        scf.yield %x : memref<16xf32>
      }
      %3 = scf.while (%r = %q) : (memref<16xf32>) -> (memref<16xf32>) {
        %more = func.call @cond() : () -> i1
        scf.condition(%more) %r : memref<16xf32>
      } do {
      ^bb0(%r: memref<16xf32>):
        scf.yield %x : memref<16xf32>
      }
      scf.yield %a : memref<16xf32>
    }
    scf.yield %x : memref<16xf32>
  }
  linalg.exp ins(%x : memref<16xf32>) outs(%y : memref<16xf32>)
  return
}

// Two such loops behind one another: the first is gone, the second stays.
// CHECK-LABEL: func.func @two_loops(
// CHECK: return
func.func @two_loops(%n: index, %c: i1, %x: memref<16xf32>, %y: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.if %c {
    scf.for %i = %c0 to %n step %c1 {
      %a = memref.alloc() : memref<16xf32>
      %0 = scf.for %j = %c0 to %n step %c1 iter_args(%p = %y) -> (memref<16xf32>) {
        scf.yield %a : memref<16xf32>
      }
      %1 = scf.for %j = %c0 to %n step %c1 iter_args(%p = %x) -> (memref<16xf32>) {
        scf.yield %y : memref<16xf32>
      }
    }
  }
  linalg.exp ins(%x : memref<16xf32>) outs(%y : memref<16xf32>)
  return
}

// The loop passes on the buffer of an earlier loop, which nothing reads.
// CHECK-LABEL: func.func @chained(
// CHECK: return
func.func @chained(%n: index, %c: i1, %x: memref<16xf32>, %y: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x) -> (memref<16xf32>) {
    %b = memref.alloc() : memref<16xf32>
    linalg.copy ins(%p : memref<16xf32>) outs(%b : memref<16xf32>)
    scf.yield %b : memref<16xf32>
  }
  scf.if %c {
    %s = scf.for %i = %c0 to %n step %c1 iter_args(%p = %r) -> (memref<16xf32>) {
      %b = memref.alloc() : memref<16xf32>
      scf.yield %b : memref<16xf32>
    }
  }
  linalg.exp ins(%x : memref<16xf32>) outs(%y : memref<16xf32>)
  return
}
