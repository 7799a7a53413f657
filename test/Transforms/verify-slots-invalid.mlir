// RUN: memplan-opt %s --memplan-verify -split-input-file -verify-diagnostics

// Mutants of programs in verify-slots.mlir.

// An edge is missing: nothing says that %s1 is above %s0.
func.func @edge_removed(%x: memref<?x64xf32>, %y: memref<?x64xf32>) {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %n = memref.dim %x, %c0 : memref<?x64xf32>
  %bytes = arith.muli %n, %c256 : index
  %s0 = memplan.slot size(%bytes) align(64)
  %s1 = memplan.slot size(%bytes) align(64)
  %arena = memplan.arena of(%s0, %s1) align(64) : memref<?xi8>
  // expected-note @+1 {{the buffer at [0, ...) of slot 0 is placed here}}
  %a = memplan.view %arena[%s0](%n) align(64) : memref<?xi8> to memref<?x64xf32>
  linalg.exp ins(%x : memref<?x64xf32>) outs(%a : memref<?x64xf32>)
  // expected-note @+1 {{the buffer at [0, ...) of slot 1 is placed here}}
  %b = memplan.view %arena[%s1](%n) align(64) : memref<?xi8> to memref<?x64xf32>
  // expected-error @+1 {{writes buffer at bytes [0, ...) of slot 1 of the arena and uses the buffer at [0, ...) of slot 0, which shares bytes with it}}
  linalg.abs ins(%a : memref<?x64xf32>) outs(%b : memref<?x64xf32>)
  memref.copy %b, %y : memref<?x64xf32> to memref<?x64xf32>
  memplan.release %arena : memref<?xi8>
  return
}

// -----

// The edge between %s0 and %s1 is turned. %s2 is still above %s1, but not above
// %s0 any more.
func.func @edge_turned(%x: memref<?xf32>, %k: memref<16xf32>,
                       %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %bytes = arith.muli %n, %c4 : index
  %s1 = memplan.slot size(%c64) align(64)
  %s0 = memplan.slot above(%s1) size(%bytes) align(64)
  %s2 = memplan.slot above(%s1) size(%bytes) align(64)
  %arena = memplan.arena of(%s0, %s2) align(64) : memref<?xi8>
  // expected-note @+1 {{is placed here}}
  %a = memplan.view %arena[%s0](%n) align(64) : memref<?xi8> to memref<?xf32>
  %b = memplan.view %arena[%s1] align(64) : memref<?xi8> to memref<16xf32>
  // expected-note @+1 {{is placed here}}
  %c = memplan.view %arena[%s2](%n) align(64) : memref<?xi8> to memref<?xf32>
  linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  linalg.exp ins(%k : memref<16xf32>) outs(%b : memref<16xf32>)
  // expected-error @+1 {{which shares bytes with it}}
  linalg.abs ins(%a : memref<?xf32>) outs(%c : memref<?xf32>)
  linalg.exp ins(%b : memref<16xf32>) outs(%k : memref<16xf32>)
  linalg.add ins(%a, %c : memref<?xf32>, memref<?xf32>) outs(%y : memref<?xf32>)
  memplan.release %arena : memref<?xi8>
  return
}

// -----

// The slot is a constant number of bytes short.
func.func @size_short(%x: memref<?x64xf32>) {
  %c0 = arith.constant 0 : index
  %c252 = arith.constant 252 : index
  %n = memref.dim %x, %c0 : memref<?x64xf32>
  %bytes = arith.muli %n, %c252 : index
  // expected-note @+1 {{the slot}}
  %s0 = memplan.slot size(%bytes) align(64)
  %arena = memplan.arena of(%s0) align(64) : memref<?xi8>
  // expected-error @+1 {{is not known to be at most as large as its slot}}
  %a = memplan.view %arena[%s0](%n) align(64) : memref<?xi8> to memref<?x64xf32>
  memplan.release %arena : memref<?xi8>
  return
}

// -----

