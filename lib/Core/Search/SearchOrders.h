//===- SearchOrders.h - Rankings for tree searches ------------ -*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rankings for tree searches. It is hard to predict which ranking solves a
// problem, and the time differs by orders of magnitude, so the searches switch
// between a few rankings and random perturbations of them.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CORE_SEARCHORDERS_H
#define MEMPLAN_LIB_CORE_SEARCHORDERS_H

#include "Search/TreeSearch.h"

#include <cstdint>
#include <vector>

namespace memplan::detail {

/// The generator splitmix64 (Steele, Lea and Flood, OOPSLA 2014). It gives the
/// same numbers on every machine.
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
  /// In [0, limit), nearly uniform; `limit` must not be 0.
  uint64_t below(uint64_t limit) { return next() % limit; }
  /// Uniform in [0, 1).
  double unit() { return double(next() >> 11) * (1.0 / 9007199254740992.0); }

private:
  uint64_t state;
};

class SearchOrders {
public:
  explicit SearchOrders(const SearchSpace &space);

  /// The number of rankings without perturbation.
  static constexpr uint32_t count = 6;

  /// The ranking number `order`, which is below `count`: the position of each
  /// item. O(n log n) for n items.
  std::vector<uint32_t> ranking(uint32_t order) const;
  /// The same, but the first key of each item is multiplied by its weight and
  /// by lognormal noise. `number` and `seed` determine the noise.
  std::vector<uint32_t> perturbed(uint32_t order, uint64_t number,
                                  uint64_t seed,
                                  const std::vector<double> &weights) const;

private:
  /// Items with greater keys come first; the keys compare lexicographically.
  struct Keys {
    double first, second, third;
  };
  Keys keysOf(uint32_t order, uint32_t item) const;

  const SearchSpace &space;
  /// By item: the time for which it is live, the number of its sections, and
  /// the bytes of the fullest of these.
  std::vector<double> width, span, total;
};

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_SEARCHORDERS_H
