// RUN: memplan-opt %s --memplan-verify=quiet -split-input-file -verify-diagnostics -o /dev/null

// The latest buffer and the best one may be the same. When the latest is used
// for the last time, its slot becomes free unless the best one is in it.
func.func @keeps_its_slot(%n: index, %in: memref<16xf32>, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memplan.arena align(64) : memref<192xi8>
  %s0 = memplan.view %arena[0] align(64) : memref<192xi8> to memref<16xf32>
  %s1 = memplan.view %arena[64] align(64) : memref<192xi8> to memref<16xf32>
  %s2 = memplan.view %arena[128] align(64) : memref<192xi8> to memref<16xf32>
  %s0_new = memplan.renew %s0 : memref<16xf32>
  memref.copy %in, %s0_new : memref<16xf32> to memref<16xf32>
  %r:4 = scf.for %k = %c0 to %n step %c1
      iter_args(%cur = %s0_new, %best = %s0_new, %idle = %s1, %fresh = %s2)
      -> (memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>) {
    %fresh_new = memplan.renew %fresh : memref<16xf32>
    linalg.abs ins(%cur : memref<16xf32>) outs(%fresh_new : memref<16xf32>)
    %p = memref.extract_aligned_pointer_as_index %best : memref<16xf32> -> index
    %q = memref.extract_aligned_pointer_as_index %cur : memref<16xf32> -> index
    %same = arith.cmpi eq, %p, %q : index
    %free = arith.select %same, %idle, %cur : memref<16xf32>
    %own = arith.select %same, %cur, %idle : memref<16xf32>
    %x = memref.load %best[%k] : memref<16xf32>
    %y = memref.load %fresh_new[%k] : memref<16xf32>
    %c = arith.cmpf ogt, %y, %x : f32
    %better = arith.select %c, %fresh_new, %best : memref<16xf32>
    scf.yield %fresh_new, %better, %own, %free
        : memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>
  }
  memref.copy %r#1, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<192xi8>
  return
}

// -----

// The same question the other way round.
func.func @keeps_its_slot_unless_unequal(%n: index, %in: memref<16xf32>, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memplan.arena align(64) : memref<192xi8>
  %s0 = memplan.view %arena[0] align(64) : memref<192xi8> to memref<16xf32>
  %s1 = memplan.view %arena[64] align(64) : memref<192xi8> to memref<16xf32>
  %s2 = memplan.view %arena[128] align(64) : memref<192xi8> to memref<16xf32>
  %s0_new = memplan.renew %s0 : memref<16xf32>
  memref.copy %in, %s0_new : memref<16xf32> to memref<16xf32>
  %r:4 = scf.for %k = %c0 to %n step %c1
      iter_args(%cur = %s0_new, %best = %s0_new, %idle = %s1, %fresh = %s2)
      -> (memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>) {
    %fresh_new = memplan.renew %fresh : memref<16xf32>
    linalg.abs ins(%cur : memref<16xf32>) outs(%fresh_new : memref<16xf32>)
    %p = memref.extract_aligned_pointer_as_index %best : memref<16xf32> -> index
    %q = memref.extract_aligned_pointer_as_index %cur : memref<16xf32> -> index
    %same = arith.cmpi ne, %p, %q : index
    %free = arith.select %same, %cur, %idle : memref<16xf32>
    %own = arith.select %same, %idle, %cur : memref<16xf32>
    %x = memref.load %best[%k] : memref<16xf32>
    %y = memref.load %fresh_new[%k] : memref<16xf32>
    %c = arith.cmpf ogt, %y, %x : f32
    %better = arith.select %c, %fresh_new, %best : memref<16xf32>
    scf.yield %fresh_new, %better, %own, %free
        : memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>
  }
  memref.copy %r#1, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<192xi8>
  return
}

// -----

