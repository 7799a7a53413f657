// RUN: memplan-opt %s --memplan-verify=quiet -split-input-file -verify-diagnostics

// Nothing needs the buffer after the first end.
func.func @ended_twice(%x: f32) {
  %arena = memplan.arena align(64) : memref<256xi8>
  %a = memplan.view %arena[0] align(64) : memref<256xi8> to memref<64xf32>
  memplan.lifetime_start %a : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  // expected-note @below {{ended here}}
  memplan.lifetime_end %a : memref<64xf32>
  // expected-error @below {{ends the lifetime of buffer at bytes [0, 256) of the arena, which has ended already}}
  memplan.lifetime_end %a : memref<64xf32>
  memplan.release %arena : memref<256xi8>
  return
}

// -----

// What stands between them matters to neither.
func.func @ended_before_a_conditional_and_after(%c: i1, %x: f32) {
  %arena = memplan.arena align(64) : memref<512xi8>
  %a = memplan.view %arena[0] align(64) : memref<512xi8> to memref<64xf32>
  %b = memplan.view %arena[256] align(64) : memref<512xi8> to memref<64xf32>
  memplan.lifetime_start %a : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  // expected-note @below {{ended here}}
  memplan.lifetime_end %a : memref<64xf32>
  scf.if %c {
    memplan.lifetime_start %b : memref<64xf32>
    linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
    memplan.lifetime_end %b : memref<64xf32>
  }
  // expected-error @below {{which has ended already}}
  memplan.lifetime_end %a : memref<64xf32>
  memplan.release %arena : memref<512xi8>
  return
}

// -----

// Each is told of the one before.
func.func @ended_three_times(%x: f32) {
  %arena = memplan.arena align(64) : memref<256xi8>
  %a = memplan.view %arena[0] align(64) : memref<256xi8> to memref<64xf32>
  memplan.lifetime_start %a : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  // expected-note @below {{ended here}}
  memplan.lifetime_end %a : memref<64xf32>
  // expected-note @below {{ended here}}
  // expected-error @below {{which has ended already}}
  memplan.lifetime_end %a : memref<64xf32>
  // expected-error @below {{which has ended already}}
  memplan.lifetime_end %a : memref<64xf32>
  memplan.release %arena : memref<256xi8>
  return
}

// -----

// The loop may not be entered, but where it is the buffer has no life.
func.func @ended_before_the_loop_and_in_it(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memplan.arena align(64) : memref<256xi8>
  %a = memplan.view %arena[0] align(64) : memref<256xi8> to memref<64xf32>
  memplan.lifetime_start %a : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  // expected-note @below {{ended here}}
  memplan.lifetime_end %a : memref<64xf32>
  scf.for %i = %c0 to %n step %c1 {
    // expected-error @below {{which has ended already}}
    memplan.lifetime_end %a : memref<64xf32>
  }
  memplan.release %arena : memref<256xi8>
  return
}

// -----

func.func @ended_before_blocks_and_in_one(%c: i1, %x: f32) {
  %arena = memplan.arena align(64) : memref<256xi8>
  %a = memplan.view %arena[0] align(64) : memref<256xi8> to memref<64xf32>
  memplan.lifetime_start %a : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  // expected-note @below {{ended here}}
  memplan.lifetime_end %a : memref<64xf32>
  cf.cond_br %c, ^left, ^end
^left:
  // expected-error @below {{which has ended already}}
  memplan.lifetime_end %a : memref<64xf32>
  cf.br ^end
^end:
  memplan.release %arena : memref<256xi8>
  return
}

// -----

// It begins anew on the way around.
func.func @ended_and_started_in_a_loop_of_blocks(%c: i1, %x: f32) {
  %arena = memplan.arena align(64) : memref<256xi8>
  %a = memplan.view %arena[0] align(64) : memref<256xi8> to memref<64xf32>
  memplan.lifetime_start %a : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  memplan.lifetime_end %a : memref<64xf32>
  cf.cond_br %c, ^again, ^end
^again:
  memplan.lifetime_start %a : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  cf.cond_br %c, ^back, ^end
^back:
  memplan.lifetime_end %a : memref<64xf32>
  cf.br ^again
^end:
  memplan.lifetime_end %a : memref<64xf32>
  memplan.release %arena : memref<256xi8>
  return
}

// -----

// Paths join, of which each may have ended it or not: no other end dominates
// the last.
func.func @ended_in_both_arms_and_after(%c: i1, %x: f32) {
  %arena = memplan.arena align(64) : memref<256xi8>
  %a = memplan.view %arena[0] align(64) : memref<256xi8> to memref<64xf32>
  memplan.lifetime_start %a : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  scf.if %c {
    memplan.lifetime_end %a : memref<64xf32>
  } else {
    memplan.lifetime_end %a : memref<64xf32>
  }
  memplan.lifetime_end %a : memref<64xf32>
  memplan.release %arena : memref<256xi8>
  return
}

// -----

// One of two is executed.
func.func @ended_in_either_arm(%c: i1, %x: f32) {
  %arena = memplan.arena align(64) : memref<256xi8>
  %a = memplan.view %arena[0] align(64) : memref<256xi8> to memref<64xf32>
  memplan.lifetime_start %a : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  scf.if %c {
    memplan.lifetime_end %a : memref<64xf32>
  } else {
    linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
    memplan.lifetime_end %a : memref<64xf32>
  }
  memplan.release %arena : memref<256xi8>
  return
}

// -----

// On the path past the conditional it is the first.
func.func @ended_on_one_path_before(%c: i1, %x: f32) {
  %arena = memplan.arena align(64) : memref<256xi8>
  %a = memplan.view %arena[0] align(64) : memref<256xi8> to memref<64xf32>
  memplan.lifetime_start %a : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  scf.if %c {
    memplan.lifetime_end %a : memref<64xf32>
  }
  memplan.lifetime_end %a : memref<64xf32>
  memplan.release %arena : memref<256xi8>
  return
}

// -----

// A life each, and one each iteration.
func.func @ended_as_often_as_started(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memplan.arena align(64) : memref<256xi8>
  %a = memplan.view %arena[0] align(64) : memref<256xi8> to memref<64xf32>
  memplan.lifetime_start %a : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  memplan.lifetime_end %a : memref<64xf32>
  scf.for %i = %c0 to %n step %c1 {
    memplan.lifetime_start %a : memref<64xf32>
    linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
    memplan.lifetime_end %a : memref<64xf32>
    %b = memplan.view %arena[0] align(64) : memref<256xi8> to memref<64xf32>
    memplan.lifetime_start %b : memref<64xf32>
    linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
    memplan.lifetime_end %b : memref<64xf32>
  }
  memplan.release %arena : memref<256xi8>
  return
}

// -----

// The first iteration ends it, the others have nothing to end.
func.func @ended_in_the_loop_that_it_enters(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memplan.arena align(64) : memref<256xi8>
  %a = memplan.view %arena[0] align(64) : memref<256xi8> to memref<64xf32>
  memplan.lifetime_start %a : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  scf.for %i = %c0 to %n step %c1 {
    memplan.lifetime_end %a : memref<64xf32>
  }
  memplan.lifetime_end %a : memref<64xf32>
  memplan.release %arena : memref<256xi8>
  return
}
