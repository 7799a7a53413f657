// RUN: memplan-opt %s --memplan-verify=quiet -split-input-file -verify-diagnostics

// It begins anew on the way around.
func.func @ended_and_started_in_a_loop_of_blocks(%c: i1, %x: f32) {
  %arena = memplan.arena align(64) : memref<256xi8>
  %a = memplan.view %arena[0] align(64) : memref<256xi8> to memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  cf.cond_br %c, ^again, ^end
^again:
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  cf.cond_br %c, ^back, ^end
^back:
  cf.br ^again
^end:
  memplan.release %arena : memref<256xi8>
  return
}

// -----

// Paths join, of which each may have ended it or not: no other end dominates
// the last.
func.func @ended_in_both_arms_and_after(%c: i1, %x: f32) {
  %arena = memplan.arena align(64) : memref<256xi8>
  %a = memplan.view %arena[0] align(64) : memref<256xi8> to memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  scf.if %c {
  } else {
  }
  memplan.release %arena : memref<256xi8>
  return
}

// -----

// One of two is executed.
func.func @ended_in_either_arm(%c: i1, %x: f32) {
  %arena = memplan.arena align(64) : memref<256xi8>
  %a = memplan.view %arena[0] align(64) : memref<256xi8> to memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  scf.if %c {
  } else {
    linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  }
  memplan.release %arena : memref<256xi8>
  return
}

// -----

// On the path past the conditional it is the first.
func.func @ended_on_one_path_before(%c: i1, %x: f32) {
  %arena = memplan.arena align(64) : memref<256xi8>
  %a = memplan.view %arena[0] align(64) : memref<256xi8> to memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  scf.if %c {
  }
  memplan.release %arena : memref<256xi8>
  return
}

// -----

// A life each, and one each iteration.
func.func @ended_as_often_as_started(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memplan.arena align(64) : memref<256xi8>
  // expected-note @below {{the buffer at [0, 256) is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<256xi8> to memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  scf.for %i = %c0 to %n step %c1 {
    // expected-error @below {{writes buffer at bytes [0, 256) of the arena, which 'linalg.fill' through the buffer at [0, 256) has overwritten}}
    linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
    %b = memplan.view %arena[0] align(64) : memref<256xi8> to memref<64xf32>
    // expected-note @below {{bytes [0, 256) are written here}}
    linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
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
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  scf.for %i = %c0 to %n step %c1 {
  }
  memplan.release %arena : memref<256xi8>
  return
}