// The slot that becomes free is the one that the best buffer is in.
func.func @gives_away_its_slot(%n: index, %in: memref<16xf32>, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memplan.arena align(64) : memref<192xi8>
  %s0 = memplan.view %arena[0] align(64) : memref<192xi8> to memref<16xf32>
  %s1 = memplan.view %arena[64] align(64) : memref<192xi8> to memref<16xf32>
  %s2 = memplan.view %arena[128] align(64) : memref<192xi8> to memref<16xf32>
  %s0_new = memplan.renew %s0 : memref<16xf32>
  memref.copy %in, %s0_new : memref<16xf32> to memref<16xf32>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %r:4 = scf.for %k = %c0 to %n step %c1
      // expected-note @below {{the buffer at [0, 64) is placed here}}
      iter_args(%cur = %s0_new, %best = %s0_new, %idle = %s1, %fresh = %s2)
      -> (memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>) {
    %fresh_new = memplan.renew %fresh : memref<16xf32>
    // expected-note @below {{bytes [0, 64) are written here}}
    linalg.abs ins(%cur : memref<16xf32>) outs(%fresh_new : memref<16xf32>)
    %p = memref.extract_aligned_pointer_as_index %best : memref<16xf32> -> index
    %q = memref.extract_aligned_pointer_as_index %cur : memref<16xf32> -> index
    %same = arith.cmpi eq, %p, %q : index
    %free = arith.select %same, %cur, %idle : memref<16xf32>
    %own = arith.select %same, %idle, %cur : memref<16xf32>
    // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'linalg.abs' through the buffer at [0, 64) has overwritten}}
    %x = memref.load %best[%k] : memref<16xf32>
    %y = memref.load %fresh_new[%k] : memref<16xf32>
    %c = arith.cmpf ogt, %y, %x : f32
    %better = arith.select %c, %fresh_new, %best : memref<16xf32>
    scf.yield %fresh_new, %better, %own, %free
        : memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>
  }
  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which on some path is not there}}
  memref.copy %r#1, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<192xi8>
  return
}

// -----

// The predicate is the wrong one.
func.func @asks_for_the_wrong_answer(%n: index, %in: memref<16xf32>, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memplan.arena align(64) : memref<192xi8>
  %s0 = memplan.view %arena[0] align(64) : memref<192xi8> to memref<16xf32>
  %s1 = memplan.view %arena[64] align(64) : memref<192xi8> to memref<16xf32>
  %s2 = memplan.view %arena[128] align(64) : memref<192xi8> to memref<16xf32>
  %s0_new = memplan.renew %s0 : memref<16xf32>
  memref.copy %in, %s0_new : memref<16xf32> to memref<16xf32>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %r:4 = scf.for %k = %c0 to %n step %c1
      // expected-note @below {{the buffer at [0, 64) is placed here}}
      iter_args(%cur = %s0_new, %best = %s0_new, %idle = %s1, %fresh = %s2)
      -> (memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>) {
    %fresh_new = memplan.renew %fresh : memref<16xf32>
    // expected-note @below {{bytes [0, 64) are written here}}
    linalg.abs ins(%cur : memref<16xf32>) outs(%fresh_new : memref<16xf32>)
    %p = memref.extract_aligned_pointer_as_index %best : memref<16xf32> -> index
    %q = memref.extract_aligned_pointer_as_index %cur : memref<16xf32> -> index
    %same = arith.cmpi ne, %p, %q : index
    %free = arith.select %same, %idle, %cur : memref<16xf32>
    %own = arith.select %same, %cur, %idle : memref<16xf32>
    // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'linalg.abs' through the buffer at [0, 64) has overwritten}}
    %x = memref.load %best[%k] : memref<16xf32>
    %y = memref.load %fresh_new[%k] : memref<16xf32>
    %c = arith.cmpf ogt, %y, %x : f32
    %better = arith.select %c, %fresh_new, %best : memref<16xf32>
    scf.yield %fresh_new, %better, %own, %free
        : memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>
  }
  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which on some path is not there}}
  memref.copy %r#1, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<192xi8>
  return
}

// -----

