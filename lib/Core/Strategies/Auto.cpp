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
//   1. the few greedy orders that most often meet it
//   2. for small problems a short tree search at the bound; in large ones the
//      stretches of time where the plan exceeds the bound are placed anew, and
//      the peaks before the rest (the latter first where the plan is far from
//      the bound), then sweeps from the peaks; a short one comes first where
//      hundreds of buffers are live at one time
//   3. the other greedy orders, so that none of them is better, and for small
//      problems a few steps of local search
//   4. complete search by components, at the bound first, under a node budget
//   5. local search over orders (squeaky wheel first), for whatever size
//   6. for what is too large for complete search, the stretches of time once
//      more, with what is left of the budget
//
// Below effort=high what is left to gain has to earn the search. A gap of one
// 1000th of the lower bound or more earns all of the effort, a smaller one its
// share of it, but no less than effort=low has; where the gap is less than one
// millionth of the bound, stages 3 to 6 do not run. A capacity, and a limit
// that the caller gave, are worth all.
//
// Complexity: the stages' sums; budgets are counted in nodes, not in time.
// Tie-breaks: the earlier stage.
//
//===----------------------------------------------------------------------===//

#include "Strategies/Auto.h"

#include "Model/Neighbours.h"

#include "Search/PeakSearch.h"
#include "Search/SweepSearch.h"
#include "Search/WindowSearch.h"
#include "Strategies/Greedy.h"
#include "Strategies/HillClimb.h"

using namespace memplan;
using namespace memplan::detail;

/// More buffers than this are searched by windows.
static constexpr uint32_t wholeLimit = 4096;

/// Complete search of more buffers than this is not cheap.
static constexpr uint32_t probeLimit = 1024;

/// Twice as many buffers at one time, and every further time as many, slow down
/// tree search and replays once more. Where there are sweeps, which count what
/// they look at, these have the time.
static constexpr int64_t liveLimit = 64;

/// Replays before the complete search: what is nearly there takes no more.
static constexpr int64_t firstReplays = 8;

/// Gaps as parts of the lower bound: one of so many earns all of the effort, or
/// any search besides the first.
static constexpr double fullGap = 1e3, leastGap = 1e6;

int64_t detail::nodesOf(Effort effort, uint32_t buffers) {
  int64_t nodes = effort == Effort::Low      ? 5000
                  : effort == Effort::Normal ? 200000
                                             : 20000000;
  // A node costs more where more is live: keep the time, not the count. What
  // is too large for complete search is searched by windows of bounded size.
  if (buffers > wholeLimit)
    return 2 * nodes + int64_t(double(buffers) * double(nodes) / 400000);
  double scale = buffers <= 500 ? 1.0 : 500.0 / buffers;
  return std::max<int64_t>(1000, int64_t(double(nodes) * scale * scale));
}

/// Replays of the local search, which take about as long as the tree search
/// may: a buffer costs about a microsecond.
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
    // In a large problem it is cheaper to mend the few places where an order
    // fails than to try another. Where it fails by more, there are many, and
    // the peaks are placed anew.
    if (model.size() > wholeLimit && isOpen()) {
      crowding = model.isPlain() ? crowdingOf(model) : 1;
      if (crowding > 1)
        sweepBriefly();
      if (isOpen() && isNear())
        mend(getShare() < 1 ? 1 : 2);
      if (isOpen())
        placePeaks();
      if (isOpen())
        mend(2);
      if (isOpen())
        sweepLong();
    }
    if (isOpen() && getShare() * leastGap < fullGap) {
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
      // A tree search that gets nowhere leaves the local search its share.
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
  /// The share of the effort that the gap earns.
  double getShare() const {
    if (goal >= 0 || effort == Effort::High || control.isLimitGiven())
      return 1;
    double gap = double(standing.best.height - standing.bound);
    return std::min(1.0, gap * fullGap / double(standing.bound));
  }

  /// Nodes or replays that it earns.
  int64_t getEarned(int64_t (*budget)(Effort, uint32_t)) const {
    int64_t all = budget(effort, model.size());
    int64_t least = std::min(budget(Effort::Low, model.size()), all);
    return least + int64_t(getShare() * double(all - least));
  }

  /// How many times the usual time a replay takes: where a buffer may overlap
  /// another, all of its neighbours are looked at to place it.
  int64_t getReplayCost() const {
    if (model.isPlain())
      return 1;
    // Of some buffers, which stand for all.
    constexpr uint32_t samples = 64, usual = 64;
    NeighbourIndex neighbours(model);
    std::vector<BufferIndex> found;
    uint32_t step = std::max<uint32_t>(1, model.size() / samples), count = 0;
    for (BufferIndex b = 0; b < model.size(); b += step, ++count)
      if (model.hasOverlaps(b))
        neighbours.collect(b, found);
    return 1 + int64_t(found.size()) / (int64_t(usual) * count);
  }

  /// While one is alive, the nodes that the gap does not earn are kept back.
  class Withheld {
  public:
    explicit Withheld(Portfolio &portfolio) : control(portfolio.control) {
      if (portfolio.getShare() == 1)
        return;
      int64_t earned =
          portfolio.getEarned(nodesOf) + portfolio.getEarned(replaysOf);
      int64_t left = std::max<int64_t>(0, earned - control.nodes());
      kept = control.reserve(control.nodesLeft() - left);
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

  /// Whether the plan exceeds the target by no more than one 256th.
  bool isNear() const {
    return standing.best.height - target() <= target() / 256;
  }

  /// Keeps back what a search may not take: all but `nodes`, or less where a
  /// node costs more.
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

  void placePeaks() {
    Withheld withheld(*this);
    int64_t kept = reserveAllBut(control.nodesLeft() * 2 / 5);
    stage("peak-search", "peak search",
          [&] { searchPeaks(model, target(), standing, control); });
    control.release(kept);
  }

  void sweepBriefly() {
    Withheld withheld(*this);
    int64_t kept = control.reserve(control.nodesLeft() / 40 * 39);
    stage("sweep-search", "sweep search",
          [&] { sweepTo(model, target(), control, standing.best); });
    control.release(kept);
  }

  void sweepLong() {
    Withheld withheld(*this);
    int64_t kept = control.reserve(control.nodesLeft() / 4);
    stage("sweep-search", "sweep search",
          [&] { sweepTowards(model, target(), control, standing.best); });
    control.release(kept);
  }

  /// Takes up to one `share`th of the nodes left.
  void mend(int64_t share) {
    int64_t kept = reserveAllBut(control.nodesLeft() / share);
    stage("window-search", "window search", [&] {
      // Once more, with other random numbers, as long as that may help.
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
    int64_t used =
        improveOrder(model, order, target(),
                     std::min(replays, control.nodesLeft()) / crowding,
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
  /// How many times longer a node or a replay takes.
  int64_t crowding = 1;
  /// Window searches so far, for their random numbers.
  uint64_t mendings = 0;
  AutoReport report;
};

} // namespace

AutoReport detail::solveAuto(const Model &model, int64_t goal, Effort effort,
                             Standing &standing, SearchControl &control) {
  return Portfolio(model, goal, effort, standing, control).run();
}
