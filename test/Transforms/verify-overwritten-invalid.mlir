// Plans that are broken by hand, each in one way. The errors are the same in the
// form that memplan-lower writes.
// RUN: memplan-opt %s --memplan-verify=quiet -split-input-file -verify-diagnostics
// RUN: memplan-opt %s --memplan-lower --memplan-verify=quiet -split-input-file -verify-diagnostics

func.func @overwritten(%x: f32, %out: memref<64xf32>) {
  %arena = memplan.arena align(64) : memref<1024xi8>
  // expected-note @below {{the buffer at [0, 256) is placed here}}
  %a = memplan.view %arena[0] align(4) : memref<1024xi8> to memref<64xf32>
  %b = memplan.view %arena[192] align(4) : memref<1024xi8> to memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  // expected-note @below {{bytes [192, 448) are written here}}
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  // expected-error @below {{reads buffer at bytes [0, 256) of the arena, which 'linalg.fill' through the buffer at [192, 448) has overwritten}}
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  memplan.release %arena : memref<1024xi8>
  return
}
// -----

// The example of the documentation.
func.func @documented(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memplan.arena align(64) : memref<96xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %a = memplan.view %arena[0] align(4) : memref<96xi8> to memref<16xf32>
  %b = memplan.view %arena[32] align(4) : memref<96xi8> to memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  // expected-note @below {{bytes [32, 96) are written here}}
  linalg.abs ins(%in : memref<16xf32>) outs(%b : memref<16xf32>)
  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'linalg.abs' through the buffer at [32, 96) has overwritten}}
  memref.copy %a, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<96xi8>
  return
}
// -----

// Writing a part of it afterwards does not restore the rest.
func.func @partly_rewritten(%x: f32, %out: memref<64xf32>) {
  %arena = memplan.arena align(64) : memref<1024xi8>
  // expected-note @below {{the buffer at [0, 256) is placed here}}
  %a = memplan.view %arena[0] align(4) : memref<1024xi8> to memref<64xf32>
  %b = memplan.view %arena[0] align(4) : memref<1024xi8> to memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  // expected-note @below {{bytes [0, 256) are written here}}
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  %part = memref.subview %a[0] [32] [1] : memref<64xf32> to memref<32xf32, strided<[1]>>
  linalg.fill ins(%x : f32) outs(%part : memref<32xf32, strided<[1]>>)
  // expected-error @below {{reads buffer at bytes [0, 256) of the arena, which 'linalg.fill' through the buffer at [0, 256) has overwritten}}
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  memplan.release %arena : memref<1024xi8>
  return
}
// -----

// The operand into which an op accumulates is read.
func.func @accumulator_overwritten(%x: f32, %l: memref<8x8xf32>) {
  %arena = memplan.arena align(64) : memref<1024xi8>
  // expected-note @below {{the buffer at [0, 256) is placed here}}
  %a = memplan.view %arena[0] align(4) : memref<1024xi8> to memref<8x8xf32>
  %b = memplan.view %arena[0] align(4) : memref<1024xi8> to memref<8x8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8x8xf32>)
  // expected-note @below {{bytes [0, 256) are written here}}
  linalg.fill ins(%x : f32) outs(%b : memref<8x8xf32>)
  // expected-error @below {{reads buffer at bytes [0, 256) of the arena, which 'linalg.fill' through the buffer at [0, 256) has overwritten}}
  linalg.matmul ins(%l, %l : memref<8x8xf32>, memref<8x8xf32>) outs(%a : memref<8x8xf32>)
  memplan.release %arena : memref<1024xi8>
  return
}
// -----

// Written before the loop and overwritten in its first iteration: the second
// iteration reads lost bytes.
func.func @overwritten_by_last_iteration(%n: index, %x: f32, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memplan.arena align(64) : memref<1024xi8>
  // expected-note @below {{the buffer at [0, 256) is placed here}}
  %a = memplan.view %arena[0] align(4) : memref<1024xi8> to memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  scf.for %i = %c0 to %n step %c1 {
    // expected-error @below {{reads buffer at bytes [0, 256) of the arena, which 'linalg.fill' through the buffer at [0, 128) has overwritten}}
    memref.copy %a, %out : memref<64xf32> to memref<64xf32>
    %b = memplan.view %arena[0] align(4) : memref<1024xi8> to memref<32xf32>
    // expected-note @below {{bytes [0, 128) are written here}}
    linalg.fill ins(%x : f32) outs(%b : memref<32xf32>)
  }
  memplan.release %arena : memref<1024xi8>
  return
}
// -----

