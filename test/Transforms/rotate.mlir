// RUN: memplan-opt %s --plan-memory=lower=false | FileCheck %s
// RUN: memplan-opt %s --plan-memory | memplan-opt --memplan-verify -o /dev/null

// %x is read while %b is written: two slots, which alternate. The slot that the
// loop stops carrying is free in the next iteration.
// CHECK-LABEL: func.func @double_buffer
// CHECK: memplan.arena align(64) : memref<128xi8>
// CHECK: %[[X:.*]] = memplan.view %{{.*}}[0]
// CHECK: %[[FREE:.*]] = memplan.view %{{.*}}[64]
// CHECK: %[[I:.*]] = memplan.renew %[[X]]
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %[[I]], %[[B:.*]] = %[[FREE]])
// CHECK: %[[NEW:.*]] = memplan.renew %[[B]]
// CHECK: linalg.abs ins(%[[A]] : memref<16xf32>) outs(%[[NEW]] : memref<16xf32>)
// CHECK: scf.yield %[[NEW]], %[[A]]
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

// The initial value of the loop is memory of the caller, which must not become
// free: %x has a separate slot, which is carried as a free slot first.
// CHECK-LABEL: func.func @starts_with_an_argument
// CHECK: memplan.arena align(64) : memref<128xi8>
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %arg1, %[[OWN:.*]] = %{{.*}}, %[[FREE:.*]] = %{{.*}})
// CHECK: %[[NEW:.*]] = memplan.renew %[[FREE]]
// CHECK: scf.yield %[[NEW]], %[[FREE]], %[[OWN]]
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

// Two carried buffers, one new: the older one of the carried buffers becomes
// free.
// CHECK-LABEL: func.func @permuted
// CHECK: memplan.arena align(64) : memref<192xi8>
// CHECK: scf.for {{.*}} iter_args(%[[X:.*]] = %{{.*}}, %[[Y:.*]] = %{{.*}}, %[[F:.*]] = %{{.*}})
// CHECK: %[[NEW:.*]] = memplan.renew %[[F]]
// CHECK: scf.yield %[[NEW]], %[[X]], %[[Y]]
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

// One buffer yielded for both arguments would have two names, so it is not
// planned; the two initial buffers are.
// CHECK-LABEL: func.func @yielded_twice
// CHECK: memplan.arena align(64) : memref<128xi8>
// CHECK: scf.for
// CHECK: %[[B:.*]] = memref.alloc() : memref<16xf32>
// CHECK: scf.yield %[[B]], %[[B]]
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

// The latest buffer and the best one, which may be the same: not planned.
// CHECK-LABEL: func.func @best_so_far
// CHECK: memplan.arena align(64) : memref<64xi8>
// CHECK: scf.for
// CHECK: %[[B:.*]] = memref.alloc() : memref<16xf32>
// CHECK: scf.yield %[[B]], %{{.*}} :
func.func @best_so_far(%n: index, %in: memref<16xf32>, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = memref.alloc() : memref<16xf32>
  memref.copy %in, %i : memref<16xf32> to memref<16xf32>
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%cur = %i, %best = %i)
      -> (memref<16xf32>, memref<16xf32>) {
    %b = memref.alloc() : memref<16xf32>
    linalg.add ins(%cur, %cur : memref<16xf32>, memref<16xf32>) outs(%b : memref<16xf32>)
    %p = memref.load %best[%k] : memref<16xf32>
    %q = memref.load %b[%k] : memref<16xf32>
    %c = arith.cmpf ogt, %q, %p : f32
    %better = arith.select %c, %b, %best : memref<16xf32>
    scf.yield %b, %better : memref<16xf32>, memref<16xf32>
  }
  linalg.add ins(%r#0, %r#1 : memref<16xf32>, memref<16xf32>) outs(%out : memref<16xf32>)
  return
}

// After the deallocation is removed, the loop is unused, but its allocations
// must still be rewritten.
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

