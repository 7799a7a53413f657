//===- Greedy.cpp - The greedy stages of the portfolio --------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Strategies/Greedy.h"

#include "Strategies/Strategies.h"
#include "memplan/Core/Solver.h"

using namespace memplan;
using namespace memplan::detail;

/// The most buffers for which all orders are tried with best fit, too, which
/// visits every gap.
static constexpr uint32_t bestFitLimit = 4096;

namespace {

std::string named(Strategy strategy) {
  return std::string(strategyName(strategy));
}

std::string named(Order order, const char *fit) {
  return std::string(orderName(order)) + "/" + fit;
}

/// Tries placements and keeps the best one in the result.
class Trial {
public:
  Trial(const Model &model, int64_t goal, const Deadline &deadline,
        GreedyResult &result)
      : model(model), goal(goal), deadline(deadline), result(result) {}

  /// Both functions return true if the goal is met or the time is up.
  bool take(Placement placement, std::string winner) {
    ++result.tried;
    if (result.tried == 1 || placement.height < result.best.height) {
      result.best = std::move(placement);
      result.winner = std::move(winner);
    }
    return result.best.height <= goal || deadline.isOver();
  }
  bool firstFit(Order order, std::string winner) {
    // Stop the placement once it is as high as that of an earlier order.
    Placement placement = placeInOrder(model, orderOf(model, order), Fit::First,
                                       result.bestByFirstFit);
    if (placement.height < result.bestByFirstFit) {
      result.bestByFirstFit = placement.height;
      result.bestOrder = order;
    }
    return take(std::move(placement), std::move(winner));
  }

private:
  const Model &model;
  int64_t goal;
  const Deadline &deadline;
  GreedyResult &result;
};

} // namespace

void detail::runLikelyOrders(const Model &model, int64_t goal,
                             const Deadline &deadline, GreedyResult &result) {
  Trial trial(model, goal, deadline, result);
  if (trial.firstFit(Order::Breadth, named(Strategy::GreedyByBreadth)) ||
      trial.firstFit(Order::Size, named(Strategy::GreedyBySize)))
    return;
  trial.firstFit(Order::TotalWidth, named(Order::TotalWidth, "first-fit"));
}

void detail::runOtherOrders(const Model &model, int64_t goal,
                            const Deadline &deadline, GreedyResult &result) {
  Trial trial(model, goal, deadline, result);
  for (Order order : {Order::BreadthLife, Order::Area, Order::Lifetime})
    if (trial.firstFit(order, named(order, "first-fit")))
      return;
  if (trial.take(bestFit(model, result.best.height),
                 named(Strategy::BestFit)) ||
      trial.firstFit(Order::Start, named(Strategy::LinearScan)))
    return;
  if (model.size() <= bestFitLimit)
    for (Order order : {Order::Size, Order::Breadth, Order::TotalWidth,
                        Order::BreadthLife, Order::Area, Order::Lifetime})
      if (trial.take(placeInOrder(model, orderOf(model, order), Fit::Best,
                                  result.best.height),
                     named(order, "best-fit")))
        return;
  // A plan without reuse can be lower only because of pins or alignments.
  trial.take(naive(model), named(Strategy::Naive));
}

GreedyResult detail::runGreedyOrders(const Model &model, int64_t goal,
                                     const Deadline &deadline) {
  GreedyResult result;
  runLikelyOrders(model, goal, deadline, result);
  if (result.best.height > goal && !deadline.isOver())
    runOtherOrders(model, goal, deadline, result);
  return result;
}
