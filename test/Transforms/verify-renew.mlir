// RUN: memplan-opt %s --memplan-verify=quiet -split-input-file -verify-diagnostics -o /dev/null

// Two slots that alternate: the slot that is read and the slot in which a
// buffer begins always differ.
func.func @takes_turns(%n: index, %in: memref<16xf32>, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memplan.arena align(64) : memref<128xi8>
  %a = memplan.view %arena[0] align(64) : memref<128xi8> to memref<16xf32>
  %b = memplan.view %arena[64] align(64) : memref<128xi8> to memref<16xf32>
  %a_new = memplan.renew %a : memref<16xf32>
  memref.copy %in, %a_new : memref<16xf32> to memref<16xf32>
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%x = %a_new, %f = %b)
      -> (memref<16xf32>, memref<16xf32>) {
    %f_new = memplan.renew %f : memref<16xf32>
    linalg.abs ins(%x : memref<16xf32>) outs(%f_new : memref<16xf32>)
    scf.yield %f_new, %x : memref<16xf32>, memref<16xf32>
  }
  memref.copy %r#0, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<128xi8>
  return
}

// -----

// The slots do not alternate: from the second iteration on a buffer begins in
// the slot that is read.
func.func @does_not_rotate(%n: index, %in: memref<16xf32>, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memplan.arena align(64) : memref<128xi8>
  %a = memplan.view %arena[0] align(64) : memref<128xi8> to memref<16xf32>
  // expected-note @below {{the buffer at [64, 128) is placed here}}
  %b = memplan.view %arena[64] align(64) : memref<128xi8> to memref<16xf32>
  %a_new = memplan.renew %a : memref<16xf32>
  memref.copy %in, %a_new : memref<16xf32> to memref<16xf32>
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%x = %a_new, %f = %b)
      -> (memref<16xf32>, memref<16xf32>) {
    // expected-note @below {{the buffer at [64, 128) is placed here}}
    %f_new = memplan.renew %f : memref<16xf32>
    // expected-error @below {{writes buffer at bytes [64, 128) of the arena and uses the buffer at [64, 128), which shares bytes with it}}
    func.call @next(%x, %f_new) : (memref<16xf32>, memref<16xf32>) -> ()
    scf.yield %f_new, %f_new : memref<16xf32>, memref<16xf32>
  }
  memref.copy %r#0, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<128xi8>
  return
}
func.func private @next(memref<16xf32> {bufferization.access = "read"}, memref<16xf32>)

// -----

// Only one branch yields the slot that is free there.
func.func @one_branch_forgets(%n: index, %c: i1, %in: memref<16xf32>,
                              %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memplan.arena align(64) : memref<128xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<128xi8> to memref<16xf32>
  %b = memplan.view %arena[64] align(64) : memref<128xi8> to memref<16xf32>
  %a_new = memplan.renew %a : memref<16xf32>
  memref.copy %in, %a_new : memref<16xf32> to memref<16xf32>
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%x = %a_new, %f = %b)
      -> (memref<16xf32>, memref<16xf32>) {
    %y:2 = scf.if %c -> (memref<16xf32>, memref<16xf32>) {
      // expected-note @below {{the buffer at [0, 64) is placed here}}
      %f_new = memplan.renew %f : memref<16xf32>
      // expected-error @below {{writes buffer at bytes [0, 64) of the arena and uses the buffer at [0, 64), which shares bytes with it}}
      func.call @next(%x, %f_new) : (memref<16xf32>, memref<16xf32>) -> ()
      scf.yield %f_new, %x : memref<16xf32>, memref<16xf32>
    } else {
      scf.yield %x, %x : memref<16xf32>, memref<16xf32>
    }
    scf.yield %y#0, %y#1 : memref<16xf32>, memref<16xf32>
  }
  memref.copy %r#0, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<128xi8>
  return
}
func.func private @next(memref<16xf32> {bufferization.access = "read"}, memref<16xf32>)

// -----

