//===- Random.h - Pseudorandom numbers --------------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_GRAPH_ORDER_RANDOM_H
#define MEMPLAN_LIB_GRAPH_ORDER_RANDOM_H

#include <cstddef>
#include <cstdint>

namespace memplan::graph {

/// splitmix64 (S. Vigna); gives the same numbers on any machine.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}
  uint64_t next() {
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  size_t below(size_t bound) { return next() % bound; }
  /// In [0, 1).
  double fraction() { return static_cast<double>(next() >> 11) * 0x1p-53; }

private:
  uint64_t state;
};

} // namespace memplan::graph

#endif // MEMPLAN_LIB_GRAPH_ORDER_RANDOM_H
