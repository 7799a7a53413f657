// Every op prints as it was written, and survives the generic form and
// bytecode.
// RUN: memplan-opt %s | FileCheck %s
// RUN: memplan-opt %s | memplan-opt | FileCheck %s
// RUN: memplan-opt %s -mlir-print-op-generic | memplan-opt | FileCheck %s
// RUN: memplan-opt %s --emit-bytecode | memplan-opt | FileCheck %s
// RUN: memplan-opt %s -mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// CHECK-LABEL: memplan.problem @everything align(128) capacity(65536) {
// GENERIC: "memplan.problem"() <{align = 128 : i64, capacity = 65536 : i64, function = "everything"}> ({
memplan.problem @everything align(128) capacity(65536) {
  // CHECK-NEXT: memplan.buffer @a size(4096) align(64) live {{\[}}[0, 7), [9, 12)]
  // GENERIC-NEXT: "memplan.buffer"() <{align = 64 : i64, live = array<i64: 0, 7, 9, 12>, size = 4096 : i64, sym_name = "a"}>
  memplan.buffer @a size(4096) align(64) live [[0, 7), [9, 12)]
  // CHECK-NEXT: memplan.buffer @b size(256) align(128) live {{\[}}[3, 5)] offset(4096)
  memplan.buffer @b size(256) align(128) live [[3, 5)] offset(4096)
  // An alignment of 1 is the default and is not printed.
  // CHECK-NEXT: memplan.buffer @c size(0) live {{\[}}[0, 1)] offset(3) pinned
  memplan.buffer @c size(0) align(1) live [[0, 1)] offset(3) pinned
  // CHECK-NEXT: memplan.conflict @a, @b
  memplan.conflict @a, @b
  // CHECK-NEXT: memplan.soft_conflict @a, @b weight(3)
  memplan.soft_conflict @a, @b weight(3)
  // CHECK-NEXT: memplan.all_or_none @a, @c
  memplan.all_or_none @a, @c
  // CHECK-NEXT: memplan.overlap @a, @c by [-64, 64]
  memplan.overlap @a, @c by [-64, 64]
}

// CHECK-LABEL: memplan.problem @banks
// CHECK-SAME: align(64) banks(4096) {
memplan.problem @banks align(64) banks(4096) {
  memplan.buffer @a size(64) live [[0, 1)]
  memplan.buffer @b size(64) live [[1, 2)]
  // CHECK: memplan.soft_conflict @a, @b weight(1) of_bank
  memplan.soft_conflict @a, @b weight(1) of_bank
}

// A solved problem has the results of the solver as attributes.
// CHECK-LABEL: memplan.problem @solved
// CHECK-SAME:  attributes {arena_size = 64 : i64, lower_bound = 64 : i64, status = "optimal", strategy = "best-fit"}
memplan.problem @solved attributes {status = "optimal", strategy = "best-fit",
                                    arena_size = 64 : i64,
                                    lower_bound = 64 : i64} {
  memplan.buffer @a size(64) live [[0, 1)] offset(0)
}

// An empty problem; one function may have a problem for each memory space.
// CHECK-LABEL: memplan.problem @spaces {
// CHECK-NEXT:  }
memplan.problem @spaces {}
// CHECK-NEXT: memplan.problem @spaces space(1 : i32) {
memplan.problem @spaces space(1 : i32) {}
// CHECK: memplan.problem @spaces space("fast") {
memplan.problem @spaces space("fast") {}

// Sizes, offsets and time points use all 63 bits.
// CHECK-LABEL: memplan.problem @extremes
memplan.problem @extremes align(4611686018427387904) capacity(9223372036854775807) {
  // CHECK-NEXT: memplan.buffer @all size(9223372036854775807) live {{\[}}[-9223372036854775808, 9223372036854775807)] offset(0)
  memplan.buffer @all size(9223372036854775807) live [[-9223372036854775808, 9223372036854775807)] offset(0)
  // CHECK-NEXT: memplan.buffer @none size(0) align(4611686018427387904) live {{\[}}[0, 1)]
  memplan.buffer @none size(0) align(4611686018427387904) live [[0, 1)]
  // CHECK-NEXT: memplan.overlap @all, @none by [-9223372036854775808, 9223372036854775807]
  memplan.overlap @all, @none by [-9223372036854775808, 9223372036854775807]
}

// Discardable names and attributes are preserved.
// CHECK-LABEL: memplan.problem @"odd name"
memplan.problem @"odd name" attributes {note = "kept"} {
  // CHECK-NEXT: memplan.buffer @"%0:1" size(1) live {{\[}}[0, 1)] {note = "kept"}
  memplan.buffer @"%0:1" size(1) live [[0, 1)] {note = "kept"}
}

// CHECK-LABEL: func.func @planned
func.func @planned() {
  // CHECK-NEXT: %[[ARENA:arena]] = memplan.arena align(64) : memref<8192xi8>
  %0 = memplan.arena align(64) : memref<8192xi8>
  // CHECK-NEXT: %[[VIEW:.*]] = memplan.view %[[ARENA]][4096] align(64) : memref<8192xi8> to memref<16x16xf32>
  %1 = memplan.view %0[4096] align(64) : memref<8192xi8> to memref<16x16xf32>
  // CHECK-NEXT: memplan.release %[[ARENA]] : memref<8192xi8>
  memplan.release %0 : memref<8192xi8>
  return
}

