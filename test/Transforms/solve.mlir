// memplan-solve on problems written by hand.
// RUN: memplan-opt %s --memplan-solve | FileCheck %s
// RUN: memplan-opt %s --memplan-solve --memplan-solve | FileCheck %s
// RUN: memplan-opt %s --memplan-solve=strategy=naive \
// RUN:   | FileCheck %s --check-prefix=NAIVE
// RUN: memplan-opt %s --memplan-solve=strategy=greedy \
// RUN:   | FileCheck %s --check-prefix=GREEDY

// Three in a chain: the first and the third share bytes.
// CHECK-LABEL: memplan.problem @chain align(64)
// CHECK-SAME: arena_size = 192 : i64, lower_bound = 192 : i64, status = "optimal"
// NAIVE-LABEL: memplan.problem @chain
// NAIVE-SAME: arena_size = 256 : i64, lower_bound = 192 : i64, status = "feasible", strategy = "naive"
// GREEDY-LABEL: memplan.problem @chain
// GREEDY-SAME: strategy = "greedy-by-size"
memplan.problem @chain align(64) {
  // Below or above @b.
  // CHECK: @a size(64) align(64) live {{.*}} offset({{0|128}})
  // No reuse: one after the other.
  // NAIVE: @a {{.*}} offset(0)
  // It has the size of @c; the earlier one is placed first, above @b.
  // GREEDY: @a {{.*}} offset(128)
  memplan.buffer @a size(64) align(64) live [[0, 2)]
  // CHECK: @b size(128) align(64) live {{.*}} offset({{0|64}})
  // NAIVE: @b {{.*}} offset(64)
  // The largest first.
  // GREEDY: @b {{.*}} offset(0)
  memplan.buffer @b size(128) align(64) live [[1, 4)]
  // CHECK: @c size(64) align(64) live {{.*}} offset({{0|128}})
  // NAIVE: @c {{.*}} offset(192)
  // GREEDY: @c {{.*}} offset(128)
  memplan.buffer @c size(64) align(64) live [[3, 6)]
}

// The second is live in a gap of the first one's live ranges.
// CHECK-LABEL: memplan.problem @hole
// CHECK-SAME: arena_size = 64
memplan.problem @hole align(64) {
  // CHECK: @a {{.*}} offset(0)
  memplan.buffer @a size(64) align(64) live [[0, 2), [5, 7)]
  // CHECK: @b {{.*}} offset(0)
  memplan.buffer @b size(64) align(64) live [[2, 5)]
}

// Offsets of a problem without a status are pins: they are kept and marked, and
// the others are placed around them.
// CHECK-LABEL: memplan.problem @pins
// CHECK-SAME: arena_size = 192
memplan.problem @pins align(64) {
  // CHECK: @a {{.*}} offset(128) pinned
  memplan.buffer @a size(64) align(64) live [[0, 4)] offset(128)
  // Below the pin: the largest gap that fits.
  // CHECK: @b {{.*}} offset(0)
  // CHECK-NOT: pinned
  memplan.buffer @b size(128) align(64) live [[0, 4)]
}

// The offsets of an old plan are not pins; it is solved again.
// CHECK-LABEL: memplan.problem @solved_before
// CHECK-SAME: arena_size = 64
memplan.problem @solved_before align(64)
    attributes {status = "feasible", strategy = "naive",
                arena_size = 4096 : i64, lower_bound = 64 : i64} {
  // CHECK: @a {{.*}} offset(0)
  memplan.buffer @a size(64) align(64) live [[0, 4)] offset(4032)
}

// Their times do not overlap, but a conflict forbids them to share bytes.
// CHECK-LABEL: memplan.problem @conflict
// CHECK-SAME: arena_size = 128
memplan.problem @conflict align(64) {
  // CHECK: @a {{.*}} offset([[#A:]])
  memplan.buffer @a size(64) align(64) live [[0, 2)]
  // CHECK: @b {{.*}} offset([[#64 - A]])
  memplan.buffer @b size(64) align(64) live [[2, 4)]
  memplan.conflict @a, @b
}

// In place: both are live at 2, but have the same offset.
// CHECK-LABEL: memplan.problem @in_place
// CHECK-SAME: arena_size = 64
memplan.problem @in_place align(64) {
  // CHECK: @a {{.*}} offset(0)
  memplan.buffer @a size(64) align(64) live [[0, 3)]
  // CHECK: @b {{.*}} offset(0)
  memplan.buffer @b size(64) align(64) live [[2, 4)]
  memplan.overlap @a, @b by [0, 0]
}

// No buffers, and a buffer of 0 bytes.
// CHECK-LABEL: memplan.problem @empty
// CHECK-SAME: arena_size = 0
memplan.problem @empty {
}
// CHECK-LABEL: memplan.problem @no_bytes
// CHECK-SAME: arena_size = 0
memplan.problem @no_bytes {
  memplan.buffer @a size(0) live [[0, 1)]
  memplan.buffer @b size(0) live [[0, 1)]
}
