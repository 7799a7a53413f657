// One case for each message of the verifiers and parsers.
// RUN: memplan-opt %s -split-input-file -verify-diagnostics -allow-unregistered-dialect

//===----------------------------------------------------------------------===//
// memplan.problem
//===----------------------------------------------------------------------===//

// expected-error @below {{'memplan.problem' op alignment 48 is not a power of two}}
memplan.problem @align_not_a_power_of_two align(48) {}

// -----

// expected-error @below {{'memplan.problem' op alignment 0 is not a power of two}}
memplan.problem @align_zero align(0) {}

// -----

// The sign bit is not a power of two.
// expected-error @below {{'memplan.problem' op alignment -9223372036854775808 is not a power of two}}
memplan.problem @align_sign_bit align(-9223372036854775808) {}

// -----

// expected-error @below {{'memplan.problem' op capacity -1 is negative}}
memplan.problem @capacity_negative capacity(-1) {}

// -----

// expected-error @below {{'memplan.problem' op arena size -64 is negative}}
memplan.problem @arena_size_negative attributes {arena_size = -64 : i64} {}

// -----

// expected-error @below {{'memplan.problem' op lower bound -64 is negative}}
memplan.problem @lower_bound_negative attributes {lower_bound = -64 : i64} {}

// -----

// expected-error @below {{'memplan.problem' op has the unknown status 'perfect'}}
memplan.problem @status_unknown attributes {status = "perfect"} {}

// -----

memplan.problem @foreign_op {
  // expected-error @below {{'test.op' op is not allowed in a memplan.problem}}
  "test.op"() : () -> ()
}

// -----

memplan.problem @nested_problem {
  // expected-error @below {{'memplan.problem' op is not allowed in a memplan.problem}}
  memplan.problem @inner {}
}

// -----

// expected-error @below {{'memplan.problem' op has block arguments}}
"memplan.problem"() <{function = "block_arguments"}> ({
^bb0(%0: index):
}) : () -> ()

// -----

// expected-error @below {{failed to verify constraint: region with 1 blocks}}
"memplan.problem"() <{function = "no_block"}> ({}) : () -> ()

// -----

// expected-error @below {{'memplan.problem' op expects region #0 to have 0 or 1 blocks}}
"memplan.problem"() <{function = "two_blocks"}> ({
^bb0:
  "test.branch"() [^bb1] : () -> ()
^bb1:
}) : () -> ()

// -----

// expected-error @below {{'memplan.problem' op requires attribute 'function'}}
"memplan.problem"() ({
^bb0:
}) : () -> ()

// -----

// The function of a problem is a name, not an attribute of another kind.
// expected-error @below {{Invalid attribute `function` in property conversion: 1 : i64}}
"memplan.problem"() <{function = 1 : i64}> ({
^bb0:
}) : () -> ()

// -----

//===----------------------------------------------------------------------===//
// memplan.buffer
//===----------------------------------------------------------------------===//

memplan.problem @name_empty {
  // expected-error @below {{'memplan.buffer' op has an empty name}}
  memplan.buffer @"" size(4) live [[0, 1)]
}

// -----

memplan.problem @size_negative {
  // expected-error @below {{'memplan.buffer' op size -4 is negative}}
  memplan.buffer @a size(-4) live [[0, 1)]
}

// -----

memplan.problem @buffer_align {
  // expected-error @below {{'memplan.buffer' op alignment 3 is not a power of two}}
  memplan.buffer @a size(4) align(3) live [[0, 1)]
}

// -----

memplan.problem @buffer_align_exceeds_arena {
  // expected-error @below {{'memplan.buffer' op alignment 128 exceeds the alignment of the arena, 64}}
  memplan.buffer @a size(4) align(128) live [[0, 1)]
}

// -----

memplan.problem @no_range {
  // expected-error @below {{'memplan.buffer' op has no live range}}
  memplan.buffer @a size(4) live []
}

// -----

memplan.problem @odd_points {
  // expected-error @below {{'memplan.buffer' op has a live range without an end}}
  "memplan.buffer"() <{sym_name = "a", size = 4 : i64, align = 1 : i64, live = array<i64: 0, 1, 2>}> : () -> ()
}

// -----

memplan.problem @range_empty {
  // expected-error @below {{'memplan.buffer' op live range [1, 1) is empty}}
  memplan.buffer @a size(4) live [[1, 1)]
}

// -----

memplan.problem @range_backwards {
  // expected-error @below {{'memplan.buffer' op live range [5, 3) is empty}}
  memplan.buffer @a size(4) live [[5, 3)]
}