// The slot is one element short.
func.func @one_element_short(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %all = arith.muli %n, %c4 : index
  %bytes = arith.subi %all, %c4 : index
  // expected-note @+1 {{the slot}}
  %s0 = memplan.slot size(%bytes) align(64)
  %arena = memplan.arena of(%s0) align(64) : memref<?xi8>
  // expected-error @+1 {{is not known to be at most as large as its slot}}
  %a = memplan.view %arena[%s0](%n) align(64) : memref<?xi8> to memref<?xf32>
  memplan.release %arena : memref<?xi8>
  return
}

// -----

// The slot has the extent of another dimension.
func.func @wrong_extent(%x: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %n = memref.dim %x, %c0 : memref<?x?xf32>
  %m = memref.dim %x, %c1 : memref<?x?xf32>
  %bytes = arith.muli %m, %c4 : index
  // expected-note @+1 {{the slot}}
  %s0 = memplan.slot size(%bytes) align(64)
  %arena = memplan.arena of(%s0) align(64) : memref<?xi8>
  // expected-error @+1 {{is not known to be at most as large as its slot}}
  %a = memplan.view %arena[%s0](%n) align(64) : memref<?xi8> to memref<?xf32>
  memplan.release %arena : memref<?xi8>
  return
}

// -----

// A hint is not a bound.
func.func @hint(%x: memref<?xf32> {memplan.dim_hints = array<i64: 1024>}) {
  %c0 = arith.constant 0 : index
  %bytes = arith.constant 4096 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  // expected-note @+1 {{the slot}}
  %s0 = memplan.slot size(%bytes) align(64)
  %arena = memplan.arena of(%s0) align(64) : memref<?xi8>
  // expected-error @+1 {{is not known to be at most as large as its slot}}
  %a = memplan.view %arena[%s0](%n) align(64) : memref<?xi8> to memref<?xf32>
  memplan.release %arena : memref<?xi8>
  return
}

// -----

func.func @static_too_large(%x: memref<?xf32>) {
  %bytes = arith.constant 60 : index
  // expected-note @+1 {{the slot}}
  %s0 = memplan.slot size(%bytes) align(64)
  %arena = memplan.arena of(%s0) align(64) : memref<?xi8>
  // expected-error @+1 {{is not known to be at most as large as its slot}}
  %a = memplan.view %arena[%s0] align(64) : memref<?xi8> to memref<16xf32>
  memplan.release %arena : memref<?xi8>
  return
}

// -----

func.func @not_held(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %c4 = arith.constant 4 : index
  %bytes = arith.muli %n, %c4 : index
  %s0 = memplan.slot size(%bytes) align(64)
  %s1 = memplan.slot above(%s0) size(%bytes) align(64)
  // expected-note @+1 {{the arena}}
  %arena = memplan.arena of(%s0) align(64) : memref<?xi8>
  // expected-error @+1 {{is in a slot that the arena does not hold}}
  %a = memplan.view %arena[%s1](%n) align(64) : memref<?xi8> to memref<?xf32>
  memplan.release %arena : memref<?xi8>
  return
}

// -----

// The slot may begin at byte 64, where the constant place has not ended.
func.func @below_the_end(%x: memref<?xf32>, %k: memref<32xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %bytes = arith.muli %n, %c4 : index
  %s0 = memplan.slot least(64) size(%bytes) align(64)
  %arena = memplan.arena least(128) of(%s0) align(64) : memref<?xi8>
  // expected-note @+1 {{the buffer at [0, 128) is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<?xi8> to memref<32xf32>
  %b = memplan.view %arena[%s0](%n) align(64) : memref<?xi8> to memref<?xf32>
  linalg.exp ins(%k : memref<32xf32>) outs(%a : memref<32xf32>)
  // expected-note @+1 {{are written here}}
  linalg.exp ins(%x : memref<?xf32>) outs(%b : memref<?xf32>)
  // expected-error @+1 {{reads buffer at bytes [0, 128) of the arena, which 'linalg.exp' through the buffer at [0, ...) of slot 0 has overwritten}}
  linalg.abs ins(%a : memref<32xf32>) outs(%k : memref<32xf32>)
  linalg.abs ins(%b : memref<?xf32>) outs(%x : memref<?xf32>)
  memplan.release %arena : memref<?xi8>
  return
}

// -----

