//===- SearchOrders.h - Rankings for tree searches ------------ -*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rankings that tree searches try in turn. Which one solves an instance is
// hard to foresee and decides between milliseconds and hours, so searches
// switch between a few of them and random perturbations.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CORE_SEARCHORDERS_H
#define MEMPLAN_LIB_CORE_SEARCHORDERS_H

#include "Search/TreeSearch.h"

#include <cstdint>
#include <vector>

namespace memplan::detail {

/// splitmix64: the same numbers on every machine.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}
  uint64_t next() {
    state += 0x9e3779b97f4a7c15u;
    uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  uint64_t below(uint64_t limit) { return next() % limit; }
  /// Uniform in [0, 1).
  double unit() { return double(next() >> 11) * (1.0 / 9007199254740992.0); }

private:
  uint64_t state;
};

class SearchOrders {
public:
  explicit SearchOrders(const SearchSpace &space);

  /// How many rankings there are without perturbation.
  static constexpr uint32_t count = 6;

  /// The ranking of that number: position by item.
  std::vector<uint32_t> ranking(uint32_t order) const;
  /// The same with its keys multiplied by the items' weights and by lognormal
  /// noise, the `number`th time.
  std::vector<uint32_t> perturbed(uint32_t order, uint64_t number,
                                  uint64_t seed,
                                  const std::vector<double> &weights) const;

private:
  struct Keys {
    double first, second, third;
  };
  Keys keysOf(uint32_t order, uint32_t item) const;

  const SearchSpace &space;
  /// By item: time live, sections live, the fullest section's load.
  std::vector<double> width, span, total;
};

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_SEARCHORDERS_H