// -----

memplan.problem @ranges_unsorted {
  // expected-error @below {{'memplan.buffer' op live range [0, 2) does not come after [4, 6)}}
  memplan.buffer @a size(4) live [[4, 6), [0, 2)]
}

// -----

memplan.problem @ranges_overlap {
  // expected-error @below {{'memplan.buffer' op live range [3, 8) does not come after [0, 4)}}
  memplan.buffer @a size(4) live [[0, 4), [3, 8)]
}

// -----

memplan.problem @offset_negative {
  // expected-error @below {{'memplan.buffer' op offset -64 is negative}}
  memplan.buffer @a size(4) align(64) live [[0, 1)] offset(-64)
}

// -----

memplan.problem @offset_misaligned {
  // expected-error @below {{'memplan.buffer' op offset 32 is not a multiple of its alignment 64}}
  memplan.buffer @a size(4) align(64) live [[0, 1)] offset(32)
}

// -----

memplan.problem @end_overflows {
  // expected-error @below {{'memplan.buffer' op offset 1 plus size 9223372036854775807 exceeds 64 bits}}
  memplan.buffer @a size(9223372036854775807) live [[0, 1)] offset(1)
}

// -----

memplan.problem @pin_without_offset {
  // expected-error @below {{'memplan.buffer' op is pinned but has no offset}}
  memplan.buffer @a size(4) live [[0, 1)] pinned
}

// -----

// expected-error @below {{'memplan.buffer' op expects parent op 'memplan.problem'}}
memplan.buffer @outside size(4) live [[0, 1)]

// -----

memplan.problem @one_name_twice {
  // expected-note @below {{see existing symbol definition here}}
  memplan.buffer @a size(4) live [[0, 1)]
  // expected-error @below {{redefinition of symbol named 'a'}}
  memplan.buffer @a size(4) live [[0, 1)]
}

// -----

memplan.problem @size_of_wrong_width {
  // expected-error @below {{attribute 'size' failed to satisfy constraint: 64-bit signless integer attribute}}
  "memplan.buffer"() <{sym_name = "a", size = 4 : i32, live = array<i64: 0, 1>}> : () -> ()
}

// -----

memplan.problem @size_of_too_many_bits {
  // expected-error @below {{attribute 'size' failed to satisfy constraint: 64-bit signless integer attribute}}
  "memplan.buffer"() <{sym_name = "a", size = 340282366920938463463374607431768211455 : i128, live = array<i64: 0, 1>}> : () -> ()
}

// -----

memplan.problem @live_of_wrong_width {
  // expected-error @below {{Invalid attribute `live` in property conversion: array<i32: 0, 1>}}
  "memplan.buffer"() <{sym_name = "a", size = 4 : i64, live = array<i32: 0, 1>}> : () -> ()
}

// -----

memplan.problem @size_missing {
  // expected-error @below {{'memplan.buffer' op requires attribute 'size'}}
  "memplan.buffer"() <{sym_name = "a", live = array<i64: 0, 1>}> : () -> ()
}

// -----

memplan.problem @size_beyond_64_bits {
  // expected-error @below {{integer value too large}}
  memplan.buffer @a size(9223372036854775808) live [[0, 1)]
}

// -----

memplan.problem @size_not_a_number {
  // expected-error @below {{expected integer value}}
  memplan.buffer @a size(big) live [[0, 1)]
}

// -----

memplan.problem @range_without_end {
  // expected-error @below {{expected ','}}
  memplan.buffer @a size(4) live [[0)]
}

// -----

memplan.problem @range_closed {
  // expected-error @below {{expected ')'}}
  memplan.buffer @a size(4) live [[0, 1]]
}

// -----

memplan.problem @ranges_without_brackets {
  // expected-error @below {{expected '['}}
  memplan.buffer @a size(4) live 0
}

// -----

//===----------------------------------------------------------------------===//
// memplan.conflict and memplan.overlap
//===----------------------------------------------------------------------===//

memplan.problem @conflict_with_itself {
  memplan.buffer @a size(64) live [[0, 1)]
  // expected-error @below {{'memplan.conflict' op names @a twice}}
  memplan.conflict @a, @a
}

// -----

memplan.problem @conflict_first_unknown {
  memplan.buffer @a size(64) live [[0, 1)]
  // expected-error @below {{'memplan.conflict' op names @b, which is no buffer of the problem}}
  memplan.conflict @b, @a
}

// -----