// The bytes of the constant place end behind the least size of the arena.
func.func @constant_outside(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %bytes = arith.muli %n, %c4 : index
  %s0 = memplan.slot size(%bytes) align(64)
  // expected-note @+1 {{the arena}}
  %arena = memplan.arena least(64) of(%s0) align(64) : memref<?xi8>
  // expected-error @+1 {{takes 128 bytes at offset 0 but the arena has 64}}
  %a = memplan.view %arena[0] align(64) : memref<?xi8> to memref<32xf32>
  memplan.release %arena : memref<?xi8>
  return
}

// -----

// A transposition cannot be in place.
func.func @transposed_in_place(%x: memref<?x?xf32>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %n = memref.dim %x, %c0 : memref<?x?xf32>
  %m = memref.dim %x, %c1 : memref<?x?xf32>
  %nm = arith.muli %n, %m : index
  %bytes = arith.muli %nm, %c4 : index
  %s0 = memplan.slot size(%bytes) align(64)
  %arena = memplan.arena of(%s0) align(64) : memref<?xi8>
  // expected-note @+1 {{is placed here}}
  %a = memplan.view %arena[%s0](%n, %m) align(64)
      : memref<?xi8> to memref<?x?xf32>
  linalg.exp ins(%x : memref<?x?xf32>) outs(%a : memref<?x?xf32>)
  // expected-note @+1 {{is placed here}}
  %b = memplan.view %arena[%s0](%m, %n) align(64)
      : memref<?xi8> to memref<?x?xf32>
  // expected-error @+1 {{which shares bytes with it}}
  linalg.transpose ins(%a : memref<?x?xf32>) outs(%b : memref<?x?xf32>)
      permutation = [1, 0]
  memref.copy %b, %y : memref<?x?xf32> to memref<?x?xf32>
  memplan.release %arena : memref<?xi8>
  return
}

// -----

// Nobody checks the bound of the extent.
func.func @check_removed(%x: memref<?xf32> {memplan.dim_bounds = array<i64: 0, 1024, 1>}) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %arena = memplan.arena align(64) : memref<4096xi8>
  // expected-error @+1 {{whose size in bytes is not known, cannot be verified}}
  %a = memplan.view %arena[0](%n) align(64) : memref<4096xi8> to memref<?xf32>
  memplan.release %arena : memref<4096xi8>
  return
}

// -----

// The check comes behind an access.
func.func @late_check(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1024 = arith.constant 1024 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %arena = memplan.arena align(64) : memref<4096xi8>
  memref.store %zero, %x[%c0] : memref<?xf32>
  %holds = arith.cmpi sle, %n, %c1024 : index
  cf.assert %holds, "too large"
  // expected-error @+1 {{whose size in bytes is not known, cannot be verified}}
  %a = memplan.view %arena[0](%n) align(64) : memref<4096xi8> to memref<?xf32>
  memplan.release %arena : memref<4096xi8>
  return
}

// -----

// The check is one element short of the place.
func.func @check_too_weak(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1024 = arith.constant 1025 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %holds = arith.cmpi sle, %n, %c1024 : index
  cf.assert %holds, "too large"
  // expected-note @+1 {{the arena}}
  %arena = memplan.arena align(64) : memref<4096xi8>
  // expected-error @+1 {{takes 4100 bytes at offset 0 but the arena has 4096}}
  %a = memplan.view %arena[0](%n) align(64) : memref<4096xi8> to memref<?xf32>
  memplan.release %arena : memref<4096xi8>
  return
}

// -----

// The check is about another dimension.
func.func @check_of_another(%x: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1024 = arith.constant 1024 : index
  %n = memref.dim %x, %c0 : memref<?x?xf32>
  %m = memref.dim %x, %c1 : memref<?x?xf32>
  %holds = arith.cmpi sle, %m, %c1024 : index
  cf.assert %holds, "too large"
  %arena = memplan.arena align(64) : memref<4096xi8>
  // expected-error @+1 {{whose size in bytes is not known, cannot be verified}}
  %a = memplan.view %arena[0](%n) align(64) : memref<4096xi8> to memref<?xf32>
  memplan.release %arena : memref<4096xi8>
  return
}

// -----