// The slot that the select does not choose is chosen by another select with the
// same condition; with another condition it may be the same slot.
func.func @other_condition(%n: index, %c: i1, %d: i1, %in: memref<16xf32>,
                           %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memplan.arena align(64) : memref<128xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<128xi8> to memref<16xf32>
  %b = memplan.view %arena[64] align(64) : memref<128xi8> to memref<16xf32>
  %a_new = memplan.renew %a : memref<16xf32>
  memref.copy %in, %a_new : memref<16xf32> to memref<16xf32>
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%x = %a_new, %f = %b)
      -> (memref<16xf32>, memref<16xf32>) {
    // expected-note @below {{the buffer at [0, 64) is placed here}}
    %f_new = memplan.renew %f : memref<16xf32>
    // expected-error @below {{writes buffer at bytes [0, 64) of the arena and uses the buffer at [0, 64), which shares bytes with it}}
    func.call @next(%x, %f_new) : (memref<16xf32>, memref<16xf32>) -> ()
    %taken = arith.select %c, %f_new, %x : memref<16xf32>
    %left = arith.select %d, %x, %f_new : memref<16xf32>
    scf.yield %taken, %left : memref<16xf32>, memref<16xf32>
  }
  memref.copy %r#0, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<128xi8>
  return
}
func.func private @next(memref<16xf32> {bufferization.access = "read"}, memref<16xf32>)

// -----

// The initial slot of the loop has a new buffer in the second iteration: its
// old contents cannot be read after the loop.
func.func @start_is_read_after_the_loop(%n: index, %in: memref<16xf32>, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memplan.arena align(64) : memref<128xi8>
  %a = memplan.view %arena[0] align(64) : memref<128xi8> to memref<16xf32>
  %b = memplan.view %arena[64] align(64) : memref<128xi8> to memref<16xf32>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %a_new = memplan.renew %a : memref<16xf32>
  memref.copy %in, %a_new : memref<16xf32> to memref<16xf32>
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%x = %a_new, %f = %b)
      -> (memref<16xf32>, memref<16xf32>) {
    %f_new = memplan.renew %f : memref<16xf32>
    // expected-note @below {{bytes [0, 64) are written here}}
    linalg.abs ins(%x : memref<16xf32>) outs(%f_new : memref<16xf32>)
    scf.yield %f_new, %x : memref<16xf32>, memref<16xf32>
  }
  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'linalg.abs' through the buffer at [0, 64) has overwritten}}
  memref.copy %a_new, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<128xi8>
  return
}

// -----

// A new buffer begins in a slot that may be still read. That it was written
// before does not help.
func.func @choice_is_renewed(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memplan.arena align(64) : memref<128xi8>
  %a = memplan.view %arena[0] align(64) : memref<128xi8> to memref<16xf32>
  %b = memplan.view %arena[64] align(64) : memref<128xi8> to memref<16xf32>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %a_new = memplan.renew %a : memref<16xf32>
  memref.copy %in, %a_new : memref<16xf32> to memref<16xf32>
  %q = scf.if %c -> (memref<16xf32>) {
    scf.yield %a_new : memref<16xf32>
  } else {
    scf.yield %b : memref<16xf32>
  }
  %q_new = memplan.renew %q : memref<16xf32>
  // expected-note @below {{bytes [0, 64) are written here}}
  memref.copy %in, %q_new : memref<16xf32> to memref<16xf32>
  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'memref.copy' through the buffer at [0, 64) has overwritten}}
  memref.copy %a_new, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<128xi8>
  return
}

// -----

// Buffers that use a slot through one value are rewritten each time, wholly or
// partly, on all or some paths.
func.func @one_after_another(%c: i1, %i: index, %f: f32, %in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memplan.arena align(64) : memref<64xi8>
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  %a_new = memplan.renew %a : memref<16xf32>
  memref.copy %in, %a_new : memref<16xf32> to memref<16xf32>
  memref.copy %a_new, %out : memref<16xf32> to memref<16xf32>
  %a_new20 = memplan.renew %a_new : memref<16xf32>
  scf.if %c {
    memref.store %f, %a_new20[%i] : memref<16xf32>
  }
  memref.copy %a_new20, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<64xi8>
  return
}

