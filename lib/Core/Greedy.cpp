//===- Greedy.cpp - The greedy portfolio ----------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Greedy.h"

#include "Strategies.h"
#include "memplan/Core/Solver.h"

using namespace memplan;
using namespace memplan::detail;

/// Best fit visits every hole: worth it while orders are cheap.
static constexpr uint32_t bestFitLimit = 4096;

GreedyResult detail::runGreedyOrders(const Model &model, int64_t goal) {
  GreedyResult result;
  int64_t bestByFirstFit = INT64_MAX;
  auto take = [&](Placement placement, std::string winner) {
    ++result.tried;
    if (result.tried == 1 || placement.height < result.best.height) {
      result.best = std::move(placement);
      result.winner = std::move(winner);
    }
    return result.best.height <= goal;
  };
  auto takeOrder = [&](Order order, std::string winner) {
    Placement placement =
        placeInOrder(model, orderOf(model, order), Fit::First);
    if (placement.height < bestByFirstFit) {
      bestByFirstFit = placement.height;
      result.bestOrder = order;
    }
    return take(std::move(placement), std::move(winner));
  };
  auto named = [](Strategy strategy) {
    return std::string(strategyName(strategy));
  };
  auto byOrder = [](Order order, const char *fit) {
    return std::string(orderName(order)) + "/" + fit;
  };
  if (takeOrder(Order::Breadth, named(Strategy::GreedyByBreadth)) ||
      takeOrder(Order::Size, named(Strategy::GreedyBySize)) ||
      takeOrder(Order::TotalWidth, byOrder(Order::TotalWidth, "first-fit")) ||
      takeOrder(Order::BreadthLife, byOrder(Order::BreadthLife, "first-fit")) ||
      takeOrder(Order::Area, byOrder(Order::Area, "first-fit")) ||
      takeOrder(Order::Lifetime, byOrder(Order::Lifetime, "first-fit")) ||
      take(bestFit(model), named(Strategy::BestFit)) ||
      takeOrder(Order::Start, named(Strategy::LinearScan)))
    return result;
  if (model.size() <= bestFitLimit)
    for (Order order : {Order::Size, Order::Breadth, Order::TotalWidth,
                        Order::BreadthLife, Order::Area, Order::Lifetime})
      if (take(placeInOrder(model, orderOf(model, order), Fit::Best),
               byOrder(order, "best-fit")))
        return result;
  // No reuse at all can only win where pins leave greedy orders nothing.
  take(naive(model), named(Strategy::Naive));
  return result;
}