// A while loop forwards slots between its regions. The condition reads the new
// buffer while the old one is still carried.
// CHECK-LABEL: func.func @while_loop
// CHECK: memplan.arena align(64) : memref<128xi8>
// CHECK: scf.while (%[[X:.*]] = %{{.*}}, %[[F:.*]] = %{{.*}})
// CHECK:   scf.condition(%{{.*}}) %[[X]], %[[F]]
// CHECK: ^bb0(%[[Y:.*]]: memref<16xf32>, %[[G:.*]]: memref<16xf32>):
// CHECK:   %[[NEW:.*]] = memplan.renew %[[G]]
// CHECK:   linalg.abs ins(%[[Y]] : memref<16xf32>) outs(%[[NEW]] : memref<16xf32>)
// CHECK:   scf.yield %[[NEW]], %[[Y]]
func.func @while_loop(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
  %i = memref.alloc() : memref<16xf32>
  memref.copy %in, %i : memref<16xf32> to memref<16xf32>
  %r = scf.while (%x = %i) : (memref<16xf32>) -> memref<16xf32> {
    scf.condition(%c) %x : memref<16xf32>
  } do {
  ^bb0(%y: memref<16xf32>):
    %b = memref.alloc() : memref<16xf32>
    linalg.abs ins(%y : memref<16xf32>) outs(%b : memref<16xf32>)
    memref.dealloc %y : memref<16xf32>
    scf.yield %b : memref<16xf32>
  }
  memref.copy %r, %out : memref<16xf32> to memref<16xf32>
  return
}

// Some iterations replace the buffer, others keep it. The free slot depends on
// the branch; an else branch is created to yield it.
// CHECK-LABEL: func.func @sometimes_replaced
// CHECK: memplan.arena align(64) : memref<128xi8>
// CHECK: scf.for {{.*}} iter_args(%[[X:.*]] = %{{.*}}, %[[F:.*]] = %{{.*}})
// CHECK:   %[[R:.*]]:2 = scf.if
// CHECK:     %[[NEW:.*]] = memplan.renew %[[F]]
// CHECK:     linalg.abs ins(%[[X]] : memref<16xf32>) outs(%[[NEW]] : memref<16xf32>)
// CHECK:     scf.yield %[[NEW]], %[[X]]
// CHECK:   } else {
// CHECK:     scf.yield %[[X]], %[[F]]
// CHECK:   scf.yield %[[R]]#0, %[[R]]#1
// CHECK-NOT: memref.dealloc
func.func @sometimes_replaced(%n: index, %c: i1, %in: memref<16xf32>,
                              %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = memref.alloc() : memref<16xf32>
  memref.copy %in, %i : memref<16xf32> to memref<16xf32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%x = %i) -> memref<16xf32> {
    %y = scf.if %c -> memref<16xf32> {
      %b = memref.alloc() : memref<16xf32>
      linalg.abs ins(%x : memref<16xf32>) outs(%b : memref<16xf32>)
      memref.dealloc %x : memref<16xf32>
      scf.yield %b : memref<16xf32>
    } else {
      scf.yield %x : memref<16xf32>
    }
    scf.yield %y : memref<16xf32>
  }
  memref.copy %r, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %r : memref<16xf32>
  return
}

// The inner loop starts with the buffer that the outer one carries. Two slots
// suffice for both loops.
// CHECK-LABEL: func.func @nested
// CHECK: memplan.arena align(64) : memref<128xi8>
// CHECK: scf.for {{.*}} iter_args(%[[X:.*]] = %{{.*}}, %[[F:.*]] = %{{.*}})
// CHECK:   %[[R:.*]]:2 = scf.for {{.*}} iter_args(%[[Y:.*]] = %[[X]], %[[G:.*]] = %[[F]])
// CHECK:     %[[NEW:.*]] = memplan.renew %[[G]]
// CHECK:     scf.yield %[[NEW]], %[[Y]]
// CHECK:   scf.yield %[[R]]#0, %[[R]]#1
func.func @nested(%n: index, %in: memref<16xf32>, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = memref.alloc() : memref<16xf32>
  memref.copy %in, %i : memref<16xf32> to memref<16xf32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%x = %i) -> memref<16xf32> {
    %s = scf.for %l = %c0 to %n step %c1 iter_args(%y = %x) -> memref<16xf32> {
      %b = memref.alloc() : memref<16xf32>
      linalg.abs ins(%y : memref<16xf32>) outs(%b : memref<16xf32>)
      scf.yield %b : memref<16xf32>
    }
    scf.yield %s : memref<16xf32>
  }
  memref.copy %r, %out : memref<16xf32> to memref<16xf32>
  return
}

// The carried value is a part of the buffer. A view of the whole buffer is
// carried as well.
// CHECK-LABEL: func.func @carried_view
// CHECK: memplan.arena align(64) : memref<128xi8>
// CHECK: scf.for {{.*}} iter_args(%[[X:.*]] = %{{.*}}, %[[OWN:.*]] = %{{.*}}, %[[FREE:.*]] = %{{.*}}) ->
// CHECK:   %[[NEW:.*]] = memplan.renew %[[FREE]]
// CHECK:   %[[PART:.*]] = memref.subview %[[NEW]][0] [8] [1]
// CHECK:   scf.yield %[[PART]], %[[FREE]], %[[OWN]]
func.func @carried_view(%n: index, %in: memref<8xf32>, %out: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%x = %in) -> memref<8xf32> {
    %b = memref.alloc() : memref<16xf32>
    %v = memref.subview %b[0] [8] [1] : memref<16xf32> to memref<8xf32>
    linalg.abs ins(%x : memref<8xf32>) outs(%v : memref<8xf32>)
    scf.yield %v : memref<8xf32>
  }
  memref.copy %r, %out : memref<8xf32> to memref<8xf32>
  return
}

