// RUN: memplan-opt %s --memplan-verify -split-input-file -verify-diagnostics

// The arithmetic of lowered programs: an offset, or the size of an arena, that
// does not keep what memplan.slots says.

// The second slot begins where the first one does.
func.func @at_the_same_place(%x: memref<?x64xf32>) {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %most = arith.constant 281474976710655 : index
  %n = memref.dim %x, %c0 : memref<?x64xf32>
  %bytes = arith.muli %n, %c256 : index
  %size = arith.minui %bytes, %most : index
  %end = arith.addi %size, %size : index
  %arena = memref.alloc(%end) {alignment = 64, bufferization.manual_deallocation, memplan.arena,
    memplan.slots = [array<i64: 0>, array<i64: 0, 0>]} : memref<?xi8>
  // expected-note @+2 {{the buffer below is placed here}}
  // expected-note @+1 {{v0 is a factor of the number of elements here}}
  %a = memref.view %arena[%c0][%n] {memplan.slot = array<i64: 0, 0>} : memref<?xi8> to memref<?x64xf32>
  // expected-error @+1 {{is in slot 1 of the arena, which is above slot 0, but begins at 0, and the buffer there ends at 256*v0}}
  %b = memref.view %arena[%c0][%n] {memplan.slot = array<i64: 1, 0>} : memref<?xi8> to memref<?x64xf32>
  memref.dealloc %arena {bufferization.manual_deallocation} : memref<?xi8>
  return
}

// -----

// A minimum in place of a maximum: 100 bytes at a constant place, and the first slot.
func.func @minimum(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c63 = arith.constant 63 : index
  %mask = arith.constant -64 : index
  %c100 = arith.constant 100 : index
  %most = arith.constant 281474976710655 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %bytes = arith.muli %n, %c4 : index
  %size = arith.minui %bytes, %most : index
  // expected-note @+1 {{v0 is a factor of this value}}
  %below = arith.minui %c100, %size : index
  %up = arith.addi %below, %c63 : index
  %offset = arith.andi %up, %mask : index
  %end = arith.addi %offset, %size : index
  %whole = arith.maxui %end, %c100 : index
  // expected-note @+1 {{the arena states the order}}
  %arena = memref.alloc(%whole) {alignment = 64, bufferization.manual_deallocation, memplan.arena,
    memplan.slots = [array<i64: 0>, array<i64: 100, 0>]} : memref<?xi8>
  // expected-note @+2 {{the buffer below is placed here}}
  // expected-note @+1 {{v2 is a factor of the number of elements here}}
  %a = memref.view %arena[%c0][%n] {memplan.slot = array<i64: 0, 0>} : memref<?xi8> to memref<?xf32>
  // expected-error @+2 {{is in slot 1 of the arena, which is at or behind byte 100, but that begins at floor64(v0 + 63)}}
  // expected-error @+1 {{is in slot 1 of the arena, which is above slot 0, but begins at floor64(v0 + 63), and the buffer there ends at 4*v2}}
  %b = memref.view %arena[%offset][%n] {memplan.slot = array<i64: 1, 0>} : memref<?xi8> to memref<?xf32>
  memref.dealloc %arena {bufferization.manual_deallocation} : memref<?xi8>
  return
}

// -----

// Two slots below, and one of them is not in the maximum.
// expected-note @+1 {{v0 is a factor of this value}}
func.func @one_left_out(%n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %most = arith.constant 281474976710655 : index
  %n0 = arith.maxsi %n, %c0 : index
  %s = arith.minui %n0, %most : index
  %m0 = arith.maxsi %m, %c0 : index
  %t = arith.minui %m0, %most : index
  %end = arith.addi %s, %t : index
  %arena = memref.alloc(%end) {alignment = 64, bufferization.manual_deallocation, memplan.arena,
    memplan.slots = [array<i64: 0>, array<i64: 0>, array<i64: 0, 0, 1>]} : memref<?xi8>
  %a = memref.view %arena[%c0][%n] {memplan.slot = array<i64: 0, 0>} : memref<?xi8> to memref<?xi8>
  // expected-note @+2 {{the buffer below is placed here}}
  // expected-note @+1 {{v1 is a factor of the number of elements here}}
  %b = memref.view %arena[%c0][%m] {memplan.slot = array<i64: 1, 0>} : memref<?xi8> to memref<?xi8>
  // expected-error @+1 {{is in slot 2 of the arena, which is above slot 1}}
  %c = memref.view %arena[%s][%m] {memplan.slot = array<i64: 2, 0>} : memref<?xi8> to memref<?xi8>
  memref.dealloc %arena {bufferization.manual_deallocation} : memref<?xi8>
  return
}

