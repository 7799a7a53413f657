// RUN: memplan-opt %s --plan-memory=lower=false | FileCheck %s
// RUN: memplan-opt %s --plan-memory | memplan-opt --memplan-verify -o /dev/null

// %x is read while %b is written: two slots, which take turns. What the loop
// stops carrying is free in the next iteration.
// CHECK-LABEL: func.func @double_buffer
// CHECK: memplan.arena align(64) : memref<128xi8>
// CHECK: %[[X:.*]] = memplan.view %{{.*}}[0]
// CHECK: %[[FREE:.*]] = memplan.view %{{.*}}[64]
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %[[X]], %[[B:.*]] = %[[FREE]])
// CHECK: linalg.abs ins(%[[A]] : memref<16xf32>) outs(%[[B]] : memref<16xf32>)
// CHECK: scf.yield %[[B]], %[[A]]
func.func @double_buffer(%n: index, %in: memref<16xf32>, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = memref.alloc() : memref<16xf32>
  memref.copy %in, %i : memref<16xf32> to memref<16xf32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%x = %i) -> memref<16xf32> {
    %b = memref.alloc() : memref<16xf32>
    linalg.abs ins(%x : memref<16xf32>) outs(%b : memref<16xf32>)
    scf.yield %b : memref<16xf32>
  }
  memref.copy %r, %out : memref<16xf32> to memref<16xf32>
  return
}

// The loop starts with memory that is not ours and must not become free: the
// fresh buffer alternates between two slots of its own.
// CHECK-LABEL: func.func @starts_with_an_argument
// CHECK: memplan.arena align(64) : memref<128xi8>
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %arg1, %[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}})
// CHECK: scf.yield %[[A]], %[[B]], %[[A]]
func.func @starts_with_an_argument(%n: index, %in: memref<16xf32>, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%x = %in) -> memref<16xf32> {
    %b = memref.alloc() : memref<16xf32>
    linalg.abs ins(%x : memref<16xf32>) outs(%b : memref<16xf32>)
    scf.yield %b : memref<16xf32>
  }
  memref.copy %r, %out : memref<16xf32> to memref<16xf32>
  return
}

// Two carried, one fresh: the older of the carried ones becomes free.
// CHECK-LABEL: func.func @permuted
// CHECK: memplan.arena align(64) : memref<192xi8>
// CHECK: scf.for {{.*}} iter_args(%[[X:.*]] = %{{.*}}, %[[Y:.*]] = %{{.*}}, %[[F:.*]] = %{{.*}})
// CHECK: scf.yield %[[F]], %[[X]], %[[Y]]
func.func @permuted(%n: index, %in: memref<16xf32>, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = memref.alloc() : memref<16xf32>
  memref.copy %in, %i : memref<16xf32> to memref<16xf32>
  %j = memref.alloc() : memref<16xf32>
  memref.copy %in, %j : memref<16xf32> to memref<16xf32>
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%x = %i, %y = %j)
      -> (memref<16xf32>, memref<16xf32>) {
    %b = memref.alloc() : memref<16xf32>
    linalg.add ins(%x, %y : memref<16xf32>, memref<16xf32>) outs(%b : memref<16xf32>)
    scf.yield %b, %x : memref<16xf32>, memref<16xf32>
  }
  memref.copy %r#0, %out : memref<16xf32> to memref<16xf32>
  return
}

// One buffer handed to both arguments: they are the same memory, and no slot
// becomes free. Left alone.
// CHECK-LABEL: func.func @yielded_twice
// CHECK: scf.for
// CHECK: memref.alloc() : memref<16xf32>
func.func @yielded_twice(%n: index, %in: memref<16xf32>, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = memref.alloc() : memref<16xf32>
  memref.copy %in, %i : memref<16xf32> to memref<16xf32>
  %j = memref.alloc() : memref<16xf32>
  memref.copy %in, %j : memref<16xf32> to memref<16xf32>
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%x = %i, %y = %j)
      -> (memref<16xf32>, memref<16xf32>) {
    %b = memref.alloc() : memref<16xf32>
    linalg.add ins(%x, %y : memref<16xf32>, memref<16xf32>) outs(%b : memref<16xf32>)
    scf.yield %b, %b : memref<16xf32>, memref<16xf32>
  }
  memref.copy %r#0, %out : memref<16xf32> to memref<16xf32>
  return
}

// Once the free is gone nothing needs the loop, but what it allocates is still
// to be rewritten.
// CHECK-LABEL: func.func @dead_loop_whose_result_is_freed
// CHECK-NOT: dealloc
func.func @dead_loop_whose_result_is_freed(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = memref.alloc() : memref<16xf32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%x = %i) -> memref<16xf32> {
    %b = memref.alloc() : memref<16xf32>
    scf.yield %b : memref<16xf32>
  }
  memref.dealloc %r : memref<16xf32>
  return
}
