// Bytes that depend on the worker, as plans have them.
// RUN: memplan-opt %s --memplan-verify=quiet --split-input-file > %t
// RUN: memplan-opt %s --memplan-lower --memplan-verify=quiet --split-input-file > %t
// RUN: memplan-opt %s --canonicalize --cse --loop-invariant-code-motion \
// RUN:   --memplan-verify=quiet --split-input-file > %t

// Two buffers of a worker that are never live at once share its frame.
func.func @one_after_the_other(%f: f32, %out: memref<4xf32>) {
  %arena = memplan.arena align(64) : memref<256xi8>
  scf.forall (%i) in (4) {
    %a = memplan.view %arena[0 + %i * 64] align(64) : memref<256xi8> to memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    %x = memref.load %a[%i] : memref<16xf32>
    %b = memplan.view %arena[0 + %i * 64] align(64) : memref<256xi8> to memref<16xf32>
    linalg.fill ins(%x : f32) outs(%b : memref<16xf32>)
    %y = memref.load %b[%i] : memref<16xf32>
    memref.store %y, %out[%i] : memref<4xf32>
  }
  memplan.release %arena : memref<256xi8>
  return
}

// -----

// %x is dead before the loop and %y begins after it: both may have the bytes of
// the frames.
func.func @around_the_loop(%f: f32, %n: index, %out: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %arena = memplan.arena align(64) : memref<256xi8>
  %x = memplan.view %arena[0] align(64) : memref<256xi8> to memref<64xf32>
  linalg.fill ins(%f : f32) outs(%x : memref<64xf32>)
  %v = memref.load %x[%n] : memref<64xf32>
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    %a = memplan.view %arena[0 + %i * 64] align(64) : memref<256xi8> to memref<16xf32>
    linalg.fill ins(%v : f32) outs(%a : memref<16xf32>)
    %u = memref.load %a[%i] : memref<16xf32>
    memref.store %u, %out[%i] : memref<4xf32>
  }
  %y = memplan.view %arena[0] align(64) : memref<256xi8> to memref<64xf32>
  linalg.fill ins(%f : f32) outs(%y : memref<64xf32>)
  %w = memref.load %y[%n] : memref<64xf32>
  memref.store %w, %out[%n] : memref<4xf32>
  memplan.release %arena : memref<256xi8>
  return
}

// -----

// Steps, bounds and two dimensions: only the number of the iteration matters.
func.func @numbered(%f: f32, %n: index, %out: memref<100xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c10 = arith.constant 10 : index
  %arena = memplan.arena align(64) : memref<512xi8>
  affine.parallel (%i, %j) = (10, 1) to (17, 3) step (2, 1) {
    %d = arith.subi %i, %c10 : index
    %k = arith.divui %d, %c2 : index
    %m = arith.muli %k, %c2 : index
    %e = arith.subi %j, %c1 : index
    %w = arith.addi %m, %e : index
    %a = memplan.view %arena[0 + %w * 64] align(64) : memref<512xi8> to memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    %u = memref.load %a[%n] : memref<16xf32>
    memref.store %u, %out[%i] : memref<100xf32>
  }
  memplan.release %arena : memref<512xi8>
  return
}

// -----

// A loop in the body of another has frames in each of its frames.
func.func @nested(%f: f32, %n: index, %out: memref<4xf32>) {
  %arena = memplan.arena align(64) : memref<768xi8>
  scf.forall (%i) in (4) {
    %a = memplan.view %arena[128 + %i * 192] align(64) : memref<768xi8> to memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    scf.forall (%j) in (2) {
      %b = memplan.view %arena[0 + %i * 192 + %j * 64] align(64) : memref<768xi8> to memref<16xf32>
      linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
      %x = memref.load %b[%n] : memref<16xf32>
      memref.store %x, %a[%j] : memref<16xf32>
    }
    %y = memref.load %a[%n] : memref<16xf32>
    memref.store %y, %out[%i] : memref<4xf32>
  }
  memplan.release %arena : memref<768xi8>
  return
}

// -----

// A value that is one of two buffers and is last used in the body is live until
// then.
func.func @merged_value_in_the_body(%f: f32, %c: i1, %n: index, %out: memref<4xf32>) {
  %arena = memplan.arena align(64) : memref<384xi8>
  %x = memplan.view %arena[256] align(64) : memref<384xi8> to memref<16xf32>
  linalg.fill ins(%f : f32) outs(%x : memref<16xf32>)
  %y = memplan.view %arena[320] align(64) : memref<384xi8> to memref<16xf32>
  linalg.fill ins(%f : f32) outs(%y : memref<16xf32>)
  %z = arith.select %c, %x, %y : memref<16xf32>
  scf.forall (%i) in (4) {
    %a = memplan.view %arena[0 + %i * 64] align(64) : memref<384xi8> to memref<16xf32>
    memref.copy %z, %a : memref<16xf32> to memref<16xf32>
    %u = memref.load %a[%n] : memref<16xf32>
    memref.store %u, %out[%i] : memref<4xf32>
  }
  memplan.release %arena : memref<384xi8>
  return
}
