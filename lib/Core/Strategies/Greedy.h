//===- Greedy.h - The greedy portfolio ------------------------ -*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The greedy half of the portfolio: every constructive strategy and every
// order, the most promising first, until one meets the goal.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CORE_GREEDY_H
#define MEMPLAN_LIB_CORE_GREEDY_H

#include "Search/Deadline.h"
#include "Strategies/Orders.h"
#include "Strategies/Placer.h"

#include <cstdint>
#include <string>

namespace memplan::detail {

struct GreedyResult {
  Placement best;
  /// What placed it: a strategy's name, or an order's and the fit.
  std::string winner;
  /// The order that did best by first fit.
  Order bestOrder = Order::Size;
  int64_t bestByFirstFit = INT64_MAX;
  int tried = 0;
};

/// Each stops at a height of at most `goal`, and behind the first order when
/// the time is up. The first tries the few orders that meet the bound most
/// often, the second the others; after both, `result` is at least as good as
/// any single greedy strategy.
void runLikelyOrders(const Model &model, int64_t goal, const Deadline &deadline,
                     GreedyResult &result);
void runOtherOrders(const Model &model, int64_t goal, const Deadline &deadline,
                    GreedyResult &result);

/// Both.
GreedyResult runGreedyOrders(const Model &model, int64_t goal,
                             const Deadline &deadline);

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_GREEDY_H
