// Places that are wrong in the form that memplan-lower writes; other programs in
// this form are made by lowering the memplan ops of other tests.
// RUN: memplan-opt %s --memplan-verify=quiet -split-input-file -verify-diagnostics

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

func.func @lowered_out_of_arena() {
  %c1000 = arith.constant 1000 : index
  // expected-note @below {{the arena}}
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<1024xi8>
  // expected-error @below {{takes 256 bytes at offset 1000 but the arena has 1024}}
  %a = memref.view %arena[%c1000][] : memref<1024xi8> to memref<64xf32>
  memref.dealloc %arena : memref<1024xi8>
  return
}

// -----

func.func @lowered_negative_offset() {
  %c-64 = arith.constant -64 : index
  // expected-note @below {{the arena}}
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<1024xi8>
  // expected-error @below {{takes 256 bytes at offset -64 but the arena has 1024}}
  %a = memref.view %arena[%c-64][] : memref<1024xi8> to memref<64xf32>
  memref.dealloc %arena : memref<1024xi8>
  return
}

// -----

func.func @lowered_misaligned() {
  %c3 = arith.constant 3 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<1024xi8>
  // expected-error @below {{offset 3 is not a multiple of 4, the alignment of the buffer}}
  %a = memref.view %arena[%c3][] : memref<1024xi8> to memref<64xf32>
  memref.dealloc %arena : memref<1024xi8>
  return
}

// -----

func.func @lowered_arena_without_alignment() {
  %c0 = arith.constant 0 : index
  // expected-note @below {{the arena}}
  %arena = memref.alloc() {memplan.arena} : memref<1024xi8>
  // expected-error @below {{needs an alignment of 4 bytes but the arena is aligned to 1}}
  %a = memref.view %arena[%c0][] : memref<1024xi8> to memref<64xf32>
  memref.dealloc %arena : memref<1024xi8>
  return
}

// -----

func.func @lowered_unknown_offset(%offset: index) {
  // expected-note @below {{the arena}}
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<1024xi8>
  // expected-error @below {{views the arena at an offset that is neither a constant nor linear in the variables of parallel loops with constant bounds, cannot be verified}}
  %a = memref.view %arena[%offset][] : memref<1024xi8> to memref<64xf32>
  memref.dealloc %arena : memref<1024xi8>
  return
}

// -----

func.func @lowered_unknown_size(%n: index) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<1024xi8>
  // expected-error @below {{views the arena as 'memref<?xf32>', whose size in bytes is not known, cannot be verified}}
  %a = memref.view %arena[%c0][%n] : memref<1024xi8> to memref<?xf32>
  memref.dealloc %arena : memref<1024xi8>
  return
}

// -----

func.func @lowered_released_twice() {
  // expected-note @below {{the arena}}
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<1024xi8>
  memref.dealloc %arena : memref<1024xi8>
  // expected-error @below {{releases the arena, which has been released already}}
  memref.dealloc %arena : memref<1024xi8>
  return
}
