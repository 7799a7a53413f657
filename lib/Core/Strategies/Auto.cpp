//===- Auto.cpp - The portfolio -------------------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The portfolio. Its stages run from the cheap ones, which often suffice, to
// the expensive ones. A stage runs only while the plan is above the target: the
// capacity, or the lower bound if that is higher or no capacity is given.
//
//   1. The few greedy orders that meet the target most often.
//   2. Up to probeLimit buffers, a short tree search at the target. Up to
//      wholeLimit buffers: sweeps, if there are few sizes.
//      Above wholeLimit buffers: a short sweep search if hundreds of buffers
//      are live at one time; window search if the plan is near the target, and
//      again with more nodes; a long sweep search. If there are few sizes, more
//      sweeps, before or behind the second window search.
//   3. The other greedy orders, so that none of them is better than the plan,
//      and up to wholeLimit buffers a few replays of local search.
//   4. Complete search by components within a node budget.
//   5. Local search over orders (squeaky wheel), for problems of any size.
//   6. If a component is too large for complete search, window search with the
//      rest of the budget.
//
// Below effort=high, the possible gain limits the effort. A gap of at least
// 1/1000 of the lower bound earns the whole effort, a smaller gap a share. A
// share of 1/200 earns the effort of effort=low as well, a smaller one a part
// of that. Where a step takes longer the more buffers there are, which is so
// for sweeps and for all stages from 3 on, more than probeLimit buffers earn
// less, by the square root of their number: sweeps get fewer nodes, and the
// share below which stages 3 to 6 do not run, 1/1000, grows. Local search ends
// when it has found nothing for as long as effort=low lets it run, or longer if
// the gap is more than 1/1000. If the caller gave a capacity or a limit, the
// gap does not matter.
//
// Complexity: the sum over the stages, whose budgets are nodes, not time.
// Tie-breaks: the earlier stage.
//
//===----------------------------------------------------------------------===//

#include "Strategies/Auto.h"

#include "Model/Neighbours.h"

#include "Search/WindowSearch.h"
#include "Strategies/Greedy.h"
#include "Strategies/HillClimb.h"
#include "Sweeps/SweepSearch.h"

#include <algorithm>
#include <cmath>
#include <utility>

using namespace memplan;
using namespace memplan::detail;

/// The most buffers of a problem that is searched as a whole. Larger problems
/// are searched by windows and sweeps.
static constexpr uint32_t wholeLimit = 4096;

/// sweepSmall gets one part of this many of the nodes of a large problem.
static constexpr int64_t smallShare = 2;

/// The buffers per size from which on a problem is swept often, and from which
/// on this comes before the second window search.
static constexpr uint32_t somePerSize = 16, manyPerSize = 256;

/// The most buffers of a problem that is swept before the second window search.
static constexpr uint32_t sweepLimit = 65536;

/// The most buffers for which a short tree search is cheap.
static constexpr uint32_t probeLimit = 1024;

/// In large problems, the budgets of window and local search are divided
/// by n / liveLimit - 1 (if that is more than 1), where n is the greatest
/// number of buffers that are live at one time. The sweeps get that time
/// instead, because their effort counts live buffers.
static constexpr int64_t liveLimit = 64;

/// Replays before the complete search. A plan near the target needs no more.
static constexpr int64_t firstReplays = 8;

/// A gap of at least the lower bound divided by `fullGap` earns the whole
/// effort. A share of less than `lowShare` earns only a part
/// of the effort of effort=low, and one of less than `leastShare` times the
/// cost of size earns only stages 1 and 2.
static constexpr double fullGap = 1e3, lowShare = 5e-3, leastShare = 1e-3;

int64_t detail::nodesOf(Effort effort, uint32_t buffers) {
  int64_t nodes = effort == Effort::Low      ? 5000
                  : effort == Effort::Normal ? 200000
                                             : 20000000;
  // A node takes longer in larger problems, so reduce the nodes to keep the
  // time constant. Large problems are searched by windows of bounded size
  // instead, so there the nodes grow with the number of buffers.
  if (buffers > wholeLimit)
    return 2 * nodes + int64_t(double(buffers) * double(nodes) / 400000);
  double scale = buffers <= 500 ? 1.0 : 500.0 / buffers;
  return std::max<int64_t>(1000, int64_t(double(nodes) * scale * scale));
}

