// RUN: memplan-opt %s --memplan-verify=quiet -split-input-file -verify-diagnostics

// Plans with lifetime markers, each broken by hand in one way.

func.func @starts_over_live_buffer(%x: f32) {
  %arena = memplan.arena align(64) : memref<1024xi8>
  %a = memplan.view %arena[0] align(64) : memref<1024xi8> to memref<64xf32>
  // expected-note @below {{the lifetime of the buffer at [0, 256) starts here}}
  memplan.lifetime_start %a : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  %b = memplan.view %arena[192] align(64) : memref<1024xi8> to memref<64xf32>
  // expected-error @below {{starts the lifetime of buffer at bytes [192, 448) of the arena while the buffer at [0, 256), which shares bytes with it, is live}}
  memplan.lifetime_start %b : memref<64xf32>
  memplan.lifetime_end %b : memref<64xf32>
  memplan.lifetime_end %a : memref<64xf32>
  memplan.release %arena : memref<1024xi8>
  return
}

// -----

// The end was moved before the last use.
func.func @use_after_end(%x: f32, %out: memref<64xf32>) {
  %arena = memplan.arena align(64) : memref<1024xi8>
  %a = memplan.view %arena[0] align(64) : memref<1024xi8> to memref<64xf32>
  memplan.lifetime_start %a : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  // expected-note @below {{a lifetime of it ends here}}
  memplan.lifetime_end %a : memref<64xf32>
  // expected-error @below {{accesses buffer at bytes [0, 256) of the arena outside its lifetime}}
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  memplan.release %arena : memref<1024xi8>
  return
}

// -----

// The start was moved after the first use.
func.func @use_before_start(%x: f32, %out: memref<64xf32>) {
  %arena = memplan.arena align(64) : memref<1024xi8>
  %a = memplan.view %arena[0] align(64) : memref<1024xi8> to memref<64xf32>
  // expected-error @below {{accesses buffer at bytes [0, 256) of the arena outside its lifetime}}
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  // expected-note @below {{a lifetime of it starts here}}
  memplan.lifetime_start %a : memref<64xf32>
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  memplan.lifetime_end %a : memref<64xf32>
  memplan.release %arena : memref<1024xi8>
  return
}

// -----

func.func @never_started(%x: f32) {
  %arena = memplan.arena align(64) : memref<1024xi8>
  // expected-note @below {{no lifetime of this buffer is ever started}}
  %a = memplan.view %arena[0] align(64) : memref<1024xi8> to memref<64xf32>
  // expected-error @below {{accesses buffer at bytes [0, 256) of the arena outside its lifetime}}
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  memplan.release %arena : memref<1024xi8>
  return
}

// -----

// A use through a view of the buffer is a use of the buffer.
func.func @use_of_view_after_end(%x: f32) {
  %arena = memplan.arena align(64) : memref<1024xi8>
  %a = memplan.view %arena[0] align(64) : memref<1024xi8> to memref<64xf32>
  %part = memref.subview %a[8] [16] [1] : memref<64xf32> to memref<16xf32, strided<[1], offset: 8>>
  memplan.lifetime_start %a : memref<64xf32>
  // expected-note @below {{a lifetime of it ends here}}
  memplan.lifetime_end %a : memref<64xf32>
  // expected-error @below {{accesses buffer at bytes [0, 256) of the arena outside its lifetime}}
  linalg.fill ins(%x : f32) outs(%part : memref<16xf32, strided<[1], offset: 8>>)
  memplan.release %arena : memref<1024xi8>
  return
}

// -----

func.func @started_on_one_path(%c: i1, %x: f32) {
  %arena = memplan.arena align(64) : memref<1024xi8>
  %a = memplan.view %arena[0] align(64) : memref<1024xi8> to memref<64xf32>
  scf.if %c {
    // expected-note @below {{a lifetime of it starts here}}
    memplan.lifetime_start %a : memref<64xf32>
  }
  // expected-error @below {{accesses buffer at bytes [0, 256) of the arena outside its lifetime on some path}}
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  memplan.lifetime_end %a : memref<64xf32>
  memplan.release %arena : memref<1024xi8>
  return
}