// A loop that may have no iteration rewrites nothing.
func.func @rewritten_by_loop_that_may_not_run(%n: index, %x: f32, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memplan.arena align(64) : memref<1024xi8>
  // expected-note @below {{the buffer at [0, 256) is placed here}}
  %a = memplan.view %arena[0] align(4) : memref<1024xi8> to memref<64xf32>
  %b = memplan.view %arena[0] align(4) : memref<1024xi8> to memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  // expected-note @below {{bytes [0, 256) are written here}}
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  scf.for %i = %c0 to %n step %c1 {
    linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  }
  // expected-error @below {{reads buffer at bytes [0, 256) of the arena, which 'linalg.fill' through the buffer at [0, 256) has overwritten}}
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  memplan.release %arena : memref<1024xi8>
  return
}
// -----

// The loop writes every other element.
func.func @rewritten_by_loop_with_gaps(%x: f32, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %arena = memplan.arena align(64) : memref<1024xi8>
  // expected-note @below {{the buffer at [0, 256) is placed here}}
  %a = memplan.view %arena[0] align(4) : memref<1024xi8> to memref<64xf32>
  %b = memplan.view %arena[0] align(4) : memref<1024xi8> to memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  // expected-note @below {{bytes [0, 256) are written here}}
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  scf.for %i = %c0 to %c64 step %c2 {
    // expected-error @below {{writes buffer at bytes [0, 256) of the arena, which 'linalg.fill' through the buffer at [0, 256) has overwritten}}
    memref.store %x, %a[%i] : memref<64xf32>
  }
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  memplan.release %arena : memref<1024xi8>
  return
}
// -----

// The loop writes %a, but overwrites it again element by element.
func.func @rewritten_and_taken_in_one_loop(%x: f32, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %arena = memplan.arena align(64) : memref<1024xi8>
  %a = memplan.view %arena[0] align(4) : memref<1024xi8> to memref<64xf32>
  // expected-note @below {{the buffer at [0, 256) is placed here}}
  %b = memplan.view %arena[0] align(4) : memref<1024xi8> to memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  scf.for %i = %c0 to %c64 step %c1 {
    // expected-note @below {{bytes [0, 256) are written here}}
    memref.store %x, %a[%i] : memref<64xf32>
    // expected-error @below {{writes buffer at bytes [0, 256) of the arena, which 'memref.store' through the buffer at [0, 256) has overwritten}}
    memref.store %x, %b[%i] : memref<64xf32>
  }
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  memplan.release %arena : memref<1024xi8>
  return
}
// -----

// A loop condition reads bytes that the body of the loop has overwritten.
func.func @while_condition(%x: f32) {
  %arena = memplan.arena align(64) : memref<1024xi8>
  // expected-note @below {{the buffer at [0, 1) is placed here}}
  %flag = memplan.view %arena[0] align(4) : memref<1024xi8> to memref<i1>
  %true = arith.constant true
  memref.store %true, %flag[] : memref<i1>
  scf.while : () -> () {
    // expected-error @below {{reads buffer at bytes [0, 1) of the arena, which 'linalg.fill' through the buffer at [0, 32) has overwritten}}
    %c = memref.load %flag[] : memref<i1>
    scf.condition(%c)
  } do {
    %b = memplan.view %arena[0] align(4) : memref<1024xi8> to memref<8xf32>
    // expected-note @below {{bytes [0, 32) are written here}}
    linalg.fill ins(%x : f32) outs(%b : memref<8xf32>)
    scf.yield
  }
  memplan.release %arena : memref<1024xi8>
  return
}
// -----

func.func @one_case_overwrites(%i: index, %x: f32, %out: memref<64xf32>) {
  %arena = memplan.arena align(64) : memref<1024xi8>
  // expected-note @below {{the buffer at [0, 256) is placed here}}
  %a = memplan.view %arena[0] align(4) : memref<1024xi8> to memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  scf.index_switch %i
  case 0 {
    scf.yield
  }
  case 1 {
    %b = memplan.view %arena[0] align(4) : memref<1024xi8> to memref<8xf32>
    // expected-note @below {{bytes [0, 32) are written here}}
    linalg.fill ins(%x : f32) outs(%b : memref<8xf32>)
    scf.yield
  }
  default {
  }
  // expected-error @below {{reads buffer at bytes [0, 256) of the arena, which 'linalg.fill' through the buffer at [0, 32) has overwritten}}
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  memplan.release %arena : memref<1024xi8>
  return
}
// -----

