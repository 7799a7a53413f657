//===- Auto.cpp - The portfolio -------------------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The portfolio: what is cheap and often enough first, and each stage only
// while the plan is above the goal (the capacity, or else the lower bound).
//
//   1. the greedy strategies and orders, so no greedy order is ever better
//   2. a few replays of the best order (squeaky wheel), for whatever size
//   3. complete search by components, at the bound first, under a node budget
//   4. for what is too large for that, tree search on the stretches of time
//      where the plan still exceeds the bound
//   5. hill climbing, for the rest of the effort
//
// Complexity: the stages' sums; budgets are counted in nodes, not in time.
// Tie-breaks: the earlier stage.
//
//===----------------------------------------------------------------------===//

#include "Auto.h"

#include "Greedy.h"
#include "HillClimb.h"
#include "WindowSearch.h"

using namespace memplan;
using namespace memplan::detail;

int64_t detail::nodesOf(Effort effort) {
  switch (effort) {
  case Effort::Low:
    return 5000;
  case Effort::Normal:
    return 200000;
  case Effort::High:
    return 20000000;
  }
  return 0;
}

namespace {

class Portfolio {
public:
  Portfolio(const Model &model, int64_t goal, Effort effort, Standing &standing,
            SearchControl &control)
      : model(model), goal(goal), effort(effort), standing(standing),
        control(control) {}

  AutoReport run() {
    GreedyResult greedy = runGreedyOrders(model, target());
    standing.best = std::move(greedy.best);
    report.winner = greedy.winner;
    note("best of " + std::to_string(greedy.tried) + " greedy orders");
    control.report(standing.best.height, standing.bound);
    std::vector<BufferIndex> order;
    if (isOpen()) {
      order = orderOf(model, greedy.bestOrder);
      climb(order, replaysWorth(1), "squeaky wheel");
    }
    if (isOpen())
      stage("exact", "tree search",
            [&] { minimize(model, goal, standing, control); });
    if (isOpen() && standing.tooLarge)
      stage("exact", "window search",
            [&] { searchWindows(model, target(), control, standing.best); });
    if (isOpen() && !control.isExhausted() && effort != Effort::Low)
      climb(order, replaysWorth(effort == Effort::High ? 64 : 4),
            "hill climbing");
    conclude();
    return std::move(report);
  }

private:
  int64_t target() const { return std::max(goal, standing.bound); }
  bool isOpen() const {
    return standing.best.height > target() &&
           !(goal >= 0 && standing.bound > goal) && !control.timeIsUp();
  }

  void note(const std::string &text) {
    if (!report.message.empty())
      report.message += ", then ";
    report.message += text + " (" + std::to_string(standing.best.height) + ")";
  }

  template <typename RunFn>
  void stage(const char *winner, const char *name, RunFn run) {
    int64_t before = standing.best.height, nodes = control.nodes();
    run();
    if (standing.best.height < before)
      report.winner = winner;
    note(std::string(name) + " of " + std::to_string(control.nodes() - nodes) +
         " nodes");
  }

  /// Replays that take about `share` times a tenth of a second.
  int64_t replaysWorth(int64_t share) const {
    return std::min<int64_t>(2000, share * 50000 /
                                       std::max<int64_t>(1, model.size()));
  }

  void climb(const std::vector<BufferIndex> &order, int64_t replays,
             const char *name) {
    int64_t before = standing.best.height;
    replays = std::min(replays, control.nodesLeft());
    replays =
        improveOrder(model, order, target(), replays, control, standing.best);
    control.spend(replays);
    if (replays == 0)
      return;
    if (standing.best.height < before)
      report.winner = strategyName(Strategy::HillClimb);
    note(std::string(name) + " of " + std::to_string(replays) + " replays");
  }

  void conclude() {
    int64_t height = standing.best.height;
    const char *why = height <= standing.bound ? "the lower bound is met"
                      : goal >= 0 && standing.bound > goal
                          ? "no plan fits the capacity"
                      : goal >= 0 && height <= goal ? "the capacity is met"
                      : control.timeIsUp()          ? "the time limit"
                      : control.isExhausted()       ? "the node limit"
                                                    : "the effort is spent";
    report.message += std::string("; stopped: ") + why;
  }

  const Model &model;
  int64_t goal;
  Effort effort;
  Standing &standing;
  SearchControl &control;
  AutoReport report;
};

} // namespace

AutoReport detail::solveAuto(const Model &model, int64_t goal, Effort effort,
                             Standing &standing, SearchControl &control) {
  return Portfolio(model, goal, effort, standing, control).run();
}