// -----

func.func @started_twice(%x: f32) {
  %arena = memplan.arena align(64) : memref<1024xi8>
  %a = memplan.view %arena[0] align(64) : memref<1024xi8> to memref<64xf32>
  // expected-note @below {{started here}}
  memplan.lifetime_start %a : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  // expected-error @below {{starts the lifetime of buffer at bytes [0, 256) of the arena, which has started and not ended}}
  memplan.lifetime_start %a : memref<64xf32>
  memplan.lifetime_end %a : memref<64xf32>
  memplan.release %arena : memref<1024xi8>
  return
}

// -----

// The next iteration reads what the last one wrote, but the buffer has ended.
func.func @carried_past_end(%n: index, %x: f32, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memplan.arena align(64) : memref<1024xi8>
  %a = memplan.view %arena[0] align(64) : memref<1024xi8> to memref<64xf32>
  memplan.lifetime_start %a : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  scf.for %i = %c0 to %n step %c1 {
    // expected-error @below {{accesses buffer at bytes [0, 256) of the arena outside its lifetime on some path}}
    memref.copy %a, %out : memref<64xf32> to memref<64xf32>
    // expected-note @below {{a lifetime of it ends here}}
    memplan.lifetime_end %a : memref<64xf32>
  }
  memplan.release %arena : memref<1024xi8>
  return
}

// -----

// On one path %a is live when %b takes its bytes: no error by itself. Reading it
// afterwards is one.
func.func @taken_where_maybe_live(%c: i1, %x: f32, %out: memref<64xf32>) {
  %arena = memplan.arena align(64) : memref<1024xi8>
  %a = memplan.view %arena[0] align(64) : memref<1024xi8> to memref<64xf32>
  %b = memplan.view %arena[0] align(64) : memref<1024xi8> to memref<64xf32>
  scf.if %c {
    // expected-note @below {{a lifetime of it starts here}}
    memplan.lifetime_start %a : memref<64xf32>
    linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  }
  memplan.lifetime_start %b : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  memplan.lifetime_end %b : memref<64xf32>
  scf.if %c {
    // expected-error @below {{accesses buffer at bytes [0, 256) of the arena outside its lifetime on some path}}
    memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  }
  memplan.release %arena : memref<1024xi8>
  return
}

// -----

// The branch yields its buffer; after the branch the bytes are given away while
// the result is still to be read.
func.func @yielded_buffer_taken(%c: i1, %x: f32, %out: memref<64xf32>) {
  %arena = memplan.arena align(64) : memref<1024xi8>
  %r = scf.if %c -> memref<64xf32> {
    // expected-note @below {{the buffer at [0, 256) is placed here}}
    %a = memplan.view %arena[0] align(64) : memref<1024xi8> to memref<64xf32>
    memplan.lifetime_start %a : memref<64xf32>
    linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
    scf.yield %a : memref<64xf32>
  } else {
    %b = memplan.view %arena[256] align(64) : memref<1024xi8> to memref<64xf32>
    memplan.lifetime_start %b : memref<64xf32>
    linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
    scf.yield %b : memref<64xf32>
  }
  %d = memplan.view %arena[128] align(64) : memref<1024xi8> to memref<32xf32>
  // expected-note @below {{bytes [128, 256) are taken here}}
  memplan.lifetime_start %d : memref<32xf32>
  memplan.lifetime_end %d : memref<32xf32>
  // expected-error @below {{reads buffer at bytes [0, 256) of the arena, which 'memplan.lifetime_start' through the buffer at [128, 256) has overwritten}}
  memref.copy %r, %out : memref<64xf32> to memref<64xf32>
  memplan.release %arena : memref<1024xi8>
  return
}

// -----