memplan.problem @conflict_second_unknown {
  memplan.buffer @a size(64) live [[0, 1)]
  // expected-error @below {{'memplan.conflict' op names @b, which is no buffer of the problem}}
  memplan.conflict @a, @b
}

// -----

// expected-error @below {{'memplan.conflict' op expects parent op 'memplan.problem'}}
memplan.conflict @a, @b

// -----

memplan.problem @soft_conflict_with_itself {
  memplan.buffer @a size(64) live [[0, 1)]
  // expected-error @below {{'memplan.soft_conflict' op names @a twice}}
  memplan.soft_conflict @a, @a weight(1)
}

// -----

memplan.problem @soft_conflict_negative {
  memplan.buffer @a size(64) live [[0, 1)]
  memplan.buffer @b size(64) live [[0, 1)]
  // expected-error @below {{weight -1 is negative}}
  memplan.soft_conflict @a, @b weight(-1)
}

// -----

memplan.problem @soft_conflict_without_banks {
  memplan.buffer @a size(64) live [[0, 1)]
  memplan.buffer @b size(64) live [[0, 1)]
  // expected-error @below {{is about banks, and the problem has none}}
  memplan.soft_conflict @a, @b weight(1) of_bank
}

// -----

memplan.problem @soft_conflict_unknown {
  memplan.buffer @a size(64) live [[0, 1)]
  // expected-error @below {{'memplan.soft_conflict' op names @b, which is no buffer of the problem}}
  memplan.soft_conflict @a, @b weight(1)
}

// -----

// expected-error @below {{has banks of 0 bytes}}
memplan.problem @banks_of_nothing banks(0) {
}

// -----

memplan.problem @all_or_none_unknown {
  memplan.buffer @a size(64) live [[0, 1)]
  // expected-error @below {{'memplan.all_or_none' op names @b, which is no buffer of the problem}}
  memplan.all_or_none @b, @a
}

// -----

memplan.problem @overlap_with_itself {
  memplan.buffer @a size(64) live [[0, 1)]
  // expected-error @below {{'memplan.overlap' op names @a twice}}
  memplan.overlap @a, @a by [0, 0]
}

// -----

memplan.problem @overlap_first_unknown {
  memplan.buffer @a size(64) live [[0, 1)]
  // expected-error @below {{'memplan.overlap' op names @b, which is no buffer of the problem}}
  memplan.overlap @b, @a by [0, 0]
}

// -----

memplan.problem @overlap_second_unknown {
  memplan.buffer @a size(64) live [[0, 1)]
  // expected-error @below {{'memplan.overlap' op names @b, which is no buffer of the problem}}
  memplan.overlap @a, @b by [0, 0]
}

// -----

memplan.problem @overlap_interval_empty {
  memplan.buffer @a size(64) live [[0, 1)]
  memplan.buffer @b size(64) live [[0, 1)]
  // expected-error @below {{'memplan.overlap' op interval [1, 0] is empty}}
  memplan.overlap @a, @b by [1, 0]
}

// -----

// expected-error @below {{'memplan.overlap' op expects parent op 'memplan.problem'}}
memplan.overlap @a, @b by [0, 0]

// -----

//===----------------------------------------------------------------------===//
// The planned program
//===----------------------------------------------------------------------===//

func.func @arena_of_floats() {
  // expected-error @below {{result #0 must be 1D memref of 8-bit signless integer values, but got 'memref<64xf32>'}}
  %0 = memplan.arena align(64) : memref<64xf32>
  return
}

// -----

func.func @arena_of_rank_2() {
  // expected-error @below {{result #0 must be 1D memref of 8-bit signless integer values, but got 'memref<8x8xi8>'}}
  %0 = memplan.arena align(64) : memref<8x8xi8>
  return
}

// -----

func.func @arena_dynamic() {
  // expected-error @below {{'memplan.arena' op result 'memref<?xi8>' has a dynamic shape}}
  %0 = memplan.arena align(64) : memref<?xi8>
  return
}

// -----

func.func @arena_with_layout() {
  // expected-error @below {{'memplan.arena' op result 'memref<64xi8, strided<[2]>>' has a layout}}
  %0 = memplan.arena align(64) : memref<64xi8, strided<[2]>>
  return
}

// -----

func.func @arena_align() {
  // expected-error @below {{'memplan.arena' op alignment 65 is not a power of two}}
  %0 = memplan.arena align(65) : memref<64xi8>
  return
}

// -----

func.func @release_of_argument(%0: memref<64xi8>) {
  // expected-error @below {{'memplan.release' op needs the result of a memplan.arena}}
  memplan.release %0 : memref<64xi8>
  return
}