/// The replays take about as long as the nodes of the tree search, as placing
/// one buffer takes about a microsecond.
int64_t detail::replaysOf(Effort effort, uint32_t buffers) {
  int64_t placements = effort == Effort::Low      ? 200000
                       : effort == Effort::Normal ? 2000000
                                                  : 100000000;
  return std::clamp<int64_t>(placements / std::max(1u, buffers), 1, 5000);
}

namespace {

class Portfolio {
public:
  Portfolio(const Model &model, int64_t goal, Effort effort, Standing &standing,
            SearchControl &control)
      : model(model), goal(goal), effort(effort), standing(standing),
        control(control), firstBound(standing.bound) {}

  AutoReport run() {
    GreedyResult greedy;
    runLikelyOrders(model, target(), control.deadline(), greedy);
    take(greedy);
    if (isOpen() && model.size() <= probeLimit) {
      Withheld withheld(*this);
      stage("exact", "tree search",
            [&] { probe(model, goal, standing, control); });
    }
    // In a large problem, it is cheaper to repair the few windows in which an
    // order exceeds the target than to try another order.
    if (model.size() > wholeLimit && isOpen()) {
      crowding = model.isPlain() ? crowdingOf(model) : 1;
      if (crowding > 1)
        stageOfSweeps([&] { sweepAlone(control.nodesLeft() / 64); });
      if (isOpen() && isNear())
        mend(getShare() < 1 ? 1 : 2);
      // Windows are cheaper than sweeps over very many buffers, and the better
      // choice if there are many sizes.
      uint32_t perSize = isOpen() ? buffersPerSize(model) : 0;
      bool areSweepsFirst =
          perSize >= manyPerSize && model.size() <= sweepLimit;
      if (areSweepsFirst)
        stageOfSweeps([&] { sweepOften(control.nodesLeft()); });
      if (isOpen())
        mend(2);
      if (!areSweepsFirst && isOpen() && perSize >= somePerSize)
        stageOfSweeps([&] { sweepOften(control.nodesLeft() / 3); });
      if (isOpen())
        stageOfSweeps([&] { sweepLong(); });
    }
    if (isOpen() && model.size() <= wholeLimit &&
        buffersPerSize(model) >= somePerSize)
      stageOfSweeps([&] { sweepSmall(); });
    if (isOpen() && getShare() < leastShare * getCostOfSize()) {
      conclude();
      return std::move(report);
    }
    if (isOpen()) {
      runOtherOrders(model, target(), control.deadline(), greedy);
      take(greedy);
    }
    control.report(standing.best.height, standing.bound);
    if (isOpen() && model.size() <= wholeLimit)
      climb(orderOf(model, greedy.bestOrder), firstReplays);
    if (isOpen()) {
      Withheld withheld(*this);
      // Keep nodes back for the local search in case the tree search fails.
      int64_t kept = control.reserve(
          std::min(getEarned(replaysOf), control.nodesLeft() / 4));
      stage("exact", "tree search",
            [&] { minimize(model, goal, standing, control); });
      control.release(kept);
    }
    if (isOpen() && !control.isExhausted())
      climb(orderOf(model, greedy.bestOrder),
            std::max<int64_t>(1, getEarned(replaysOf) / getReplayCost()));
    if (isOpen() && (standing.tooLarge || model.size() > wholeLimit))
      mend(/*share=*/1);
    conclude();
    return std::move(report);
  }

private:
  /// The share of the effort that the gap earns, from 0 to 1.
  double getShare() const {
    if (goal >= 0 || effort == Effort::High || control.isLimitGiven())
      return 1;
    return std::min(1.0, getGap());
  }

  /// The gap as a multiple of the one that earns the whole effort.
  double getGap() const {
    double gap = double(standing.best.height - standing.bound);
    return gap * fullGap / double(standing.bound);
  }

  /// The replays after which local search ends if they have found nothing: the
  /// more, the more there is to gain.
  int64_t getPatience(int64_t replays) const {
    if (goal >= 0 || effort == Effort::High || control.isLimitGiven())
      return replays;
    double low = double(replaysOf(Effort::Low, model.size()));
    return int64_t(std::min(double(replays), low * std::max(1.0, getGap())));
  }

  /// How much less the steps of stages find that take longer the more buffers
  /// there are.
  double getCostOfSize() const {
    return std::sqrt(std::max(1.0, double(model.size()) / probeLimit));
  }

