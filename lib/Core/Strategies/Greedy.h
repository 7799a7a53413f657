//===- Greedy.h - The greedy stages of the portfolio ---------- -*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The greedy stages of the portfolio: tries every constructive strategy and
// every order, the most promising ones first, until one meets the goal.
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
  /// The source of `best`: the name of a strategy, or of an order and the fit.
  std::string winner;
  /// The order with the least height by first fit, and that height in bytes.
  Order bestOrder = Order::Size;
  int64_t bestByFirstFit = INT64_MAX;
  /// The number of placements tried.
  int tried = 0;
};

/// Tries the few orders that meet the bound most often and updates `result`.
/// Stops once a height is at most `goal` bytes; if the time is up, stops after
/// the current order, so there is always one placement.
void runLikelyOrders(const Model &model, int64_t goal, const Deadline &deadline,
                     GreedyResult &result);
/// The same for the other orders, best fit and no reuse. If neither function
/// stops early, `result` is at least as good as every greedy strategy.
void runOtherOrders(const Model &model, int64_t goal, const Deadline &deadline,
                    GreedyResult &result);

/// Runs the likely orders, then the others if the goal is not met in time.
GreedyResult runGreedyOrders(const Model &model, int64_t goal,
                             const Deadline &deadline);

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_GREEDY_H