// -----

// The offset is not rounded up to the alignment of the elements.
func.func @not_rounded(%n: index) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %most = arith.constant 281474976710655 : index
  %n0 = arith.maxsi %n, %c0 : index
  %s = arith.minui %n0, %most : index
  %floats = arith.muli %n, %c4 : index
  %f0 = arith.maxsi %floats, %c0 : index
  %t = arith.minui %f0, %most : index
  %end = arith.addi %s, %t : index
  %arena = memref.alloc(%end) {alignment = 64, bufferization.manual_deallocation, memplan.arena,
    memplan.slots = [array<i64: 0>, array<i64: 0, 0>]} : memref<?xi8>
  %a = memref.view %arena[%c0][%n] {memplan.slot = array<i64: 0, 0>} : memref<?xi8> to memref<?xi8>
  // expected-error @+1 {{needs an alignment of 4 bytes but slot 1 of the arena begins at v}}
  %b = memref.view %arena[%s][%n] {memplan.slot = array<i64: 1, 0>} : memref<?xi8> to memref<?xf32>
  memref.dealloc %arena {bufferization.manual_deallocation} : memref<?xi8>
  return
}

// -----

// The arena has no bytes for the last slot.
func.func @arena_too_small(%x: memref<?x64xf32>) {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %most = arith.constant 281474976710655 : index
  %n = memref.dim %x, %c0 : memref<?x64xf32>
  // expected-note @+1 {{v0 is a factor of this value}}
  %bytes = arith.muli %n, %c256 : index
  %size = arith.minui %bytes, %most : index
  // expected-note @+1 {{the arena}}
  %arena = memref.alloc(%size) {alignment = 64, bufferization.manual_deallocation, memplan.arena,
    memplan.slots = [array<i64: 0>, array<i64: 0, 0>]} : memref<?xi8>
  %a = memref.view %arena[%c0][%n] {memplan.slot = array<i64: 0, 0>} : memref<?xi8> to memref<?x64xf32>
  // expected-error @+1 {{is not known to be inside of the arena: it ends at 512*v0, and the arena has 256*v0 bytes}}
  %b = memref.view %arena[%size][%n] {memplan.slot = array<i64: 1, 0>} : memref<?xi8> to memref<?x64xf32>
  memref.dealloc %arena {bufferization.manual_deallocation} : memref<?xi8>
  return
}

// -----

// A constant place ends behind the arena.
func.func @constant_outside(%x: memref<?x64xf32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %most = arith.constant 281474976710655 : index
  %n = memref.dim %x, %c0 : memref<?x64xf32>
  // expected-note @+1 {{v0 is a factor of this value}}
  %bytes = arith.muli %n, %c256 : index
  %size = arith.minui %bytes, %most : index
  %end = arith.addi %size, %c64 : index
  // expected-note @+1 {{the arena}}
  %arena = memref.alloc(%end) {alignment = 64, bufferization.manual_deallocation, memplan.arena,
    memplan.slots = [array<i64: 64>]} : memref<?xi8>
  %a = memref.view %arena[%c64][%n] {memplan.slot = array<i64: 0, 0>} : memref<?xi8> to memref<?x64xf32>
  // expected-error @+1 {{is not known to be inside of the arena: it ends at 68, and the arena has 256*v0 + 64 bytes}}
  %b = memref.view %arena[%c0][] : memref<?xi8> to memref<17xf32>
  memref.dealloc %arena {bufferization.manual_deallocation} : memref<?xi8>
  return
}

// -----

// The sizes have no limit, so that their sum may wrap around.
func.func @may_wrap(%x: memref<?xi8>, %y: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  // expected-note @+1 {{this value is not known to be less than 2^63}}
  %n = memref.dim %x, %c0 : memref<?xi8>
  %m = memref.dim %y, %c0 : memref<?xi8>
  %offset = arith.addi %n, %m : index
  %arena = memref.alloc(%offset) {alignment = 64, bufferization.manual_deallocation, memplan.arena,
    memplan.slots = [array<i64: 0>]} : memref<?xi8>
  // expected-error @+1 {{is in slot 0 of the arena at an offset that may wrap around}}
  %a = memref.view %arena[%offset][%n] {memplan.slot = array<i64: 0, 0>} : memref<?xi8> to memref<?xi8>
  memref.dealloc %arena {bufferization.manual_deallocation} : memref<?xi8>
  return
}

// -----