// Two buffers at one place, of which the first is used on.
func.func @bounded_clash(%x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1024 = arith.constant 1024 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %holds = arith.cmpi ule, %n, %c1024 : index
  cf.assert %holds, "too large"
  %arena = memplan.arena align(64) : memref<4160xi8>
  // expected-note @+1 {{is placed here}}
  %a = memplan.view %arena[0](%n) align(64) : memref<4160xi8> to memref<?xf32>
  linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  // expected-note @+1 {{is placed here}}
  %b = memplan.view %arena[64](%n) align(64) : memref<4160xi8> to memref<?xf32>
  // expected-error @+1 {{which shares bytes with it}}
  linalg.abs ins(%a : memref<?xf32>) outs(%b : memref<?xf32>)
  memref.copy %b, %y : memref<?xf32> to memref<?xf32>
  memplan.release %arena : memref<4160xi8>
  return
}

// -----

// A negative number is the greater one of unsigned numbers, but a slot of that size is empty.
func.func @negative_maximum(%n: index, %m: index, %out: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %bytes = arith.muli %n, %c4 : index
  %less = arith.subi %c0, %m : index
  %size = arith.maxui %bytes, %less : index
  // expected-note @+1 {{the slot}}
  %s0 = memplan.slot size(%size) align(64)
  %arena = memplan.arena of(%s0) align(64) : memref<?xi8>
  // expected-error @+1 {{is not known to be at most as large as its slot}}
  %a = memplan.view %arena[%s0](%n) align(64) : memref<?xi8> to memref<?xf32>
  linalg.exp ins(%out : memref<?xf32>) outs(%a : memref<?xf32>)
  memplan.release %arena : memref<?xi8>
  return
}

// -----

// The same for a negative multiple of the extent.
func.func @negative_multiple(%n: index, %m: index, %out: memref<?xf32>) {
  %c4 = arith.constant 4 : index
  %bytes = arith.muli %n, %c4 : index
  %less = arith.constant -4 : index
  %size = arith.muli %n, %less : index
  // expected-note @+1 {{the slot}}
  %s0 = memplan.slot size(%size) align(64)
  %arena = memplan.arena of(%s0) align(64) : memref<?xi8>
  // expected-error @+1 {{is not known to be at most as large as its slot}}
  %a = memplan.view %arena[%s0](%n) align(64) : memref<?xi8> to memref<?xf32>
  linalg.exp ins(%out : memref<?xf32>) outs(%a : memref<?xf32>)
  memplan.release %arena : memref<?xi8>
  return
}

// -----

// A multiple that may wrap around to less.
func.func @wrapping_multiple(%n: index, %m: index, %out: memref<?xf32>) {
  %c4 = arith.constant 4 : index
  %bytes = arith.muli %n, %c4 : index
  %much = arith.constant 70368744177664 : index
  %size = arith.muli %n, %much : index
  // expected-note @+1 {{the slot}}
  %s0 = memplan.slot size(%size) align(64)
  %arena = memplan.arena of(%s0) align(64) : memref<?xi8>
  // expected-error @+1 {{is not known to be at most as large as its slot}}
  %a = memplan.view %arena[%s0](%n) align(64) : memref<?xi8> to memref<?xf32>
  linalg.exp ins(%out : memref<?xf32>) outs(%a : memref<?xf32>)
  memplan.release %arena : memref<?xi8>
  return
}

// -----

// The sizes of neither arena are stated, and two buffers of the second have one slot.
func.func @second_arena(%n: index, %x: memref<?xf32>, %out: memref<?xf32>,
    %first: memref<?xi8> {memplan.arena = 64 : i64},
    %second: memref<?xi8, 1> {memplan.arena = 64 : i64}) {
  %c4 = arith.constant 4 : index
  %bytes = arith.muli %n, %c4 : index
  %s0 = memplan.slot size(%bytes) align(64)
  %s1 = memplan.slot above(%s0) size(%bytes) align(64)
  %a = memplan.view %first[%s0](%n) align(64) : memref<?xi8> to memref<?xf32>
  %b = memplan.view %first[%s1](%n) align(64) : memref<?xi8> to memref<?xf32>
  linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  linalg.abs ins(%a : memref<?xf32>) outs(%b : memref<?xf32>)
  %s2 = memplan.slot size(%bytes) align(64)
  // expected-note @+1 {{is placed here}}
  %c = memplan.view %second[%s2](%n) align(64) : memref<?xi8, 1> to memref<?xf32, 1>
  %d = memplan.view %second[%s2](%n) align(64) : memref<?xi8, 1> to memref<?xf32, 1>
  linalg.exp ins(%b : memref<?xf32>) outs(%c : memref<?xf32, 1>)
  // expected-note @+1 {{written here}}
  linalg.abs ins(%x : memref<?xf32>) outs(%d : memref<?xf32, 1>)
  // expected-error @+1 {{has overwritten}}
  linalg.add ins(%c, %d : memref<?xf32, 1>, memref<?xf32, 1>) outs(%out : memref<?xf32>)
  return
}