func.func @affine_if_overwrites(%i: index, %x: f32, %out: memref<64xf32>) {
  %arena = memplan.arena align(64) : memref<1024xi8>
  // expected-note @below {{the buffer at [0, 256) is placed here}}
  %a = memplan.view %arena[0] align(4) : memref<1024xi8> to memref<64xf32>
  affine.for %k = 0 to 64 {
    affine.store %x, %a[%k] : memref<64xf32>
  }
  affine.if affine_set<(d0) : (d0 - 4 >= 0)>(%i) {
    %b = memplan.view %arena[0] align(4) : memref<1024xi8> to memref<8xf32>
    // expected-note @below {{bytes [0, 32) are written here}}
    affine.store %x, %b[0] : memref<8xf32>
  }
  // expected-error @below {{reads buffer at bytes [0, 256) of the arena, which 'affine.store' through the buffer at [0, 32) has overwritten}}
  %v = affine.load %a[symbol(%i)] : memref<64xf32>
  affine.store %v, %out[0] : memref<64xf32>
  memplan.release %arena : memref<1024xi8>
  return
}
// -----

// Two loops that branch into each other's headers: irreducible control flow.
func.func @irreducible(%c: i1, %x: f32, %out: memref<64xf32>) {
  %arena = memplan.arena align(64) : memref<1024xi8>
  // expected-note @below {{the buffer at [0, 256) is placed here}}
  %a = memplan.view %arena[0] align(4) : memref<1024xi8> to memref<64xf32>
  %b = memplan.view %arena[0] align(4) : memref<1024xi8> to memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  cf.cond_br %c, ^reads, ^writes
^reads:
  // expected-error @below {{reads buffer at bytes [0, 256) of the arena, which 'linalg.fill' through the buffer at [0, 32) has overwritten}}
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  cf.cond_br %c, ^writes, ^exit
^writes:
  // expected-note @below {{bytes [0, 32) are written here}}
  linalg.fill ins(%x : f32) outs(%b : memref<8xf32>)
  cf.cond_br %c, ^reads, ^exit
^exit:
  memplan.release %arena : memref<1024xi8>
  return
}
// -----

// A branch argument is the buffer that was forwarded to it.
func.func @forwarded(%c: i1, %x: f32, %out: memref<64xf32>) {
  %arena = memplan.arena align(64) : memref<1024xi8>
  // expected-note @below {{the buffer at [0, 256) is placed here}}
  %a = memplan.view %arena[0] align(4) : memref<1024xi8> to memref<64xf32>
  %b = memplan.view %arena[256] align(4) : memref<1024xi8> to memref<64xf32>
  %d = memplan.view %arena[0] align(4) : memref<1024xi8> to memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  cf.cond_br %c, ^join(%a : memref<64xf32>), ^join(%b : memref<64xf32>)
^join(%r: memref<64xf32>):
  // expected-note @below {{bytes [0, 32) are written here}}
  linalg.fill ins(%x : f32) outs(%d : memref<8xf32>)
  // expected-error @below {{reads buffer at bytes [0, 256) of the arena, which 'linalg.fill' through the buffer at [0, 32) has overwritten}}
  memref.copy %r, %out : memref<64xf32> to memref<64xf32>
  memplan.release %arena : memref<1024xi8>
  return
}
// -----

// The two buffers of a loop with alternating slots share their bytes.
func.func @rotated(%n: index, %x: f32, %out: memref<8x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memplan.arena align(64) : memref<1024xi8>
  // expected-note @below {{the buffer at [0, 256) is placed here}}
  %a = memplan.view %arena[0] align(4) : memref<1024xi8> to memref<8x8xf32>
  %b = memplan.view %arena[0] align(4) : memref<1024xi8> to memref<8x8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8x8xf32>)
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> (memref<8x8xf32>, memref<8x8xf32>) {
    // expected-error @below {{writes buffer at bytes [0, 256) of the arena and uses the buffer at [0, 256), which shares bytes with it}}
    linalg.transpose ins(%p : memref<8x8xf32>) outs(%q : memref<8x8xf32>) permutation = [1, 0]
    scf.yield %q, %p : memref<8x8xf32>, memref<8x8xf32>
  }
  memref.copy %r#0, %out : memref<8x8xf32> to memref<8x8xf32>
  memplan.release %arena : memref<1024xi8>
  return
}
// -----