// The buffer of one iteration is read in the next, when its view has placed a
// new one over it.
func.func @carried_past_its_view(%n: index, %x: f32, %init: memref<64xf32>, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memplan.arena align(64) : memref<1024xi8>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%last = %init) -> memref<64xf32> {
    // expected-note @below {{the buffer at [0, 256) is placed here}}
    %a = memplan.view %arena[0] align(64) : memref<1024xi8> to memref<64xf32>
    // expected-note @below {{bytes [0, 256) are taken here}}
    memplan.lifetime_start %a : memref<64xf32>
    linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
    // expected-error @below {{reads buffer at bytes [0, 256) of the arena, which 'memplan.lifetime_start' through the buffer at [0, 256) has overwritten}}
    memref.copy %last, %out : memref<64xf32> to memref<64xf32>
    scf.yield %a : memref<64xf32>
  }
  memplan.release %arena : memref<1024xi8>
  return
}

// -----

func.func @ended_behind_select(%c: i1, %x: f32, %out: memref<64xf32>) {
  %arena = memplan.arena align(64) : memref<1024xi8>
  %a = memplan.view %arena[0] align(64) : memref<1024xi8> to memref<64xf32>
  %b = memplan.view %arena[256] align(64) : memref<1024xi8> to memref<64xf32>
  memplan.lifetime_start %a : memref<64xf32>
  memplan.lifetime_start %b : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  %r = arith.select %c, %a, %b : memref<64xf32>
  // expected-note @below {{a lifetime of it ends here}}
  memplan.lifetime_end %a : memref<64xf32>
  // expected-error @below {{accesses buffer at bytes [0, 256) of the arena outside its lifetime on some path}}
  memref.copy %r, %out : memref<64xf32> to memref<64xf32>
  memplan.lifetime_end %b : memref<64xf32>
  memplan.release %arena : memref<1024xi8>
  return
}

// -----

func.func @unstructured(%c: i1, %x: f32, %out: memref<64xf32>) {
  %arena = memplan.arena align(64) : memref<1024xi8>
  %a = memplan.view %arena[0] align(64) : memref<1024xi8> to memref<64xf32>
  memplan.lifetime_start %a : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  cf.cond_br %c, ^ends, ^join
^ends:
  // expected-note @below {{a lifetime of it ends here}}
  memplan.lifetime_end %a : memref<64xf32>
  cf.br ^join
^join:
  // expected-error @below {{accesses buffer at bytes [0, 256) of the arena outside its lifetime on some path}}
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  memplan.release %arena : memref<1024xi8>
  return
}

// -----

// Workers begin the lifetime of one buffer at any time.
func.func @started_in_parallel(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memplan.arena align(64) : memref<1024xi8>
  // expected-note @below {{the buffer at [0, 256) is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<1024xi8> to memref<64xf32>
  // expected-error @below {{iterations that may run at once share the buffer at bytes [0, 256) of the arena, which each of them begins anew}}
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memplan.lifetime_start %a : memref<64xf32>
    memref.store %x, %a[%c0] : memref<64xf32>
    memplan.lifetime_end %a : memref<64xf32>
    scf.reduce
  }
  memplan.release %arena : memref<1024xi8>
  return
}

// -----

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

func.func @out_of_arena() {
  // expected-note @below {{the arena}}
  %arena = memplan.arena align(64) : memref<256xi8>
  // expected-error @below {{takes 256 bytes at offset 64 but the arena has 256}}
  %a = memplan.view %arena[64] align(64) : memref<256xi8> to memref<64xf32>
  memplan.release %arena : memref<256xi8>
  return
}

// -----

func.func @size_overflows() {
  %arena = memplan.arena align(64) : memref<256xi8>
  // expected-error @below {{views the arena as 'memref<4294967296x4294967296x8xf32>', whose size in bytes overflows}}
  %a = memplan.view %arena[0] align(64) : memref<256xi8> to memref<4294967296x4294967296x8xf32>
  memplan.release %arena : memref<256xi8>
  return
}

// -----

func.func @arena_less_aligned() {
  // expected-note @below {{the arena}}
  %arena = memplan.arena align(16) : memref<256xi8>
  // expected-error @below {{needs an alignment of 64 bytes but the arena is aligned to 16}}
  %a = memplan.view %arena[0] align(64) : memref<256xi8> to memref<64xi8>
  memplan.release %arena : memref<256xi8>
  return
}

