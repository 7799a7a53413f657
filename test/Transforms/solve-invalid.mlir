// RUN: memplan-opt %s --memplan-solve --split-input-file -verify-diagnostics
// RUN: not memplan-opt %s --memplan-solve=strategy=fastest 2>&1 \
// RUN:   | FileCheck %s --check-prefix=STRATEGY
// STRATEGY: 'fastest' is not one of auto, naive, linear-scan, greedy, greedy-by-size, greedy-by-breadth, best-fit, hill-climb, exact

// expected-error@+1 {{arena of @impossible in memory space 0 requires at least 128 bytes but its capacity is 100, 28 too few}}
memplan.problem @impossible capacity(100) {
  // expected-note@+1 {{a, 64 bytes, is live at the peak of 128 bytes}}
  memplan.buffer @a size(64) live [[0, 2)]
  // expected-note@+1 {{b, 64 bytes, is live at the peak of 128 bytes}}
  memplan.buffer @b size(64) live [[1, 3)]
}

// -----

// expected-error@+1 {{no plan for the arena of @overflow: the sum of the buffer sizes overflows 64 bits}}
memplan.problem @overflow {
  memplan.buffer @a size(9223372036854775806) live [[0, 2)]
  // expected-note@+1 {{overflows 64 bits at buffer 'b'}}
  memplan.buffer @b size(9223372036854775807) live [[1, 3)]
}