// The view of a whole arena as bytes is the arena.
func.func @whole_arena_overwritten(%x: i8, %i: index, %out: memref<256xi8>) {
  // expected-note @below {{the arena}}
  %arena = memplan.arena align(64) : memref<256xi8>
  %a = memplan.view %arena[0] align(4) : memref<256xi8> to memref<8xf32>
  // expected-error @below {{uses the arena other than by a view or a release, cannot be verified}}
  linalg.fill ins(%x : i8) outs(%arena : memref<256xi8>)
  %f = arith.constant 0.0 : f32
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  // expected-error @below {{uses the arena other than by a view or a release, cannot be verified}}
  memref.copy %arena, %out : memref<256xi8> to memref<256xi8>
  memplan.release %arena : memref<256xi8>
  return
}
// -----

//===----------------------------------------------------------------------===//
// One op, several slots
//===----------------------------------------------------------------------===//

// Not element by element: each read element is needed for other elements.
func.func @matmul_over_its_operand(%x: f32, %l: memref<8x8xf32>, %out: memref<8x8xf32>) {
  %arena = memplan.arena align(64) : memref<1024xi8>
  // expected-note @below {{the buffer at [0, 256) is placed here}}
  %a = memplan.view %arena[0] align(4) : memref<1024xi8> to memref<8x8xf32>
  // expected-note @below {{the buffer at [0, 256) is placed here}}
  %b = memplan.view %arena[0] align(4) : memref<1024xi8> to memref<8x8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8x8xf32>)
  // expected-error @below {{writes buffer at bytes [0, 256) of the arena and uses the buffer at [0, 256), which shares bytes with it}}
  linalg.transpose ins(%a : memref<8x8xf32>) outs(%b : memref<8x8xf32>) permutation = [1, 0]
  memref.copy %b, %out : memref<8x8xf32> to memref<8x8xf32>
  memplan.release %arena : memref<1024xi8>
  return
}
// -----

// Element by element, but shifted.
func.func @map_over_shifted_operand(%x: f32) {
  %arena = memplan.arena align(64) : memref<1024xi8>
  // expected-note @below {{the buffer at [0, 256) is placed here}}
  %a = memplan.view %arena[0] align(4) : memref<1024xi8> to memref<64xf32>
  // expected-note @below {{the buffer at [64, 320) is placed here}}
  %b = memplan.view %arena[64] align(4) : memref<1024xi8> to memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  // expected-error @below {{writes buffer at bytes [64, 320) of the arena and uses the buffer at [0, 256), which shares bytes with it}}
  linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
  memplan.release %arena : memref<1024xi8>
  return
}
// -----

func.func private @fills(memref<64xf32>, memref<64xf32>)

func.func @two_results_in_one_place() {
  %arena = memplan.arena align(64) : memref<1024xi8>
  // expected-note @below {{the buffer at [0, 256) is placed here}}
  %a = memplan.view %arena[0] align(4) : memref<1024xi8> to memref<64xf32>
  // expected-note @below {{the buffer at [64, 320) is placed here}}
  %b = memplan.view %arena[64] align(4) : memref<1024xi8> to memref<64xf32>
  // expected-error @below {{writes buffer at bytes [0, 256) of the arena and uses the buffer at [64, 320), which shares bytes with it}}
  func.call @fills(%a, %b) : (memref<64xf32>, memref<64xf32>) -> ()
  memplan.release %arena : memref<1024xi8>
  return
}
// -----

// Accesses in the body of an op are accesses of the op.
func.func @captured_in_body(%x: f32) {
  %arena = memplan.arena align(64) : memref<1024xi8>
  // expected-note @below {{the buffer at [0, 256) is placed here}}
  %a = memplan.view %arena[0] align(4) : memref<1024xi8> to memref<64xf32>
  // expected-note @below {{the buffer at [0, 256) is placed here}}
  %b = memplan.view %arena[0] align(4) : memref<1024xi8> to memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  // expected-error @below {{writes buffer at bytes [0, 256) of the arena and uses the buffer at [0, 256), which shares bytes with it}}
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%b : memref<64xf32>) {
  ^bb0(%e: f32):
    %i = linalg.index 0 : index
    %v = memref.load %a[%i] : memref<64xf32>
    linalg.yield %v : f32
  }
  memplan.release %arena : memref<1024xi8>
  return
}
// -----

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

