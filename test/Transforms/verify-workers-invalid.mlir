// Wrong bytes in the bodies of parallel loops, which are also wrong after
// lowering.
// RUN: memplan-opt %s --memplan-verify=quiet --split-input-file -verify-diagnostics
// RUN: memplan-opt %s --memplan-lower --memplan-verify=quiet --split-input-file \
// RUN:   -verify-diagnostics

func.func @stride_too_small(%f: f32, %n: index) {
  %arena = memplan.arena align(64) : memref<512xi8>
  // expected-note @below {{iterations of this op may run at once}}
  scf.forall (%i) in (4) {
    // expected-error @below {{is in the frame of an iteration, which takes 128 bytes, but that of the next begins after 64}}
    %a = memplan.view %arena[0 + %i * 64] align(64) : memref<512xi8> to memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    %b = memplan.view %arena[64 + %i * 64] align(64) : memref<512xi8> to memref<16xf32>
    memref.copy %a, %b : memref<16xf32> to memref<16xf32>
    func.call @use(%b) : (memref<16xf32>) -> ()
  }
  memplan.release %arena : memref<512xi8>
  return
}
func.func private @use(memref<16xf32>)

// -----

// The stride of the second dimension is that of the first.
func.func @dimensions_collide(%f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %arena = memplan.arena align(64) : memref<2048xi8>
  // expected-note @below {{iterations of this op may run at once}}
  scf.parallel (%i, %j) = (%c0, %c0) to (%c4, %c4) step (%c1, %c1) {
    // expected-error @below {{is in the frame of an iteration, which takes 256 bytes, but that of the next begins after 192}}
    %a = memplan.view %arena[0 + %i * 64 + %j * 192] align(64) : memref<2048xi8> to memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    func.call @use(%a) : (memref<16xf32>) -> ()
  }
  memplan.release %arena : memref<2048xi8>
  return
}
func.func private @use(memref<16xf32>)

// -----

func.func @one_dimension_forgotten(%f: f32) {
  %arena = memplan.arena align(64) : memref<2048xi8>
  // expected-note @below {{of this op}}
  affine.parallel (%i, %j) = (0, 0) to (4, 4) {
    // expected-error @below {{is at the same place in iterations that may run at once: it does not depend on each induction variable}}
    %a = memplan.view %arena[0 + %i * 64] align(64) : memref<2048xi8> to memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    func.call @use(%a) : (memref<16xf32>) -> ()
  }
  memplan.release %arena : memref<2048xi8>
  return
}
func.func private @use(memref<16xf32>)

// -----

// 256 bytes are enough for four workers, but there are five.
func.func @too_many_workers(%f: f32) {
  %arena = memplan.arena align(64) : memref<256xi8>
  scf.forall (%i) in (5) {
    // expected-error @below {{takes 320 bytes at offset 0 for all iterations but the arena has 256}}
    %a = memplan.view %arena[0 + %i * 64] align(64) : memref<256xi8> to memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    func.call @use(%a) : (memref<16xf32>) -> ()
  }
  memplan.release %arena : memref<256xi8>
  return
}
func.func private @use(memref<16xf32>)

// -----

func.func @unknown_number(%f: f32, %n: index) {
  // expected-note @below {{the arena}}
  %arena = memplan.arena align(64) : memref<256xi8>
  scf.forall (%i) in (%n) {
    // expected-error @below {{views the arena at an offset that is neither a constant nor linear in the variables of parallel loops with constant bounds, cannot be verified}}
    %a = memplan.view %arena[0 + %i * 64] align(64) : memref<256xi8> to memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    func.call @use(%a) : (memref<16xf32>) -> ()
  }
  memplan.release %arena : memref<256xi8>
  return
}
func.func private @use(memref<16xf32>)

// -----

// The variable of a sequential loop does not identify the worker.
func.func @wrong_loop(%f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  // expected-note @below {{the arena}}
  %arena = memplan.arena align(64) : memref<256xi8>
  scf.forall (%i) in (4) {
    scf.for %j = %c0 to %c4 step %c1 {
      // expected-error @below {{views the arena at an offset that is neither a constant nor linear in the variables of parallel loops with constant bounds, cannot be verified}}
      %a = memplan.view %arena[0 + %j * 64] align(64) : memref<256xi8> to memref<16xf32>
      linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
      func.call @use(%a) : (memref<16xf32>) -> ()
    }
  }
  memplan.release %arena : memref<256xi8>
  return
}
func.func private @use(memref<16xf32>)