// One arena for each memory space; a view is in the space of its arena. Rank 0
// and 0 bytes are allowed.
// CHECK-LABEL: func.func @spaces_and_shapes
func.func @spaces_and_shapes() {
  // CHECK: memplan.arena align(1) : memref<64xi8, 1>
  %fast = memplan.arena align(1) : memref<64xi8, 1>
  // CHECK: memplan.view %{{.*}}[0] align(1) : memref<64xi8, 1> to memref<f64, 1>
  %0 = memplan.view %fast[0] align(1) : memref<64xi8, 1> to memref<f64, 1>
  // CHECK: memplan.arena align(64) : memref<0xi8>
  %empty = memplan.arena align(64) : memref<0xi8>
  // CHECK: memplan.view %{{.*}}[0] align(8) : memref<0xi8> to memref<4x0xindex>
  %1 = memplan.view %empty[0] align(8) : memref<0xi8> to memref<4x0xindex>
  return
}

// Bytes for each worker of one loop, or of two.
// CHECK-LABEL: func.func @workers
// CHECK-SAME: %[[V:.*]]: index, %[[W:.*]]: index
func.func @workers(%v: index, %w: index) {
  %0 = memplan.arena align(64) : memref<8192xi8>
  // CHECK: memplan.view %{{.*}}[128 + %[[V]] * 256] align(64) : memref<8192xi8> to memref<16xf32>
  %1 = memplan.view %0[128 + %v * 256] align(64) : memref<8192xi8> to memref<16xf32>
  // CHECK: memplan.view %{{.*}}[0 + %[[W]] * 512 + %[[V]] * 64] align(64) : memref<8192xi8> to memref<16xf32>
  %2 = memplan.view %0[0 + %w * 512 + %v * 64] align(64) : memref<8192xi8> to memref<16xf32>
  return
}

// Slots whose offsets depend on sizes that are known when the program runs.
// CHECK-LABEL: func.func @slots
// CHECK-SAME: %[[N:.*]]: index, %[[BYTES:.*]]: index, %[[W:.*]]: index
func.func @slots(%n: index, %bytes: index, %w: index) {
  // CHECK-NEXT: %[[S0:.*]] = memplan.slot size(%[[BYTES]]) align(64)
  %s0 = memplan.slot least(0) size(%bytes) align(64)
  // CHECK-NEXT: %[[S1:.*]] = memplan.slot least(4096) above(%[[S0]]) size(%[[BYTES]]) align(64)
  %s1 = memplan.slot least(4096) above(%s0) size(%bytes) align(64)
  // CHECK-NEXT: %[[ARENA:.*]] = memplan.arena least(4096) of(%[[S0]], %[[S1]]) align(64) : memref<?xi8>
  %0 = memplan.arena least(4096) of(%s0, %s1) align(64) : memref<?xi8>
  // CHECK-NEXT: memplan.view %[[ARENA]][%[[S0]]](%[[N]]) align(64) : memref<?xi8> to memref<?x16xf32>
  %1 = memplan.view %0[%s0](%n) align(64) : memref<?xi8> to memref<?x16xf32>
  // CHECK-NEXT: memplan.view %[[ARENA]][%[[S1]] + 128] align(64) : memref<?xi8> to memref<16xf32>
  %2 = memplan.view %0[%s1 + 128] align(64) : memref<?xi8> to memref<16xf32>
  // CHECK-NEXT: memplan.view %[[ARENA]][%[[S1]] + 128 + %[[W]] * 256] align(64) : memref<?xi8> to memref<16xf32>
  %3 = memplan.view %0[%s1 + 128 + %w * 256] align(64) : memref<?xi8> to memref<16xf32>
  // CHECK-NEXT: memplan.view %[[ARENA]][%[[S1]] + %[[W]] * 256] align(64) : memref<?xi8> to memref<16xf32>
  %4 = memplan.view %0[%s1 + %w * 256] align(64) : memref<?xi8> to memref<16xf32>
  return
}

// CHECK-LABEL: func.func @workspace
func.func @workspace() {
  // An alignment of 64 is the default and is not printed.
  // CHECK-NEXT: memplan.workspace shared : memref<4096xi8>
  %0 = memplan.workspace shared align(64) : memref<4096xi8>
  // CHECK-NEXT: memplan.workspace unique align(256) : memref<16xvector<4xf32>, 2>
  %1 = memplan.workspace unique align(256) : memref<16xvector<4xf32>, 2>
  return
}

// CHECK-LABEL: func.func @marked
func.func @marked() {
  // CHECK-NEXT: memref.alloc() {memplan.arena} : memref<64xi8>
  %0 = memref.alloc() {memplan.arena} : memref<64xi8>
  // CHECK-NEXT: memref.alloc() {memplan.buffer = "a"} : memref<64xi8>
  %1 = memref.alloc() {memplan.buffer = "a"} : memref<64xi8>
  return
}