// -----

func.func @element_less_aligned() {
  %arena = memplan.arena align(64) : memref<256xi8>
  // expected-error @below {{offset 2 is not a multiple of 4, the alignment of the buffer}}
  %a = memplan.view %arena[2] align(1) : memref<256xi8> to memref<8xf32>
  memplan.release %arena : memref<256xi8>
  return
}

// -----

func.func @scalable_elements() {
  %arena = memplan.arena align(64) : memref<256xi8>
  // expected-error @below {{whose size in bytes is not known, cannot be verified}}
  %a = memplan.view %arena[0] align(64) : memref<256xi8> to memref<2xvector<[4]xf32>>
  memplan.release %arena : memref<256xi8>
  return
}

// -----

func.func @memref_elements() {
  %arena = memplan.arena align(64) : memref<256xi8>
  // expected-error @below {{whose size in bytes is not known, cannot be verified}}
  %a = memplan.view %arena[0] align(64) : memref<256xi8> to memref<2xmemref<4xf32>>
  memplan.release %arena : memref<256xi8>
  return
}

// -----

// Rows of 3 x f32 take 16 bytes each.
func.func @padded_elements() {
  // expected-note @below {{the arena}}
  %arena = memplan.arena align(64) : memref<256xi8>
  // expected-error @below {{takes 288 bytes at offset 0 but the arena has 256}}
  %a = memplan.view %arena[0] align(64) : memref<256xi8> to memref<9xvector<2x3xf32>>
  memplan.release %arena : memref<256xi8>
  return
}

// -----

func.func @view_of_no_arena(%arg: memref<256xi8>) {
  // expected-error @below {{is not a view of an arena, cannot be verified}}
  %a = memplan.view %arg[0] align(1) : memref<256xi8> to memref<8xf32>
  return
}

// -----

//===----------------------------------------------------------------------===//
// The arena
//===----------------------------------------------------------------------===//

func.func @arena_used_directly(%i: index) -> i8 {
  // expected-note @below {{the arena}}
  %arena = memplan.arena align(64) : memref<256xi8>
  // expected-error @below {{uses the arena other than by a view or a release, cannot be verified}}
  %x = memref.load %arena[%i] : memref<256xi8>
  memplan.release %arena : memref<256xi8>
  return %x : i8
}

// -----

func.func @arena_never_released() {
  // expected-note @below {{the arena is allocated here}}
  %arena = memplan.arena align(64) : memref<256xi8>
  // expected-error @below {{leaves the arena without a release}}
  return
}

// -----

func.func @arena_released_on_one_path(%c: i1) {
  // expected-note @below {{the arena is allocated here}}
  %arena = memplan.arena align(64) : memref<256xi8>
  cf.cond_br %c, ^one, ^two
^one:
  memplan.release %arena : memref<256xi8>
  return
^two:
  // expected-error @below {{leaves the arena without a release}}
  return
}

// -----

func.func @arena_released_twice(%c: i1) {
  %arena = memplan.arena align(64) : memref<256xi8>
  scf.if %c {
    // expected-note @below {{released here}}
    memplan.release %arena : memref<256xi8>
  }
  // expected-error @below {{releases the arena, which has been released already on some path}}
  memplan.release %arena : memref<256xi8>
  return
}

// -----

func.func @use_after_release(%x: f32) {
  %arena = memplan.arena align(64) : memref<256xi8>
  %a = memplan.view %arena[0] align(64) : memref<256xi8> to memref<8xf32>
  memplan.lifetime_start %a : memref<8xf32>
  // expected-note @below {{released here}}
  memplan.release %arena : memref<256xi8>
  // expected-error @below {{uses buffer at bytes [0, 32) of the arena after the arena's release}}
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  return
}

// -----

// Each iteration allocates an arena and forgets it.
func.func @arena_leaks_from_loop(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{leaves the arena without a release}}
  scf.for %i = %c0 to %n step %c1 {
    // expected-note @below {{the arena is allocated here}}
    %arena = memplan.arena align(64) : memref<256xi8>
  }
  return
}