// A loop of blocks.
// CHECK-LABEL: func.func @blocks
// CHECK: memplan.arena align(64) : memref<128xi8>
// CHECK: cf.br ^[[HEAD:.*]](%{{.*}}, %{{.*}} : memref<16xf32>, memref<16xf32>)
// CHECK: ^[[HEAD]](%[[X:.*]]: memref<16xf32>, %[[F:.*]]: memref<16xf32>):
// CHECK: %[[NEW:.*]] = memplan.renew %[[F]]
// CHECK: linalg.abs ins(%[[X]] : memref<16xf32>) outs(%[[NEW]] : memref<16xf32>)
// CHECK: cf.cond_br %{{.*}}, ^[[HEAD]](%[[NEW]], %[[X]] : {{.*}}), ^
func.func @blocks(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
  %i = memref.alloc() : memref<16xf32>
  memref.copy %in, %i : memref<16xf32> to memref<16xf32>
  cf.br ^head(%i : memref<16xf32>)
^head(%x: memref<16xf32>):
  %b = memref.alloc() : memref<16xf32>
  linalg.abs ins(%x : memref<16xf32>) outs(%b : memref<16xf32>)
  cf.cond_br %c, ^head(%b : memref<16xf32>), ^exit
^exit:
  memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  return
}

// A select takes one of two buffers; the slot of the other one is free then.
// CHECK-LABEL: func.func @selected
// CHECK: memplan.arena align(64) : memref<128xi8>
// CHECK: scf.for {{.*}} iter_args(%[[X:.*]] = %{{.*}}, %[[F:.*]] = %{{.*}})
// CHECK:   %[[NEW:.*]] = memplan.renew %[[F]]
// CHECK:   linalg.abs ins(%[[X]] : memref<16xf32>) outs(%[[NEW]] : memref<16xf32>)
// CHECK:   %[[TAKEN:.*]] = arith.select %{{.*}}, %[[NEW]], %[[X]]
// CHECK:   %[[LEFT:.*]] = arith.select %{{.*}}, %[[X]], %[[F]]
// CHECK:   scf.yield %[[TAKEN]], %[[LEFT]]
func.func @selected(%n: index, %c: i1, %in: memref<16xf32>,
                    %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = memref.alloc() : memref<16xf32>
  memref.copy %in, %i : memref<16xf32> to memref<16xf32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%x = %i) -> memref<16xf32> {
    %b = memref.alloc() : memref<16xf32>
    linalg.abs ins(%x : memref<16xf32>) outs(%b : memref<16xf32>)
    %y = arith.select %c, %b, %x : memref<16xf32>
    scf.yield %y : memref<16xf32>
  }
  memref.copy %r, %out : memref<16xf32> to memref<16xf32>
  return
}

// The initial buffer is read further beside the carried ones, so it has a
// separate slot; the others have two.
// CHECK-LABEL: func.func @start_is_read_on
// CHECK: memplan.arena align(64) : memref<192xi8>
// CHECK: %[[I:.*]] = memplan.view %{{.*}}[0]
// CHECK: scf.for {{.*}} iter_args(%[[X:.*]] = %[[I]], %[[OWN:.*]] = %{{.*}}, %[[FREE:.*]] = %{{.*}})
// CHECK: %[[NEW:.*]] = memplan.renew %[[FREE]]
// CHECK: linalg.add ins(%[[X]], %[[I]] : {{.*}}) outs(%[[NEW]] :
// CHECK: scf.yield %[[NEW]], %[[FREE]], %[[OWN]]
func.func @start_is_read_on(%n: index, %in: memref<16xf32>, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = memref.alloc() : memref<16xf32>
  memref.copy %in, %i : memref<16xf32> to memref<16xf32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%x = %i) -> memref<16xf32> {
    %b = memref.alloc() : memref<16xf32>
    linalg.add ins(%x, %i : memref<16xf32>, memref<16xf32>) outs(%b : memref<16xf32>)
    scf.yield %b : memref<16xf32>
  }
  memref.copy %r, %out : memref<16xf32> to memref<16xf32>
  return
}