// The latest buffer is compared with itself.
func.func @asks_for_the_wrong_name(%n: index, %in: memref<16xf32>, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memplan.arena align(64) : memref<192xi8>
  %s0 = memplan.view %arena[0] align(64) : memref<192xi8> to memref<16xf32>
  %s1 = memplan.view %arena[64] align(64) : memref<192xi8> to memref<16xf32>
  %s2 = memplan.view %arena[128] align(64) : memref<192xi8> to memref<16xf32>
  %s0_new = memplan.renew %s0 : memref<16xf32>
  memref.copy %in, %s0_new : memref<16xf32> to memref<16xf32>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %r:4 = scf.for %k = %c0 to %n step %c1
      // expected-note @below {{the buffer at [0, 64) is placed here}}
      iter_args(%cur = %s0_new, %best = %s0_new, %idle = %s1, %fresh = %s2)
      -> (memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>) {
    %fresh_new = memplan.renew %fresh : memref<16xf32>
    // expected-note @below {{bytes [0, 64) are written here}}
    linalg.abs ins(%cur : memref<16xf32>) outs(%fresh_new : memref<16xf32>)
    %p = memref.extract_aligned_pointer_as_index %cur : memref<16xf32> -> index
    %q = memref.extract_aligned_pointer_as_index %cur : memref<16xf32> -> index
    %same = arith.cmpi eq, %p, %q : index
    %free = arith.select %same, %idle, %cur : memref<16xf32>
    %own = arith.select %same, %cur, %idle : memref<16xf32>
    // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'linalg.abs' through the buffer at [0, 64) has overwritten}}
    %x = memref.load %best[%k] : memref<16xf32>
    %y = memref.load %fresh_new[%k] : memref<16xf32>
    %c = arith.cmpf ogt, %y, %x : f32
    %better = arith.select %c, %fresh_new, %best : memref<16xf32>
    scf.yield %fresh_new, %better, %own, %free
        : memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>
  }
  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which on some path is not there}}
  memref.copy %r#1, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<192xi8>
  return
}

// -----

// Where the best buffer is not in the idle slot, it may be in the latest one's.
func.func @asks_for_another_slot(%n: index, %in: memref<16xf32>, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memplan.arena align(64) : memref<192xi8>
  %s0 = memplan.view %arena[0] align(64) : memref<192xi8> to memref<16xf32>
  %s1 = memplan.view %arena[64] align(64) : memref<192xi8> to memref<16xf32>
  %s2 = memplan.view %arena[128] align(64) : memref<192xi8> to memref<16xf32>
  %s0_new = memplan.renew %s0 : memref<16xf32>
  memref.copy %in, %s0_new : memref<16xf32> to memref<16xf32>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %r:4 = scf.for %k = %c0 to %n step %c1
      // expected-note @below {{the buffer at [0, 64) is placed here}}
      iter_args(%cur = %s0_new, %best = %s0_new, %idle = %s1, %fresh = %s2)
      -> (memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>) {
    %fresh_new = memplan.renew %fresh : memref<16xf32>
    // expected-note @below {{bytes [0, 64) are written here}}
    linalg.abs ins(%cur : memref<16xf32>) outs(%fresh_new : memref<16xf32>)
    %p = memref.extract_aligned_pointer_as_index %idle : memref<16xf32> -> index
    %q = memref.extract_aligned_pointer_as_index %cur : memref<16xf32> -> index
    %same = arith.cmpi eq, %p, %q : index
    %free = arith.select %same, %idle, %cur : memref<16xf32>
    %own = arith.select %same, %cur, %idle : memref<16xf32>
    // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'linalg.abs' through the buffer at [0, 64) has overwritten}}
    %x = memref.load %best[%k] : memref<16xf32>
    %y = memref.load %fresh_new[%k] : memref<16xf32>
    %c = arith.cmpf ogt, %y, %x : f32
    %better = arith.select %c, %fresh_new, %best : memref<16xf32>
    scf.yield %fresh_new, %better, %own, %free
        : memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>
  }
  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which on some path is not there}}
  memref.copy %r#1, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<192xi8>
  return
}