// -----

//===----------------------------------------------------------------------===//
// Arenas that callers hand in
//===----------------------------------------------------------------------===//

// expected-note @below {{the arena}}
func.func private @callee_releases(%arena: memref<256xi8> {memplan.arena = 64 : i64}) {
  // expected-error @below {{releases the arena that callers hand in}}
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

func.func private @callee(%arena: memref<256xi8> {memplan.arena = 64 : i64}) {
  return
}

func.func @frame_misaligned() {
  %arena = memplan.arena align(64) : memref<512xi8>
  // expected-error @below {{offset 32 is not a multiple of 64, the alignment of the buffer}}
  %frame = memplan.view %arena[32] align(1) : memref<512xi8> to memref<256xi8>
  memplan.lifetime_start %frame : memref<256xi8>
  call @callee(%frame) : (memref<256xi8>) -> ()
  memplan.release %arena : memref<512xi8>
  return
}

func.func @memory_of_unknown_alignment() {
  %m = memref.alloc() : memref<256xi8>
  // expected-error @below {{hands the callee memory for its arena, which is not known to be aligned as it expects}}
  call @callee(%m) : (memref<256xi8>) -> ()
  %n = memref.alloc() {alignment = 128 : i64} : memref<256xi8>
  call @callee(%n) : (memref<256xi8>) -> ()
  return
}

func.func @frame_not_live() {
  %arena = memplan.arena align(64) : memref<512xi8>
  %frame = memplan.view %arena[0] align(64) : memref<512xi8> to memref<256xi8>
  memplan.lifetime_start %frame : memref<256xi8>
  // expected-note @below {{a lifetime of it ends here}}
  memplan.lifetime_end %frame : memref<256xi8>
  // expected-error @below {{accesses buffer at bytes [0, 256) of the arena outside its lifetime}}
  call @callee(%frame) : (memref<256xi8>) -> ()
  memplan.release %arena : memref<512xi8>
  return
}

func.func @frame_shared_by_workers(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memplan.arena align(64) : memref<512xi8>
  // expected-note @below {{the buffer at [0, 256) is placed here}}
  %frame = memplan.view %arena[0] align(64) : memref<512xi8> to memref<256xi8>
  memplan.lifetime_start %frame : memref<256xi8>
  // expected-error @below {{iterations that may run at once share the buffer at bytes [0, 256) of the arena, which each of them begins anew}}
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    func.call @callee(%frame) : (memref<256xi8>) -> ()
    scf.reduce
  }
  memplan.lifetime_end %frame : memref<256xi8>
  memplan.release %arena : memref<512xi8>
  return
}

// -----

func.func private @callee(%m: memref<256xi8>, %arena: memref<256xi8> {memplan.arena = 64 : i64}) {
  return
}

func.func @frame_handed_twice() {
  %arena = memplan.arena align(64) : memref<512xi8>
  %frame = memplan.view %arena[0] align(64) : memref<512xi8> to memref<256xi8>
  memplan.lifetime_start %frame : memref<256xi8>
  // expected-error @below {{hands the callee memory for its arena, and also as another argument}}
  call @callee(%frame, %frame) : (memref<256xi8>, memref<256xi8>) -> ()
  memplan.lifetime_end %frame : memref<256xi8>
  memplan.release %arena : memref<512xi8>
  return
}

// -----

// expected-error @below {{is a coroutine that has an arena, cannot be verified}}
func.func @coroutine() {
  %arena = memplan.arena align(64) : memref<256xi8>
  %id = async.coro.id
  %handle = async.coro.begin %id
  memplan.release %arena : memref<256xi8>
  return
}

// -----

// Every function is looked at, in nested modules as well.
module {
  module {
    func.func @nested() {
      // expected-note @below {{the arena is allocated here}}
      %arena = memplan.arena align(64) : memref<256xi8>
      // expected-error @below {{leaves the arena without a release}}
      return
    }
  }
}