// A size that may be negative counts as 0 only in a maximum with 0. A sum of
// extents may wrap around; a product need not be looked at.
func.func @may_be_negative(%x: memref<?x?xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %most = arith.constant 281474976710655 : index
  %n = memref.dim %x, %c0 : memref<?x?xi8>
  %m = memref.dim %x, %c1 : memref<?x?xi8>
  // expected-note @+1 {{v0 is a factor of this value}}
  %product = arith.muli %n, %m : index
  %sum = arith.addi %n, %m : index
  %below = arith.minui %product, %most : index
  // expected-note @+1 {{v2 is a factor of this value}}
  %size = arith.minui %sum, %most : index
  %end = arith.addi %below, %size : index
  // expected-note @+1 {{the arena}}
  %arena = memref.alloc(%end) {alignment = 64, bufferization.manual_deallocation, memplan.arena,
    memplan.slots = [array<i64: 0>, array<i64: 0, 0>]} : memref<?xi8>
  %a = memref.view %arena[%c0][%n, %m] {memplan.slot = array<i64: 0, 0>} : memref<?xi8> to memref<?x?xi8>
  // expected-error @+2 {{is not known to be inside of the arena: it ends at v0 + v1, and the arena has v0 + v2 bytes}}
  // expected-note @+1 {{v1 is a factor of the number of elements here}}
  %b = memref.view %arena[%below][%sum] {memplan.slot = array<i64: 1, 0>} : memref<?xi8> to memref<?xi8>
  memref.dealloc %arena {bufferization.manual_deallocation} : memref<?xi8>
  return
}

// -----

// Two buffers of one slot begin at different places.
func.func @two_places(%n: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %most = arith.constant 281474976710655 : index
  %n0 = arith.maxsi %n, %c0 : index
  %s = arith.minui %n0, %most : index
  %end = arith.addi %s, %c64 : index
  %arena = memref.alloc(%end) {alignment = 64, bufferization.manual_deallocation, memplan.arena,
    memplan.slots = [array<i64: 0>]} : memref<?xi8>
  // expected-note @+1 {{the other buffer}}
  %a = memref.view %arena[%c0][%n] {memplan.slot = array<i64: 0, 0>} : memref<?xi8> to memref<?xi8>
  // expected-error @+1 {{is in slot 0 of the arena that begins at 64, but for another buffer it begins at 0}}
  %b = memref.view %arena[%c64][%n] {memplan.slot = array<i64: 0, 0>} : memref<?xi8> to memref<?xi8>
  memref.dealloc %arena {bufferization.manual_deallocation} : memref<?xi8>
  return
}

// -----

// The offset is another one in each iteration, but the arena is the same.
func.func @moving(%n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %most = arith.constant 281474976710655 : index
  %n0 = arith.maxsi %n, %c0 : index
  %s = arith.minui %n0, %most : index
  %end = arith.addi %s, %s : index
  // expected-note @+1 {{the arena}}
  %arena = memref.alloc(%end) {alignment = 64, bufferization.manual_deallocation, memplan.arena,
    memplan.slots = [array<i64: 0>]} : memref<?xi8>
  scf.for %i = %c0 to %k step %c1 {
    %i0 = arith.maxsi %i, %c0 : index
    %offset = arith.minui %i0, %n0 : index
    %limited = arith.minui %offset, %most : index
    // expected-error @+1 {{is in slot 0 of the arena at an offset that is not known where the arena begins, cannot be verified}}
    %a = memref.view %arena[%limited][%n] {memplan.slot = array<i64: 0, 0>} : memref<?xi8> to memref<?xi8>
  }
  memref.dealloc %arena {bufferization.manual_deallocation} : memref<?xi8>
  return
}

// -----

// The size function takes the other extent.
// expected-note @+2 {{the function}}
// expected-note @+1 {{v1 is a factor of this value}}
func.func @f.arena_bytes(%n: index, %m: index) -> index {
  %c0 = arith.constant 0 : index
  %most = arith.constant 281474976710655 : index
  %m0 = arith.maxsi %m, %c0 : index
  %s = arith.minui %m0, %most : index
  return %s : index
}
func.func @f(%x: memref<?x?xi8>, %arena: memref<?xi8> {memplan.arena = 64, memplan.slots = [array<i64: 0>]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x?xi8>
  %m = memref.dim %x, %c1 : memref<?x?xi8>
  // expected-note @+2 {{v0 is a factor of the number of elements here}}
  // expected-error @+1 {{is not known to be inside of the arena: it ends at v0, and @f.arena_bytes returns v1}}
  %a = memref.view %arena[%c0][%n] {memplan.slot = array<i64: 0, 0>} : memref<?xi8> to memref<?xi8>
  return
}