// -----

func.func @view_dynamic() {
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-error @below {{'memplan.view' op result 'memref<?xf32>' has a dynamic shape}}
  %0 = memplan.view %arena[0] align(4) : memref<64xi8> to memref<?xf32>
  return
}

// -----

func.func @view_with_layout() {
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-error @below {{'memplan.view' op result 'memref<4xf32, strided<[1], offset: 4>>' has a layout}}
  %0 = memplan.view %arena[0] align(4) : memref<64xi8> to memref<4xf32, strided<[1], offset: 4>>
  return
}

// -----

func.func @view_align() {
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-error @below {{'memplan.view' op alignment 0 is not a power of two}}
  %0 = memplan.view %arena[0] align(0) : memref<64xi8> to memref<4xf32>
  return
}

// -----

func.func @view_without_strides(%w: index) {
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-error @below {{'memplan.view' op has 1 workers but 0 strides}}
  %0 = "memplan.view"(%arena, %w) {offset = 0 : i64, align = 4 : i64, operandSegmentSizes = array<i32: 1, 0, 1, 0>} : (memref<64xi8>, index) -> memref<4xf32>
  return
}

// -----

func.func @view_stride_misaligned(%w: index) {
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-error @below {{'memplan.view' op stride 18 is not a positive multiple of its alignment 4}}
  %0 = memplan.view %arena[0 + %w * 18] align(4) : memref<64xi8> to memref<4xf32>
  return
}

// -----

func.func @view_stride_zero(%w: index) {
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-error @below {{'memplan.view' op stride 0 is not a positive multiple of its alignment 4}}
  %0 = memplan.view %arena[0 + %w * 0] align(4) : memref<64xi8> to memref<4xf32>
  return
}

// -----

func.func @view_worker_without_factor(%w: index) {
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-error @below {{expected '*'}}
  %0 = memplan.view %arena[0 + %w] align(4) : memref<64xi8> to memref<4xf32>
  return
}

// -----

func.func @view_offset_negative() {
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-error @below {{'memplan.view' op offset -4 is negative}}
  %0 = memplan.view %arena[-4] align(4) : memref<64xi8> to memref<4xf32>
  return
}

// -----

func.func @view_misaligned() {
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-error @below {{'memplan.view' op offset 6 is not a multiple of its alignment 4}}
  %0 = memplan.view %arena[6] align(4) : memref<64xi8> to memref<4xf32>
  return
}

// -----

func.func @view_in_another_space() {
  %arena = memplan.arena align(64) : memref<64xi8, 1>
  // expected-error @below {{'memplan.view' op is not in the memory space of its arena}}
  %0 = memplan.view %arena[0] align(4) : memref<64xi8, 1> to memref<4xf32>
  return
}

// -----

func.func @view_unranked() {
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-error @below {{invalid kind of type specified: expected builtin.memref, but found 'memref<*xf32>'}}
  %0 = memplan.view %arena[0] align(4) : memref<64xi8> to memref<*xf32>
  return
}

// -----

func.func @workspace_dynamic() {
  // expected-error @below {{'memplan.workspace' op result 'memref<?xi8>' has a dynamic shape}}
  %0 = memplan.workspace shared : memref<?xi8>
  return
}

// -----

func.func @workspace_with_layout() {
  // expected-error @below {{'memplan.workspace' op result 'memref<4xi8, strided<[2]>>' has a layout}}
  %0 = memplan.workspace unique : memref<4xi8, strided<[2]>>
  return
}

// -----

func.func @workspace_align() {
  // expected-error @below {{'memplan.workspace' op alignment 12 is not a power of two}}
  %0 = memplan.workspace shared align(12) : memref<4xi8>
  return
}

// -----

func.func @workspace_kind() {
  // expected-error @below {{expected string or keyword containing one of the following enum values for attribute 'kind' [shared, unique]}}
  %0 = memplan.workspace exclusive : memref<4xi8>
  return
}

// -----

//===----------------------------------------------------------------------===//
// Attributes on other ops
//===----------------------------------------------------------------------===//

func.func @buffer_name_not_a_string() {
  // expected-error @below {{'memref.alloc' op attribute 'memplan.buffer' must be a string, the name of a buffer}}
  %0 = memref.alloc() {memplan.buffer = 1 : i64} : memref<4xi8>
  return
}

// -----

func.func @arena_mark_not_unit() {
  // expected-error @below {{'memref.alloc' op attribute 'memplan.arena' must be a unit attribute}}
  %0 = memref.alloc() {memplan.arena = true} : memref<4xi8>
  return
}