// -----

// Each iteration of the outer loop uses the same frames of the inner loop.
func.func @only_the_inner_loop(%f: f32) {
  %arena = memplan.arena align(64) : memref<256xi8>
  // expected-error @below {{iterations that may run at once share the buffer at bytes [0, 64) of the arena, which each of them begins anew}}
  scf.forall (%i) in (2) {
    scf.forall (%j) in (4) {
      // expected-note @below {{the buffer at [0, 64) is placed here}}
      %a = memplan.view %arena[0 + %j * 64] align(64) : memref<256xi8> to memref<16xf32>
      linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
      func.call @use(%a) : (memref<16xf32>) -> ()
    }
  }
  memplan.release %arena : memref<256xi8>
  return
}
func.func private @use(memref<16xf32>)

// -----

// A buffer of the inner iterations is at the bytes of the outer iteration,
// which all of them share.
func.func @only_the_outer_loop(%f: f32) {
  %arena = memplan.arena align(64) : memref<256xi8>
  scf.forall (%i) in (4) {
    // expected-error @below {{iterations that may run at once share the buffer at bytes [0, 64) of the arena, which each of them begins anew}}
    scf.forall (%j) in (2) {
      // expected-note @below {{the buffer at [0, 64) is placed here}}
      %a = memplan.view %arena[0 + %i * 64] align(64) : memref<256xi8> to memref<16xf32>
      linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
      func.call @use(%a) : (memref<16xf32>) -> ()
    }
  }
  memplan.release %arena : memref<256xi8>
  return
}
func.func private @use(memref<16xf32>)

// -----

// The last worker's frame reaches into %x, which is read after the loop.
func.func @over_a_live_buffer(%f: f32, %n: index) -> f32 {
  %arena = memplan.arena align(64) : memref<256xi8>
  // expected-note @below {{the buffer at [192, 256) is placed here}}
  %x = memplan.view %arena[192] align(64) : memref<256xi8> to memref<16xf32>
  linalg.fill ins(%f : f32) outs(%x : memref<16xf32>)
  scf.forall (%i) in (4) {
    %a = memplan.view %arena[0 + %i * 64] align(64) : memref<256xi8> to memref<16xf32>
    // expected-note @below {{bytes [0, 64) are written here}}
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    func.call @use(%a) : (memref<16xf32>) -> ()
  }
  // expected-error @below {{reads buffer at bytes [192, 256) of the arena, which 'linalg.fill' through the buffer at [0, 64) has overwritten}}
  %v = memref.load %x[%n] : memref<16xf32>
  memplan.release %arena : memref<256xi8>
  return %v : f32
}
func.func private @use(memref<16xf32>)

// -----

// The body reads %x while another iteration uses its bytes.
func.func @over_a_shared_buffer(%f: f32) {
  %arena = memplan.arena align(64) : memref<256xi8>
  // expected-note @below {{the buffer at [192, 256) is placed here}}
  %x = memplan.view %arena[192] align(64) : memref<256xi8> to memref<16xf32>
  linalg.fill ins(%f : f32) outs(%x : memref<16xf32>)
  scf.forall (%i) in (4) {
    // expected-note @below {{the buffer at [0, 64) is placed here}}
    %a = memplan.view %arena[0 + %i * 64] align(64) : memref<256xi8> to memref<16xf32>
    // expected-error @below {{writes buffer at bytes [0, 64) of the arena and uses the buffer at [192, 256), which shares bytes with it}}
    memref.copy %x, %a : memref<16xf32> to memref<16xf32>
    func.call @use(%a) : (memref<16xf32>) -> ()
  }
  memplan.release %arena : memref<256xi8>
  return
}
func.func private @use(memref<16xf32>)

// -----

// Two frames of one loop overlap.
func.func @frames_overlap(%f: f32) {
  %arena = memplan.arena align(64) : memref<1024xi8>
  scf.forall (%i) in (4) {
    // expected-note @below {{the other buffer}}
    %a = memplan.view %arena[0 + %i * 128] align(64) : memref<1024xi8> to memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    // expected-error @below {{is elsewhere for each iteration than another buffer of the same loop, cannot be verified}}
    %b = memplan.view %arena[256 + %i * 64] align(64) : memref<1024xi8> to memref<16xf32>
    linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
    func.call @use(%a) : (memref<16xf32>) -> ()
  }
  memplan.release %arena : memref<1024xi8>
  return
}
func.func private @use(memref<16xf32>)

