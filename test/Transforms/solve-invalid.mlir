// RUN: memplan-opt %s --memplan-solve --split-input-file -verify-diagnostics
// RUN: not memplan-opt %s --memplan-solve=strategy=fastest 2>&1 \
// RUN:   | FileCheck %s --check-prefix=STRATEGY
// STRATEGY: Cannot find option named 'fastest'!

// expected-error@+1 {{no plan within the capacity of 100 bytes: requires at least 128 bytes but the capacity is 100, lower bound 128}}
memplan.problem @impossible capacity(100) {
  memplan.buffer @a size(64) live [[0, 2)]
  memplan.buffer @b size(64) live [[1, 3)]
}

// -----

// expected-error@+1 {{no plan: the sum of the buffer sizes overflows 64 bits}}
memplan.problem @overflow {
  memplan.buffer @a size(9223372036854775807) live [[0, 2)]
  // expected-note@+1 {{overflows 64 bits at buffer 'b'}}
  memplan.buffer @b size(9223372036854775807) live [[1, 3)]
}