func.func private @reads(%m: memref<64xf32>, %out: memref<64xf32>) {
  memref.copy %m, %out : memref<64xf32> to memref<64xf32>
  return
}

func.func @callee_reads(%x: f32, %out: memref<64xf32>) {
  %arena = memplan.arena align(64) : memref<1024xi8>
  // expected-note @below {{the buffer at [0, 256) is placed here}}
  %a = memplan.view %arena[0] align(4) : memref<1024xi8> to memref<64xf32>
  %b = memplan.view %arena[0] align(4) : memref<1024xi8> to memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  // expected-note @below {{bytes [0, 32) are written here}}
  linalg.fill ins(%x : f32) outs(%b : memref<8xf32>)
  // expected-error @below {{reads buffer at bytes [0, 256) of the arena, which 'linalg.fill' through the buffer at [0, 32) has overwritten}}
  func.call @reads(%a, %out) : (memref<64xf32>, memref<64xf32>) -> ()
  memplan.release %arena : memref<1024xi8>
  return
}
// -----

func.func private @external(memref<64xf32>)

// A callee without a body may read its argument, unless the buffer certainly
// begins again: here it was never read before.
func.func @external_may_read(%x: f32) {
  %arena = memplan.arena align(64) : memref<1024xi8>
  // expected-note @below {{the buffer at [0, 256) is placed here}}
  %a = memplan.view %arena[0] align(4) : memref<1024xi8> to memref<64xf32>
  %b = memplan.view %arena[0] align(4) : memref<1024xi8> to memref<128xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  // expected-note @below {{bytes [0, 512) are written here}}
  linalg.fill ins(%x : f32) outs(%b : memref<128xf32>)
  // expected-error @below {{reads buffer at bytes [0, 256) of the arena, which 'linalg.fill' through the buffer at [0, 512) has overwritten}}
  func.call @external(%a) : (memref<64xf32>) -> ()
  memplan.release %arena : memref<1024xi8>
  return
}
// -----

func.func private @part(%m: memref<64xf32>) -> memref<8xf32, strided<[1], offset: 4>> {
  %p = memref.subview %m[4] [8] [1] : memref<64xf32> to memref<8xf32, strided<[1], offset: 4>>
  return %p : memref<8xf32, strided<[1], offset: 4>>
}

// The result of a call is its argument by another name.
func.func @result_is_argument(%x: f32, %out: memref<8xf32>) {
  %arena = memplan.arena align(64) : memref<1024xi8>
  // expected-note @below {{the buffer at [0, 256) is placed here}}
  %a = memplan.view %arena[0] align(4) : memref<1024xi8> to memref<64xf32>
  %b = memplan.view %arena[0] align(4) : memref<1024xi8> to memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  %p = func.call @part(%a) : (memref<64xf32>) -> memref<8xf32, strided<[1], offset: 4>>
  // expected-note @below {{bytes [0, 32) are written here}}
  linalg.fill ins(%x : f32) outs(%b : memref<8xf32>)
  // expected-error @below {{reads buffer at bytes [0, 256) of the arena, which 'linalg.fill' through the buffer at [0, 32) has overwritten}}
  memref.copy %p, %out : memref<8xf32, strided<[1], offset: 4>> to memref<8xf32>
  memplan.release %arena : memref<1024xi8>
  return
}
// -----

//===----------------------------------------------------------------------===//
// Parallel regions
//===----------------------------------------------------------------------===//

func.func @parallel_iterations_share_two_slots(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memplan.arena align(64) : memref<1024xi8>
  // expected-note @below {{the buffer at [0, 256) is placed here}}
  %a = memplan.view %arena[0] align(4) : memref<1024xi8> to memref<64xf32>
  %b = memplan.view %arena[0] align(4) : memref<1024xi8> to memref<8xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    // expected-error @below {{writes buffer at bytes [0, 256) of the arena, which 'memref.store' through the buffer at [0, 32) has overwritten}}
    memref.store %x, %a[%i] : memref<64xf32>
    // expected-note @below {{bytes [0, 32) are written here}}
    memref.store %x, %b[%c0] : memref<8xf32>
    scf.reduce
  }
  memplan.release %arena : memref<1024xi8>
  return
}
// -----

