// Soft conflicts, pairs of all or none and banks in problems in IR: solved,
// translated and verified.
// RUN: memplan-opt %s --memplan-solve | FileCheck %s
// RUN: memplan-opt %s --memplan-solve | memplan-translate --problem-to-json | memplan-translate --json-to-problem | FileCheck %s --check-prefix=AGAIN

// Two of the three may be in 128 bytes without a wait, and the cheapest pair
// waits.
// CHECK-LABEL: memplan.problem @soft
// CHECK-SAME: arena_size = 128
// CHECK-SAME: penalty = 1
// CHECK-SAME: penalty_bound = 1
memplan.problem @soft align(64) capacity(128) {
  // CHECK: @a {{.*}} offset([[#A:]])
  memplan.buffer @a size(64) align(64) live [[0, 2)]
  // CHECK: @b {{.*}} offset([[#64 - A]])
  memplan.buffer @b size(64) align(64) live [[2, 4)]
  // CHECK: @c {{.*}} offset([[#A]])
  memplan.buffer @c size(64) align(64) live [[4, 6)]
  memplan.soft_conflict @a, @b weight(2)
  memplan.soft_conflict @b, @c weight(3)
  memplan.soft_conflict @a, @c weight(1)
}

// No buffer crosses a multiple of 192 bytes.
// CHECK-LABEL: memplan.problem @banks
// CHECK-SAME: arena_size = 320
memplan.problem @banks align(64) banks(192) {
  memplan.buffer @a size(128) align(64) live [[0, 2)]
  memplan.buffer @b size(128) align(64) live [[0, 2)]
}

// Both begin at one byte or share none: @b is not moved to the end of @a.
// CHECK-LABEL: memplan.problem @all_or_none
// CHECK-SAME: arena_size = 192
memplan.problem @all_or_none align(64) {
  memplan.buffer @a size(128) align(64) live [[0, 2)]
  memplan.buffer @b size(64) align(64) live [[2, 4)]
  memplan.buffer @c size(64) align(64) live [[0, 4)] offset(0)
  memplan.all_or_none @a, @b
}

// AGAIN-LABEL: memplan.problem @soft
// AGAIN: memplan.soft_conflict @a, @b weight(2)
// AGAIN: memplan.soft_conflict @b, @c weight(3)
// AGAIN-LABEL: memplan.problem @banks align(64) banks(192)
// AGAIN-LABEL: memplan.problem @all_or_none
// AGAIN: memplan.all_or_none @a, @b