  /// The nodes or replays that the gap earns, given nodesOf or replaysOf. Of
  /// what exceeds effort=low, one part in `cost`.
  int64_t getEarned(int64_t (*budget)(Effort, uint32_t),
                    double cost = 1) const {
    int64_t all = budget(effort, model.size());
    int64_t least = std::min(budget(Effort::Low, model.size()), all);
    double share = getShare();
    return int64_t(std::min(1.0, share / lowShare) * double(least)) +
           int64_t(share / cost * double(all - least));
  }

  /// The time of a replay as a multiple of the usual time. It grows with the
  /// neighbours of the buffers with permitted overlaps, because placing such a
  /// buffer visits all of its neighbours.
  int64_t getReplayCost() const {
    if (model.isPlain())
      return 1;
    // Estimate it from a sample of the buffers.
    constexpr uint32_t samples = 64, usual = 64;
    NeighbourIndex neighbours(model);
    std::vector<BufferIndex> found;
    uint32_t step = std::max<uint32_t>(1, model.size() / samples), count = 0;
    for (BufferIndex b = 0; b < model.size(); b += step, ++count)
      if (model.hasOverlaps(b))
        neighbours.collect(b, found);
    return 1 + int64_t(found.size()) / (int64_t(usual) * count);
  }

  /// During its lifetime, keeps back the nodes that the gap does not earn.
  /// Sweeps and the other searches earn nodes for themselves.
  class Withheld {
  public:
    explicit Withheld(Portfolio &portfolio, bool isSweep = false)
        : control(portfolio.control) {
      if (portfolio.getShare() == 1)
        return;
      double cost = isSweep ? portfolio.getCostOfSize() : 1;
      int64_t spent = isSweep ? portfolio.swept - portfolio.granted
                              : control.nodes() - portfolio.swept;
      int64_t left = portfolio.getEarned(nodesOf, cost) +
                     portfolio.getEarned(replaysOf, cost) - spent;
      kept = control.reserve(control.nodesLeft() - std::max<int64_t>(0, left));
    }
    ~Withheld() { control.release(kept); }
    Withheld(const Withheld &) = delete;
    Withheld &operator=(const Withheld &) = delete;

  private:
    SearchControl &control;
    int64_t kept = 0;
  };

  int64_t target() const { return std::max(goal, standing.bound); }
  bool isOpen() const {
    return standing.best.height > target() &&
           !(goal >= 0 && standing.bound > goal) && !control.timeIsUp();
  }

  void take(const GreedyResult &greedy) {
    if (standing.best.offsets.empty() ||
        greedy.best.height < standing.best.height) {
      standing.best = greedy.best;
      report.winner = greedy.winner;
    }
    note(std::to_string(greedy.tried) + " greedy orders");
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
    if (control.nodes() == nodes && standing.best.height == before && isOpen())
      return;
    if (standing.best.height < before)
      report.winner = winner;
    note(std::string(name) + " of " + std::to_string(control.nodes() - nodes) +
         " nodes");
  }

  /// True if the plan exceeds the target by at most 1/256 of it.
  bool isNear() const {
    return standing.best.height - target() <= target() / 256;
  }

  /// Keeps back all nodes but those that a stage may spend: `nodes`, divided by
  /// the crowding. Returns the number kept back.
  int64_t reserveAllBut(int64_t nodes) {
    return control.reserve(control.nodesLeft() - nodes / crowding);
  }

  static int64_t crowdingOf(const Model &model) {
    std::vector<int64_t> change(model.numSections() + 1, 0);
    for (BufferIndex b = 0; b < model.size(); ++b)
      for (const SectionRange &range : model.ranges(b)) {
        ++change[range.begin];
        --change[range.end];
      }
    int64_t live = 0, most = 0;
    for (int64_t c : change)
      most = std::max(most, live += c);
    return std::max<int64_t>(1, most / liveLimit - 1);
  }

  /// The average number of buffers with the same size and alignment, or 0 if
  /// the model is not plain. The more there are, the more often a buffer takes
  /// over the bytes of another.
  static uint32_t buffersPerSize(const Model &model) {
    if (!model.isPlain() || model.size() == 0)
      return 0;
    std::vector<std::pair<int64_t, int64_t>> sizes;
    sizes.reserve(model.size());
    for (BufferIndex b = 0; b < model.size(); ++b)
      sizes.emplace_back(model.sizeOf(b), model.alignOf(b));
    std::sort(sizes.begin(), sizes.end());
    auto end = std::unique(sizes.begin(), sizes.end());
    return model.size() / uint32_t(end - sizes.begin());
  }

  template <typename SweepFn> void stageOfSweeps(SweepFn run) {
    stage("sweep-search", "sweep search", run);
  }