func.func @parallel_iterations_share_one_buffer(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %arena = memplan.arena align(64) : memref<1024xi8>
  // expected-error @below {{iterations that may run at once share the buffer at bytes [0, 256) of the arena, which each of them begins anew}}
  affine.parallel (%i) = (0) to (%n) {
    // expected-note @below {{the buffer at [0, 256) is placed here}}
    %a = memplan.view %arena[0] align(4) : memref<1024xi8> to memref<64xf32>
    memref.store %x, %a[%c0] : memref<64xf32>
  }
  memplan.release %arena : memref<1024xi8>
  return
}
// -----

// A write to the buffer of the previous iteration is not a write to this one,
// although both are results of one view op.
func.func @former_buffer_written(%n: index, %x: f32, %y: f32, %first: memref<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = arith.constant 0.0 : f32
  %arena = memplan.arena align(64) : memref<256xi8>
  %r, %s = scf.for %i = %c0 to %n step %c1 iter_args(%former = %first, %sum = %f) -> (memref<4xf32>, f32) {
    // expected-note @below {{the buffer at [0, 16) is placed here}}
    %a = memplan.view %arena[0] align(4) : memref<256xi8> to memref<4xf32>
    // expected-note @below {{bytes [0, 16) are written here}}
    memref.store %x, %a[%c1] : memref<4xf32>
    // expected-error @below {{writes buffer at bytes [0, 16) of the arena, which 'memref.store' through the buffer at [0, 16) has overwritten}}
    memref.store %y, %former[%c1] : memref<4xf32>
    %v = memref.load %a[%c1] : memref<4xf32>
    %w = arith.addf %sum, %v : f32
    scf.yield %a, %w : memref<4xf32>, f32
  }
  memplan.release %arena : memref<256xi8>
  return %s : f32
}
// -----

// A reduction over a dimension that may be empty may write nothing.
func.func @reduced_over_nothing(%x: f32, %in: memref<64x?xf32>, %out: memref<64xf32>) {
  %arena = memplan.arena align(64) : memref<256xi8>
  // expected-note @below {{the buffer at [0, 256) is placed here}}
  %a = memplan.view %arena[0] align(4) : memref<256xi8> to memref<64xf32>
  %b = memplan.view %arena[0] align(4) : memref<256xi8> to memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  // expected-note @below {{bytes [0, 256) are written here}}
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  // expected-error @below {{writes buffer at bytes [0, 256) of the arena, which 'linalg.fill' through the buffer at [0, 256) has overwritten}}
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%in : memref<64x?xf32>) outs(%a : memref<64xf32>) {
  ^bb0(%i: f32, %o: f32):
    linalg.yield %i : f32
  }
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  memplan.release %arena : memref<256xi8>
  return
}

// -----

// A part of a buffer of no constant size is not all of it.
func.func @part_of_free_size(%x: index, %from: memref<24xi8>, %in: memref<128xi8>, %i: index) -> i8 {
  %c0 = arith.constant 0 : index
  %c24 = arith.constant 24 : index
  %c1_i8 = arith.constant 1 : i8
  %more = arith.maxsi %x, %c0 : index
  %n = arith.addi %more, %c24 : index
  %slot = memplan.slot size(%n) align(64)
  %arena = memplan.arena least(128) of(%slot) align(64) : memref<?xi8>
  // expected-note @below {{the buffer at [0, ...) of slot 0 is placed here}}
  %a = memplan.view %arena[%slot](%n) align(64) : memref<?xi8> to memref<?xi8>
  %part = memref.subview %a[0] [24] [1] : memref<?xi8> to memref<24xi8, strided<[1]>>
  memref.store %c1_i8, %a[%c0] : memref<?xi8>
  %b = memplan.view %arena[0] align(64) : memref<?xi8> to memref<128xi8>
  // expected-note @below {{bytes [0, 128) are written here}}
  memref.copy %in, %b : memref<128xi8> to memref<128xi8>
  memref.copy %from, %part : memref<24xi8> to memref<24xi8, strided<[1]>>
  // expected-error @below {{reads buffer at bytes [0, ...) of slot 0 of the arena, which 'memref.copy' through the buffer at [0, 128) has overwritten}}
  %last = memref.load %a[%i] : memref<?xi8>
  memplan.release %arena : memref<?xi8>
  return %last : i8
}
