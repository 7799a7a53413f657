//===- Multipliers.h - Prices of the fast memory over time ------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The Lagrangian relaxation of the capacity: a byte of fast memory in section s
// costs a price p(s) >= 0 more. For any prices,
//
//   sum over rows of (cheapest steps with prices) - sum over s of p(s) * cap(s)
//
// is at most the least cost. The prices that make it greatest are found by the
// subgradient method (Held, Wolfe, Crowder, Mathematical Programming 1974);
// the subgradient in s is the number of held bytes less cap(s).
//
// cap(s) is the greatest sum of sizes of rows that section s may hold, up to
// the capacity, where it can be computed: less than the capacity if the sizes
// do not add up to it.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CORE_MULTIPLIERS_H
#define MEMPLAN_LIB_CORE_MULTIPLIERS_H

#include "Spaces/Rows.h"

#include <functional>

namespace memplan::detail {

class Multipliers {
public:
  explicit Multipliers(const RowModel &model);

  /// Improves the prices, at most `rounds` times, and returns a lower bound of
  /// the cost of all assignments that obey the decisions, which have an entry
  /// for each row, or none. kNever if there is none. Stops once the bound is at
  /// least `target`, a cost that is known to be possible. Calls `visit` with
  /// the cheapest steps for each prices.
  int64_t improve(int rounds, int64_t target,
                  const std::vector<std::vector<Decision>> &decisions,
                  const std::function<void(const std::vector<Steps> &)> &visit);

  /// By section: the prices of the best bound of the last call.
  const std::vector<double> &getPrices() const { return best; }
  /// Prices from which the next call starts.
  void setPrices(std::vector<double> start) { best = std::move(start); }
  /// By row and access: how often the last call found it held, and kept, as a
  /// part of 1, with more weight on later rounds.
  struct Share {
    double held = 0, kept = 0;
  };
  const std::vector<std::vector<Share>> &getShares() const { return shares; }

private:
  const RowModel &model;
  /// Sections that are not part of a fuller one beside them.
  std::vector<unsigned> active;
  std::vector<int64_t> limits;
  std::vector<double> best;
  std::vector<std::vector<Share>> shares;
};

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_MULTIPLIERS_H