  /// Several sweeps, with more nodes each time, but at most `budget` nodes in
  /// all.
  void sweepOften(int64_t budget) {
    int64_t kept = control.reserve(control.nodesLeft() - budget);
    for (int64_t share : {64, 24, 12}) {
      int64_t nodes = control.nodesLeft() / share;
      for (int repeat = 0; repeat < 6; ++repeat)
        if (isOpen() && !control.isExhausted())
          sweepAlone(nodes);
    }
    // Some problems need long tries.
    if (isOpen() && !control.isExhausted())
      sweepAlone(control.nodesLeft() / 2);
    control.release(kept);
  }

  /// sweepOften for up to wholeLimit buffers. The nodes of complete search
  /// would not suffice for it, as there are fewer the more buffers there are.
  void sweepSmall() {
    int64_t before = control.nodes();
    auto budget = int64_t(getShare() *
                          double(nodesOf(effort, wholeLimit + 1) / smallShare));
    if (control.isLimitGiven())
      return sweepOften(std::min(budget, control.nodesLeft() / 2));
    control.release(budget);
    granted = budget;
    sweepOften(budget);
    // Nobody else gets what is left of it.
    control.reserve(budget - (control.nodes() - before));
  }

  void sweepAlone(int64_t nodes) {
    sweepWith(nodes, [&](uint64_t seed) {
      sweepTo(model, target(), seed, control, standing.best);
    });
  }

  void sweepLong() {
    sweepWith(control.nodesLeft() / 4 * 3, [&](uint64_t seed) {
      sweepTowards(model, target(), seed, control, standing.best);
    });
  }

  template <typename SweepFn> void sweepWith(int64_t nodes, SweepFn run) {
    Withheld withheld(*this, /*isSweep=*/true);
    int64_t before = control.nodes();
    int64_t kept = control.reserve(control.nodesLeft() - nodes);
    run(control.seed() + ++sweeps);
    control.release(kept);
    swept += control.nodes() - before;
  }

  /// Runs window search on at most one part in `share` of the nodes left.
  void mend(int64_t share) {
    int64_t kept = reserveAllBut(control.nodesLeft() / share);
    stage("window-search", "window search", [&] {
      // Repeat it with other random numbers until it fails twice in a row.
      constexpr unsigned patience = 2;
      for (unsigned failures = 0; failures < patience && isOpen();) {
        Withheld withheld(*this);
        if (control.isExhausted())
          break;
        int64_t before = standing.best.height;
        searchWindows(model, target(), control.seed() + ++mendings, control,
                      standing.best);
        failures = standing.best.height < before ? 0 : failures + 1;
      }
    });
    control.release(kept);
  }

  void climb(const std::vector<BufferIndex> &order, int64_t replays) {
    Withheld withheld(*this);
    int64_t before = standing.best.height;
    int64_t used = improveOrder(
        model, order, target(),
        std::min(replays, control.nodesLeft()) / crowding, getPatience(replays),
        control.seed(), control, standing.best);
    control.spend(used);
    if (used == 0)
      return;
    if (standing.best.height < before)
      report.winner = strategyName(Strategy::HillClimb);
    note("local search of " + std::to_string(used) + " replays");
  }

  void conclude() {
    int64_t height = standing.best.height;
    std::string why =
        height <= firstBound                 ? "the lower bound is met"
        : height <= standing.bound           ? "proven optimal by search"
        : goal >= 0 && standing.bound > goal ? "no plan fits the capacity"
        : goal >= 0 && height <= goal        ? "the capacity is met"
        : control.isExhausted() ? std::string("the ") + control.limitName()
        : getShare() < 1        ? "what is left to gain is worth no more effort"
                                : "the effort is spent";
    report.message += "; stopped: " + why;
  }

  const Model &model;
  int64_t goal;
  Effort effort;
  Standing &standing;
  SearchControl &control;
  int64_t firstBound;
  /// The nodes that sweeps have spent, and those of them that sweepSmall was
  /// given, which the gap need not earn.
  int64_t swept = 0, granted = 0;
  /// The factor by which many live buffers slow down a node or a replay.
  int64_t crowding = 1;
  /// The numbers of window searches and of sweep searches so far, which seed
  /// the next ones.
  uint64_t mendings = 0, sweeps = 0;
  AutoReport report;
};

} // namespace

AutoReport detail::solveAuto(const Model &model, int64_t goal, Effort effort,
                             Standing &standing, SearchControl &control) {
  return Portfolio(model, goal, effort, standing, control).run();
}