// -----

// A renewal was moved into a branch: there %a is another buffer, which is never
// written.
func.func @renewed_on_one_way(%c: i1, %x: f32, %out: memref<16xf32>) {
  %arena = memplan.arena align(64) : memref<64xi8>
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %a_new = memplan.renew %a : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a_new : memref<16xf32>)
  scf.if %c {
    %b_new = memplan.renew %b : memref<16xf32>
    // expected-note @below {{bytes [0, 64) are written here}}
    linalg.fill ins(%x : f32) outs(%b_new : memref<16xf32>)
    memref.copy %b_new, %out : memref<16xf32> to memref<16xf32>
    %a_new23 = memplan.renew %a_new : memref<16xf32>
  }
  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'linalg.fill' through the buffer at [0, 64) has overwritten}}
  memref.copy %a_new, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<64xi8>
  return
}

// -----

// The slots need not alternate for an op that may overwrite its input.
func.func @in_place(%n: index, %in: memref<16xf32>, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memplan.arena align(64) : memref<128xi8>
  %a = memplan.view %arena[0] align(64) : memref<128xi8> to memref<16xf32>
  %b = memplan.view %arena[64] align(64) : memref<128xi8> to memref<16xf32>
  %a_new = memplan.renew %a : memref<16xf32>
  memref.copy %in, %a_new : memref<16xf32> to memref<16xf32>
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%x = %a_new, %f = %b)
      -> (memref<16xf32>, memref<16xf32>) {
    %f_new = memplan.renew %f : memref<16xf32>
    linalg.abs ins(%x : memref<16xf32>) outs(%f_new : memref<16xf32>)
    scf.yield %f_new, %f_new : memref<16xf32>, memref<16xf32>
  }
  memref.copy %r#0, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<128xi8>
  return
}

// -----