// -----

// Both are live in the iteration, in whose frame they overlap.
func.func @overlap_in_the_frame(%f: f32) {
  %arena = memplan.arena align(64) : memref<512xi8>
  scf.forall (%i) in (4) {
    // expected-note @below {{the buffer at [0, 128) is placed here}}
    %a = memplan.view %arena[0 + %i * 128] align(64) : memref<512xi8> to memref<32xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<32xf32>)
    %b = memplan.view %arena[64 + %i * 128] align(64) : memref<512xi8> to memref<16xf32>
    // expected-note @below {{bytes [64, 128) are written here}}
    linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
    // expected-error @below {{reads buffer at bytes [0, 128) of the arena, which 'linalg.fill' through the buffer at [64, 128) has overwritten}}
    func.call @use(%a) : (memref<32xf32>) -> ()
  }
  memplan.release %arena : memref<512xi8>
  return
}
func.func private @use(memref<32xf32>)

// -----

// Lowered by hand: frames of 96 bytes do not keep an alignment of 64.
func.func @frames_not_aligned(%f: f32) {
  %c96 = arith.constant 96 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<512xi8>
  scf.forall (%i) in (4) {
    %offset = arith.muli %i, %c96 : index
    // expected-error @below {{stride 96 is not a multiple of 64, the alignment of the buffer}}
    %a = memref.view %arena[%offset][] : memref<512xi8> to memref<1xvector<16xf32>>
    func.call @use(%a) : (memref<1xvector<16xf32>>) -> ()
  }
  memref.dealloc %arena : memref<512xi8>
  return
}
func.func private @use(memref<1xvector<16xf32>>)

// -----

// The frames of the last iterations come first.
func.func @falling(%f: f32) {
  %c3 = arith.constant 3 : index
  %arena = memplan.arena align(64) : memref<256xi8>
  scf.forall (%i) in (4) {
    %w = arith.subi %c3, %i : index
    // expected-error @below {{is at an offset that falls with the worker, cannot be verified}}
    %a = memplan.view %arena[0 + %w * 64] align(64) : memref<256xi8> to memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    func.call @use(%a) : (memref<16xf32>) -> ()
  }
  memplan.release %arena : memref<256xi8>
  return
}
func.func private @use(memref<16xf32>)

// -----

// Every two iterations share a frame.
func.func @rounded(%f: f32) {
  %c2 = arith.constant 2 : index
  // expected-note @below {{the arena}}
  %arena = memplan.arena align(64) : memref<256xi8>
  scf.forall (%i) in (4) {
    %w = arith.divui %i, %c2 : index
    // expected-error @below {{views the arena at an offset that is neither a constant nor linear in the variables of parallel loops with constant bounds, cannot be verified}}
    %a = memplan.view %arena[0 + %w * 64] align(64) : memref<256xi8> to memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    func.call @use(%a) : (memref<16xf32>) -> ()
  }
  memplan.release %arena : memref<256xi8>
  return
}
func.func private @use(memref<16xf32>)

// -----

// It is unknown which buffer the reduction returns.
func.func @reduced(%x: f32, %n: index, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memplan.arena align(64) : memref<128xi8>
  // expected-note @below {{the buffer at bytes [0, 64) of the arena}}
  %a = memplan.view %arena[0] align(64) : memref<128xi8> to memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %m = memref.alloc() : memref<16xf32>
  %r = scf.parallel (%k) = (%c0) to (%n) step (%c1) init (%m) -> memref<16xf32> {
    // expected-error @below {{has unknown effects on a buffer that lies in an arena; it escapes and cannot be verified}}
    scf.reduce(%a : memref<16xf32>) {
    // expected-note @below {{the buffer at bytes [0, 64) of the arena}}
    ^bb0(%u: memref<16xf32>, %v: memref<16xf32>):
      // expected-error @below {{has unknown effects on a buffer that lies in an arena; it escapes and cannot be verified}}
      scf.reduce.return %v : memref<16xf32>
    }
  }
  %b = memplan.view %arena[0] align(64) : memref<128xi8> to memref<16xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<16xf32>)
  %y = memref.load %r[%i] : memref<16xf32>
  memplan.release %arena : memref<128xi8>
  return %y : f32
}