// -----

// A slot of a negative size is empty, and its buffer is not.
func.func @negative_slot(%x: memref<?xf32>) {
  %size = arith.constant -12 : index
  %c3 = arith.constant 3 : index
  // expected-note @+1 {{the slot}}
  %s0 = memplan.slot size(%size) align(64)
  %arena = memplan.arena of(%s0) align(64) : memref<?xi8>
  // expected-error @+1 {{is not known to be at most as large as its slot}}
  %a = memplan.view %arena[%s0](%c3) align(64) : memref<?xi8> to memref<?xf32>
  memplan.release %arena : memref<?xi8>
  return
}

// -----

// The frame of worker -1 is in the slot below.
func.func @before_the_slot(%x: memref<?xi8>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %cm1 = arith.constant -1 : index
  %c128 = arith.constant 128 : index
  %n = memref.dim %x, %c0 : memref<?xi8>
  %s0 = memplan.slot size(%n) align(64)
  %s1 = memplan.slot above(%s0) size(%c128) align(64)
  %arena = memplan.arena of(%s0, %s1) align(64) : memref<?xi8>
  %b = memplan.view %arena[%s0](%n) align(64) : memref<?xi8> to memref<?xi8>
  memref.copy %x, %b : memref<?xi8> to memref<?xi8>
  scf.parallel (%i) = (%cm1) to (%c1) step (%c1) {
    // expected-error @+1 {{begins at byte -64 of its slot}}
    %a = memplan.view %arena[%s1 + %i * 64] align(64) : memref<?xi8> to memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  }
  memref.copy %b, %x : memref<?xi8> to memref<?xi8>
  memplan.release %arena : memref<?xi8>
  return
}

// -----

// The same, lowered.
func.func @before_the_lowered_slot(%x: memref<?xi8>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %cm1 = arith.constant -1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena, memplan.slots = [array<i64: 0>, array<i64: 0, 0>]} : memref<256xi8>
  %b = memref.view %arena[%c0][] {memplan.slot = array<i64: 0, 0>} : memref<256xi8> to memref<128xi8>
  scf.parallel (%i) = (%cm1) to (%c1) step (%c1) {
    %frame = arith.muli %i, %c64 : index
    %shift = arith.addi %c128, %frame : index
    // expected-error @+1 {{begins at byte -64 of its slot}}
    %a = memref.view %arena[%shift][] {memplan.slot = array<i64: 1, 0>} : memref<256xi8> to memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  }
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// Slots that an arena states are those of lowered placements: the verifier would
// not compare another placement with them.
func.func @both_forms(%x: memref<128xi8>, %f: f32) {
  %c0 = arith.constant 0 : index
  // expected-note @+1 {{the arena}}
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena, memplan.slots = [array<i64: 0>, array<i64: 0, 0>]} : memref<256xi8>
  %b = memref.view %arena[%c0][] {memplan.slot = array<i64: 0, 0>} : memref<256xi8> to memref<128xi8>
  memref.copy %x, %b : memref<128xi8> to memref<128xi8>
  // expected-error @+1 {{is in an arena that states slots, which has lowered placements alone, cannot be verified}}
  %a = memplan.view %arena[0] align(64) : memref<256xi8> to memref<16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  memref.copy %b, %x : memref<128xi8> to memref<128xi8>
  memref.dealloc %arena : memref<256xi8>
  return
}
