// RUN: memplan-opt %s --memplan-verify=quiet -split-input-file -verify-diagnostics

// On one path %a is live when %b overwrites it, which is not an error by
// itself. A read of %a afterwards is one.
func.func @taken_where_maybe_live(%c: i1, %x: f32, %out: memref<64xf32>) {
  %arena = memplan.arena align(64) : memref<1024xi8>
  // expected-note @below {{the buffer at [0, 256) is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<1024xi8> to memref<64xf32>
  %b = memplan.view %arena[0] align(64) : memref<1024xi8> to memref<64xf32>
  scf.if %c {
    linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  }
  // expected-note @below {{bytes [0, 256) are written here}}
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  scf.if %c {
    // expected-error @below {{reads buffer at bytes [0, 256) of the arena, which 'linalg.fill' through the buffer at [0, 256) has overwritten}}
    memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  }
  memplan.release %arena : memref<1024xi8>
  return
}

// -----

// The buffer of one iteration is read in the next, after its view has begun a
// new one in its bytes.
func.func @carried_past_its_view(%n: index, %x: f32, %init: memref<64xf32>, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memplan.arena align(64) : memref<1024xi8>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%last = %init) -> memref<64xf32> {
    // expected-note @below {{the buffer at [0, 256) is placed here}}
    %a = memplan.view %arena[0] align(64) : memref<1024xi8> to memref<64xf32>
    // expected-note @below {{bytes [0, 256) are written here}}
    linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
    // expected-error @below {{reads buffer at bytes [0, 256) of the arena, which 'linalg.fill' through the buffer at [0, 256) has overwritten}}
    memref.copy %last, %out : memref<64xf32> to memref<64xf32>
    scf.yield %a : memref<64xf32>
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
  // expected-error @below {{views the arena as 'memref<2xvector<[4]xf32>>', whose size in bytes is not known, cannot be verified}}
  %a = memplan.view %arena[0] align(64) : memref<256xi8> to memref<2xvector<[4]xf32>>
  memplan.release %arena : memref<256xi8>
  return
}

// -----

func.func @memref_elements() {
  %arena = memplan.arena align(64) : memref<256xi8>
  // expected-error @below {{views the arena as 'memref<2xmemref<4xf32>>', whose size in bytes is not known, cannot be verified}}
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
  // expected-note @below {{the arena}}
  %arena = memplan.arena align(64) : memref<256xi8>
  scf.if %c {
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
  // expected-note @below {{released here}}
  memplan.release %arena : memref<256xi8>
  // expected-error @below {{uses buffer at bytes [0, 32) of the arena after the arena's release}}
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  return
}

// -----

// Each iteration allocates an arena and never frees it.
func.func @arena_leaks_from_loop(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    // expected-error @below {{leaves the arena without a release}}
    // expected-note @below {{the arena is allocated here}}
    %arena = memplan.arena align(64) : memref<256xi8>
  }
  // expected-error @below {{leaves the arena without a release}}
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
  %frame = memplan.view %arena[32] align(1) : memref<512xi8> to memref<256xi8>
  // expected-error @below {{hands the callee memory for its arena, which is not known to be aligned as it expects}}
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
  call @callee(%frame) : (memref<256xi8>) -> ()
  memplan.release %arena : memref<512xi8>
  return
}

func.func @frame_shared_by_workers(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memplan.arena align(64) : memref<512xi8>
  // expected-note @below {{the memory}}
  %frame = memplan.view %arena[0] align(64) : memref<512xi8> to memref<256xi8>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    // expected-error @below {{hands the callee the same memory for its arena in iterations that may run at once}}
    func.call @callee(%frame) : (memref<256xi8>) -> ()
    scf.reduce
  }
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
  // expected-error @below {{hands the callee memory for its arena, and also as another argument}}
  call @callee(%frame, %frame) : (memref<256xi8>, memref<256xi8>) -> ()
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

// Every function is verified, also those in nested modules.
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
