// RUN: memplan-opt %s --memplan-verify -split-input-file -verify-diagnostics -o /dev/null

// Two slots that change places: what is read and what is begun are never one.
func.func @takes_turns(%n: index, %in: memref<16xf32>, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memplan.arena align(64) : memref<128xi8>
  %a = memplan.view %arena[0] align(64) joined : memref<128xi8> to memref<16xf32>
  %b = memplan.view %arena[64] align(64) joined : memref<128xi8> to memref<16xf32>
  memplan.renew %a : memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%x = %a, %f = %b)
      -> (memref<16xf32>, memref<16xf32>) {
    memplan.renew %f : memref<16xf32>
    linalg.abs ins(%x : memref<16xf32>) outs(%f : memref<16xf32>)
    scf.yield %f, %x : memref<16xf32>, memref<16xf32>
  }
  memref.copy %r#0, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<128xi8>
  return
}

// -----

// The slots do not change places: from the second iteration on a buffer begins
// in the slot of the one that is read.
func.func @does_not_rotate(%n: index, %in: memref<16xf32>, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memplan.arena align(64) : memref<128xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %a = memplan.view %arena[0] align(64) joined : memref<128xi8> to memref<16xf32>
  %b = memplan.view %arena[64] align(64) joined : memref<128xi8> to memref<16xf32>
  memplan.renew %a : memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%x = %a, %f = %b)
      -> (memref<16xf32>, memref<16xf32>) {
    // expected-note @below {{are taken here}}
    memplan.renew %f : memref<16xf32>
    // expected-error @below {{which 'memplan.renew' through the buffer at [64, 128) has overwritten}}
    linalg.abs ins(%x : memref<16xf32>) outs(%f : memref<16xf32>)
    scf.yield %f, %f : memref<16xf32>, memref<16xf32>
  }
  memref.copy %r#0, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<128xi8>
  return
}

// -----

// Only one branch gives back the slot that is free there.
func.func @one_branch_forgets(%n: index, %c: i1, %in: memref<16xf32>,
                              %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memplan.arena align(64) : memref<128xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %a = memplan.view %arena[0] align(64) joined : memref<128xi8> to memref<16xf32>
  %b = memplan.view %arena[64] align(64) joined : memref<128xi8> to memref<16xf32>
  memplan.renew %a : memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%x = %a, %f = %b)
      -> (memref<16xf32>, memref<16xf32>) {
    %y:2 = scf.if %c -> (memref<16xf32>, memref<16xf32>) {
      // expected-note @below {{are taken here}}
      memplan.renew %f : memref<16xf32>
      // expected-error @below {{which 'memplan.renew' through the buffer at [0, 64) has overwritten}}
      linalg.abs ins(%x : memref<16xf32>) outs(%f : memref<16xf32>)
      scf.yield %f, %x : memref<16xf32>, memref<16xf32>
    } else {
      scf.yield %x, %x : memref<16xf32>, memref<16xf32>
    }
    scf.yield %y#0, %y#1 : memref<16xf32>, memref<16xf32>
  }
  memref.copy %r#0, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<128xi8>
  return
}

// -----

// What the select leaves is what another by the same condition takes; by another
// condition it may be the same.
func.func @other_condition(%n: index, %c: i1, %d: i1, %in: memref<16xf32>,
                           %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memplan.arena align(64) : memref<128xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %a = memplan.view %arena[0] align(64) joined : memref<128xi8> to memref<16xf32>
  %b = memplan.view %arena[64] align(64) joined : memref<128xi8> to memref<16xf32>
  memplan.renew %a : memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%x = %a, %f = %b)
      -> (memref<16xf32>, memref<16xf32>) {
    // expected-note @below {{are taken here}}
    memplan.renew %f : memref<16xf32>
    // expected-error @below {{has overwritten}}
    linalg.abs ins(%x : memref<16xf32>) outs(%f : memref<16xf32>)
    %taken = arith.select %c, %f, %x : memref<16xf32>
    %left = arith.select %d, %x, %f : memref<16xf32>
    scf.yield %taken, %left : memref<16xf32>, memref<16xf32>
  }
  // expected-error @below {{has overwritten}}
  memref.copy %r#0, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<128xi8>
  return
}