// The loop has one iteration, so %x has one slot; another name derived from it
// may be outside of the arena.
func.func @one_iteration(%c: i1, %v: index) {
  %arena = memplan.arena align(64) : memref<128xi8>
  %other = memref.alloc() : memref<8xindex>
  %a = memplan.view %arena[0] align(64) : memref<128xi8> to memref<8xindex>
  %b = memplan.view %arena[64] align(64) : memref<128xi8> to memref<8xindex>
  %a_new = memplan.renew %a : memref<8xindex>
  %r:3 = affine.for %i = 0 to 1 iter_args(%z = %a, %x = %a_new, %y = %b)
      -> (memref<8xindex>, memref<8xindex>, memref<8xindex>) {
    %b_new = memplan.renew %y : memref<8xindex>
    %choice = arith.select %c, %other, %x : memref<8xindex>
    %x_new = memplan.renew %x : memref<8xindex>
    linalg.fill ins(%v : index) outs(%x_new : memref<8xindex>)
    affine.yield %x_new, %b_new, %x : memref<8xindex>, memref<8xindex>, memref<8xindex>
  }
  cf.br ^head(%r#0, %r#1 : memref<8xindex>, memref<8xindex>)
^head(%p: memref<8xindex>, %q: memref<8xindex>):
  cf.cond_br %c, ^head(%q, %p : memref<8xindex>, memref<8xindex>), ^end
^end:
  memref.dealloc %other : memref<8xindex>
  memplan.release %arena : memref<128xi8>
  return
}

// -----

// A select of a select by the same condition: the slot that nothing is chosen
// from is %s1's, whatever %c is.
func.func @select_of_select(%n: index, %c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memplan.arena align(64) : memref<192xi8>
  %a = memplan.view %arena[0] align(64) : memref<192xi8> to memref<16xf32>
  %b = memplan.view %arena[64] align(64) : memref<192xi8> to memref<16xf32>
  %free = memplan.view %arena[128] align(64) : memref<192xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  memref.copy %in, %b : memref<16xf32> to memref<16xf32>
  %r:3 = scf.for %k = %c0 to %n step %c1 iter_args(%x = %a, %y = %b, %f = %free)
      -> (memref<16xf32>, memref<16xf32>, memref<16xf32>) {
    %s0 = arith.select %c, %x, %y : memref<16xf32>
    %s1 = arith.select %c, %y, %x : memref<16xf32>
    %new = memplan.renew %f : memref<16xf32>
    memref.copy %s1, %new : memref<16xf32> to memref<16xf32>
    %t0 = arith.select %c, %s0, %new : memref<16xf32>
    %t1 = arith.select %c, %new, %s0 : memref<16xf32>
    memref.copy %t1, %out : memref<16xf32> to memref<16xf32>
    scf.yield %t0, %t1, %s1 : memref<16xf32>, memref<16xf32>, memref<16xf32>
  }
  memref.copy %r#0, %out : memref<16xf32> to memref<16xf32>
  memref.copy %r#1, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<192xi8>
  return
}

// -----

// The same, but %s0's slot is taken for the next one, which is in use.
func.func @select_of_select_in_use(%n: index, %c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memplan.arena align(64) : memref<192xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<192xi8> to memref<16xf32>
  %b = memplan.view %arena[64] align(64) : memref<192xi8> to memref<16xf32>
  %free = memplan.view %arena[128] align(64) : memref<192xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  memref.copy %in, %b : memref<16xf32> to memref<16xf32>
  %r:3 = scf.for %k = %c0 to %n step %c1 iter_args(%x = %a, %y = %b, %f = %free)
      -> (memref<16xf32>, memref<16xf32>, memref<16xf32>) {
    %s0 = arith.select %c, %x, %y : memref<16xf32>
    %s1 = arith.select %c, %y, %x : memref<16xf32>
    %new = memplan.renew %f : memref<16xf32>
    // expected-note @below {{bytes [0, 64) are written here}}
    memref.copy %in, %new : memref<16xf32> to memref<16xf32>
    %t0 = arith.select %c, %s0, %new : memref<16xf32>
    %t1 = arith.select %c, %new, %s0 : memref<16xf32>
    // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'memref.copy' through the buffer at [0, 64) has overwritten}}
    memref.copy %t1, %out : memref<16xf32> to memref<16xf32>
    scf.yield %t0, %t1, %s0 : memref<16xf32>, memref<16xf32>, memref<16xf32>
  }
  memplan.release %arena : memref<192xi8>
  return
}

// -----

// Two conditions: %t0 and %t1 are never one buffer, though each of them may be any
// of three.
func.func @two_conditions(%n: index, %c: i1, %d: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memplan.arena align(64) : memref<192xi8>
  %a = memplan.view %arena[0] align(64) : memref<192xi8> to memref<16xf32>
  %b = memplan.view %arena[64] align(64) : memref<192xi8> to memref<16xf32>
  %e = memplan.view %arena[128] align(64) : memref<192xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  memref.copy %in, %b : memref<16xf32> to memref<16xf32>
  %r:3 = scf.for %k = %c0 to %n step %c1 iter_args(%x = %a, %y = %b, %f = %e)
      -> (memref<16xf32>, memref<16xf32>, memref<16xf32>) {
    %new = memplan.renew %f : memref<16xf32>
    memref.copy %x, %new : memref<16xf32> to memref<16xf32>
    %s0 = arith.select %c, %x, %y : memref<16xf32>
    %s1 = arith.select %c, %y, %x : memref<16xf32>
    %u0 = arith.select %d, %s0, %new : memref<16xf32>
    %u1 = arith.select %d, %new, %s0 : memref<16xf32>
    %t0 = arith.select %c, %u0, %s1 : memref<16xf32>
    %t1 = arith.select %c, %s1, %u0 : memref<16xf32>
    memref.copy %t0, %out : memref<16xf32> to memref<16xf32>
    memref.copy %t1, %out : memref<16xf32> to memref<16xf32>
    scf.yield %t0, %t1, %u1 : memref<16xf32>, memref<16xf32>, memref<16xf32>
  }
  memref.copy %r#0, %out : memref<16xf32> to memref<16xf32>
  memref.copy %r#1, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<192xi8>
  return
}

// -----

// On the second path alone the two results are different buffers at the same bytes.
func.func @clash_on_second_path(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memplan.arena align(64) : memref<192xi8>
  %a = memplan.view %arena[0] align(64) : memref<192xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  // expected-note @below {{the buffer at [64, 128) is placed here}}
  %b = memplan.view %arena[64] align(64) : memref<192xi8> to memref<16xf32>
  memref.copy %in, %b : memref<16xf32> to memref<16xf32>
  %d = memplan.view %arena[128] align(64) : memref<192xi8> to memref<16xf32>
  %r:2 = scf.if %c -> (memref<16xf32>, memref<16xf32>) {
    scf.yield %a, %d : memref<16xf32>, memref<16xf32>
  } else {
    %e = memplan.view %arena[64] align(64) : memref<192xi8> to memref<16xf32>
    scf.yield %b, %e : memref<16xf32>, memref<16xf32>
  }
  // expected-note @below {{bytes [64, 128) are written here}}
  memref.copy %in, %r#1 : memref<16xf32> to memref<16xf32>
  // expected-error @below {{reads buffer at bytes [64, 128) of the arena, which 'memref.copy' through the buffer at [64, 128) has overwritten}}
  memref.copy %r#0, %out : memref<16xf32> to memref<16xf32>
  memref.copy %r#1, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<192xi8>
  return
}

// -----

// The same, but on the first path.
func.func @clash_on_first_path(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memplan.arena align(64) : memref<192xi8>
  %a = memplan.view %arena[0] align(64) : memref<192xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  // expected-note @below {{the buffer at [64, 128) is placed here}}
  %b = memplan.view %arena[64] align(64) : memref<192xi8> to memref<16xf32>
  memref.copy %in, %b : memref<16xf32> to memref<16xf32>
  %d = memplan.view %arena[128] align(64) : memref<192xi8> to memref<16xf32>
  %r:2 = scf.if %c -> (memref<16xf32>, memref<16xf32>) {
    %e = memplan.view %arena[64] align(64) : memref<192xi8> to memref<16xf32>
    scf.yield %b, %e : memref<16xf32>, memref<16xf32>
  } else {
    scf.yield %a, %d : memref<16xf32>, memref<16xf32>
  }
  // expected-note @below {{bytes [64, 128) are written here}}
  memref.copy %in, %r#1 : memref<16xf32> to memref<16xf32>
  // expected-error @below {{reads buffer at bytes [64, 128) of the arena, which 'memref.copy' through the buffer at [64, 128) has overwritten}}
  memref.copy %r#0, %out : memref<16xf32> to memref<16xf32>
  memref.copy %r#1, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<192xi8>
  return
}

// -----

// On the second path alone the two results are one buffer: the write to the one
// leaves the other with bytes that the next buffer must not take.
func.func @same_on_one_path(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memplan.arena align(64) : memref<192xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<192xi8> to memref<16xf32>
  %b = memplan.view %arena[64] align(64) : memref<192xi8> to memref<16xf32>
  %f = memplan.view %arena[128] align(64) : memref<192xi8> to memref<16xf32>
  %r:2 = scf.if %c -> (memref<16xf32>, memref<16xf32>) {
    scf.yield %b, %f : memref<16xf32>, memref<16xf32>
  } else {
    scf.yield %a, %a : memref<16xf32>, memref<16xf32>
  }
  memref.copy %in, %r#1 : memref<16xf32> to memref<16xf32>
  %d = memplan.view %arena[0] align(64) : memref<192xi8> to memref<16xf32>
  // expected-note @below {{bytes [0, 64) are written here}}
  memref.copy %in, %d : memref<16xf32> to memref<16xf32>
  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'memref.copy' through the buffer at [0, 64) has overwritten}}
  memref.copy %r#0, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<192xi8>
  return
}