// -----

func.func @arena_mark_elsewhere() {
  // expected-error @below {{'arith.constant' op attribute 'memplan.arena' belongs on the memref.alloc, memref.alloca, memref.get_global or gpu.alloc of an arena}}
  %0 = arith.constant {memplan.arena} 0 : index
  return
}

// -----

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

func.func @unknown_attribute() {
  // expected-error @below {{'memref.alloc' op attribute 'memplan.stpe' is not one of the memplan dialect}}
  %a = memref.alloc() {memplan.stpe = 1 : i64} : memref<4xf32>
  return
}

// -----

// expected-error @below {{'func.func' op attribute 'memplan.step' of an argument is not one of the memplan dialect}}
func.func @attribute_of_an_argument(%a: memref<4xf32> {memplan.step = 1 : i64}) {
  return
}

// -----

// expected-error @below {{'func.func' op attribute 'memplan.arena' of an argument must be its alignment, a 64-bit integer that is a power of two}}
func.func @arena_argument(%a: memref<4xi8> {memplan.arena = 48 : i64}) {
  return
}

// -----

// expected-error @below {{'func.func' op attribute 'memplan.step' belongs on an op of a function}}
func.func @step_of_a_function() attributes {memplan.step = 0 : i64} {
  return
}

// -----

// expected-error @below {{'func.func' op attribute 'memplan.overwrites' belongs on a memref argument of a function without a body and has the numbers of other memref arguments, each with bufferization.access = "read" or llvm.readonly}}
func.func private @overwrites_what_it_may_write(
    memref<4xf32>, memref<4xf32> {memplan.overwrites = array<i64: 0>})

// -----

// expected-error @below {{attribute 'memplan.overwrites' belongs on a memref argument}}
func.func private @overwrites_itself(
    memref<4xf32> {llvm.readonly, memplan.overwrites = array<i64: 0>})

// -----

// expected-error @below {{attribute 'memplan.overwrites' belongs on a memref argument}}
func.func private @overwrites_none_such(
    memref<4xf32> {llvm.readonly}, memref<4xf32> {memplan.overwrites = array<i64: 2>})

// -----

// expected-error @below {{attribute 'memplan.overwrites' belongs on a memref argument}}
func.func @overwrites_with_body(
    %a: memref<4xf32> {llvm.readonly}, %b: memref<4xf32> {memplan.overwrites = array<i64: 0>}) {
  return
}

// -----

func.func @slot_above_an_index(%n: index) {
  // expected-error @below {{'memplan.slot' op needs results of memplan.slot}}
  %0 = memplan.slot above(%n) size(%n) align(64)
  return
}

// -----

func.func @slot_alignment(%n: index) {
  // expected-error @below {{'memplan.slot' op alignment 48 is not a power of two}}
  %0 = memplan.slot size(%n) align(48)
  return
}

// -----

func.func @slot_below_zero(%n: index) {
  // expected-error @below {{'memplan.slot' op least offset -64 is negative}}
  %0 = memplan.slot least(-64) size(%n) align(64)
  return
}

// -----

func.func @static_arena_with_slots(%n: index) {
  %0 = memplan.slot size(%n) align(64)
  // expected-error @below {{'memplan.arena' op result 'memref<64xi8>' has 0 dynamic extents but the op has 1}}
  %1 = memplan.arena of(%0) align(64) : memref<64xi8>
  return
}

// -----

func.func @least_without_slots() {
  // expected-error @below {{'memplan.arena' op has a least size but no slots}}
  %0 = memplan.arena least(64) align(64) : memref<64xi8>
  return
}

// -----

func.func @global_of_slots(%n: index) {
  %0 = memplan.slot size(%n) align(64)
  // expected-error @below {{'memplan.arena' op is a global of no constant size}}
  %1 = memplan.arena global of(%0) align(64) : memref<?xi8>
  return
}

// -----

func.func @lowered_order(%n: index) {
  // expected-error @below {{'memref.alloc' op attribute 'memplan.slots' belongs on an arena and has, for each slot, its least offset and the numbers of slots before it that it is above}}
  %0 = memref.alloc(%n) {memplan.arena, memplan.slots = [array<i64: 0, 0>]} : memref<?xi8>
  return
}

// -----

func.func @lowered_slot(%n: index) {
  // expected-error @below {{'memref.alloc' op attribute 'memplan.slot' is the number of a slot and an offset in it, on a memref.view}}
  %0 = memref.alloc(%n) {memplan.slot = array<i64: 0, 0>} : memref<?xi8>
  return
}
