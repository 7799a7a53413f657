//===- Rematerialize.cpp - Schedules that recompute -----------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Graph/Rematerialize.h"

#include "Recompute/Searches.h"
#include "memplan/Graph/Profile.h"
#include "memplan/Graph/Reorder.h"

#include <algorithm>
#include <limits>

using namespace memplan::graph;

namespace {

/// The search tries a series of budgets, the ladder: ladderParts budgets at
/// equal distances between the lowest bound and the lowest peak without
/// repeats, and closeBudgets more close to the bound.
constexpr int64_t ladderParts = 40;
constexpr int closeBudgets = 5;
/// Each pass of the backward search tries every fourth budget of the ladder,
/// with another remainder in the next pass. The width of the search doubles
/// every two passes.
constexpr size_t backwardTurns = 4;
constexpr size_t firstWidth = 8;
/// A backward search stops after so many steps for each set of its width. The
/// next one may take twice as many.
constexpr int64_t firstStepsPerWidth = 160000;
/// With more pieces, the operations on sets take too long.
constexpr size_t maxBackwardPieces = 1024;
/// With more nodes, no other order is searched if the given one is within
/// `enough`.
constexpr size_t maxOrdered = 10000;
/// The bound may visit one set for so many steps of the options.
constexpr int64_t stepsPerBound = 160;
/// The number of orders from the backward search that are kept, the latest
/// ones.
constexpr size_t maxFoundOrders = 2;

constexpr DropRule rules[] = {
    {1, 1, 1, 0},     // DTR: cost per byte and time
    {1, 1, 0, 0},     // cost per byte
    {0.5, 1, 1, 0},   // between these two
    {1, 0.5, 1, 0},   // bytes count less
    {1, 1, 0.5, 0},   // distance counts less
    {0.001, 0, 1, 0}, // the farthest next use, almost without cost
    {1, 1, 1, 2},     // DTR with random factors
};

RematerializePoint pointOf(const OpGraph &graph, const RepeatModel &model,
                           const Sequence &sequence,
                           const RematerializeOptions &options) {
  RematerializePoint point;
  point.schedule = model.toSchedule(sequence);
  point.peak = buildProfile(graph, point.schedule, options.memory).peakBytes();
  point.extraFlops = model.extraFlops(sequence);
  point.repeats = sequence.size() - model.nodes.size();
  return point;
}

Sequence firstRuns(const RepeatModel &model, const Sequence &sequence) {
  std::vector<bool> hasRun(model.nodes.size());
  Sequence order;
  for (uint32_t n : sequence)
    if (!hasRun[n]) {
      hasRun[n] = true;
      order.push_back(n);
    }
  return order;
}

/// The Pareto-optimal sequences, by rising peak and falling FLOPs.
class Pareto {
public:
  struct Entry {
    int64_t peak, flops;
    Sequence sequence;
  };

  /// The fewest FLOPs of a known sequence within the budget; INT64_MAX if there
  /// is none.
  int64_t flopsWithin(int64_t budget) const {
    int64_t flops = INT64_MAX;
    for (const Entry &entry : entries)
      if (entry.peak <= budget)
        flops = entry.flops;
    return flops;
  }

  /// Adds the sequence unless a known one is as good; returns whether it did.
  bool add(int64_t peak, int64_t flops, Sequence sequence) {
    if (flopsWithin(peak) <= flops)
      return false;
    entries.erase(std::remove_if(entries.begin(), entries.end(),
                                 [&](const Entry &entry) {
                                   return entry.peak >= peak &&
                                          entry.flops >= flops;
                                 }),
                  entries.end());
    auto at =
        std::find_if(entries.begin(), entries.end(),
                     [&](const Entry &entry) { return entry.peak > peak; });
    entries.insert(at, {peak, flops, std::move(sequence)});
    return true;
  }

  std::vector<Entry> entries;
};

/// Searches sequences for all budgets of the ladder.
class Climb {
public:
  Climb(const OpGraph &graph, const Schedule &source, const RepeatModel &model,
        int64_t enough, const RematerializeOptions &options)
      : model(model), enough(enough), options(options), bounds(model),
        triples(model), together(boundTogether(triples, bounds.peak,
                                               options.steps / stepsPerBound)),
        steps(options.steps) {
    // Each node has at least one piece.
    if (model.nodes.size() <= maxBackwardPieces)
      sets.emplace(model, LiveSets::Follow::All, 0);
    if (sets && sets->pieces.size() > maxBackwardPieces)
      sets.reset();
    findOrders(graph, source);
    numOwnOrders = orders.size();
    makeLadder();
  }

  void run() {
    if (isWithin(std::max(enough, together.bySearch)))
      return;
    // Each round treats every budget alike, so more steps never make a point
    // worse.
    auto isAnyOfUse = [&] {
      return std::any_of(ladder.begin(), ladder.end(),
                         [&](int64_t budget) { return isOfUse(budget); });
    };
    auto isOver = [&] { return steps <= 0 || (options.stop && *options.stop); };
    for (uint64_t round = 0; !isOver() && isAnyOfUse(); ++round)
      for (int64_t budget : ladder) {
        if (isOver())
          break;
        if (!isOfUse(budget))
          continue;
        for (size_t o = 0; o < orders.size() && !isOver(); ++o)
          dropFrom(o, budget, round);
        // The backward search gets as many steps as the greedy one has taken.
        if (sets && backwardSteps <= options.steps - steps)
          goBackward();
      }
  }

  const TogetherBound &peakBound() const { return together; }
  Pareto pareto;

private:
  /// An order without repeats with a peak within the budget is known.
  bool isWithin(int64_t budget) const {
    return !model.hasOtherTies && pareto.flopsWithin(budget) == 0;
  }

  /// A cheaper sequence within the budget may exist.
  bool isOfUse(int64_t budget) const {
    return bounds.flopsWithin(budget) < pareto.flopsWithin(budget);
  }

  bool add(Sequence sequence) {
    if (!model.isCountable(sequence))
      return false;
    int64_t peak = model.peakOf(sequence), flops = model.extraFlops(sequence);
    return pareto.add(peak, flops, std::move(sequence));
  }

  /// Finds orders without repeats. They are points without additional FLOPs,
  /// and the greedy search inserts repeats into them.
  void findOrders(const OpGraph &graph, const Schedule &source) {
    for (OrderStrategy strategy :
         {OrderStrategy::Source, OrderStrategy::Threshold, OrderStrategy::Dfs,
          OrderStrategy::Lpmf}) {
      if (isWithin(together.bySearch) ||
          (model.nodes.size() > maxOrdered && isWithin(enough)))
        return;
      ReorderOptions order;
      order.strategy = strategy;
      order.memory = options.memory;
      order.steps = options.orderSteps;
      order.seed = options.seed;
      order.stop = options.stop;
      Sequence sequence = model.toSequence(reorder(graph, source, order).order);
      if (std::find(orders.begin(), orders.end(), sequence) != orders.end())
        continue;
      orders.push_back(sequence);
      add(std::move(sequence));
    }
  }

  void makeLadder() {
    int64_t top = pareto.entries.front().peak;
    auto add = [&](int64_t from, double part) {
      int64_t budget =
          from + static_cast<int64_t>(static_cast<double>(top - from) * part);
      // Does not use the bound that depends on the steps, so the ladder is the
      // same for any number of steps.
      if (budget >= together.byThrees)
        ladder.push_back(budget);
    };
    for (int64_t k = 1; k <= ladderParts; ++k)
      add(bounds.peak, 1 - static_cast<double>(k) / ladderParts);
    for (int k = 0; k <= closeBudgets; ++k)
      add(together.byThrees,
          k == 0 ? 0 : 1.0 / ladderParts / static_cast<double>(1 << k));
    std::sort(ladder.begin(), ladder.end(), std::greater<int64_t>());
  }

  bool keep(Sequence sequence, int64_t budget) {
    dropRepeats(model, sequence, budget, steps);
    return add(std::move(sequence));
  }

  /// The next budget for the backward search: at the begin of a pass the first
  /// budget without a known sequence, then every fourth budget of the ladder.
  int64_t nextBackward() {
    if (rung >= ladder.size()) {
      ++pass;
      rung = pass % backwardTurns;
      for (int64_t budget : ladder)
        if (pareto.flopsWithin(budget) == INT64_MAX)
          return budget;
    }
    int64_t budget = ladder[rung];
    rung += backwardTurns;
    return budget;
  }

  void goBackward() {
    int64_t budget = nextBackward();
    if (!isOfUse(budget))
      return;
    size_t width = firstWidth << std::min<size_t>(pass / 2, 20);
    int64_t limit = std::min(stepsPerWidth * static_cast<int64_t>(width),
                             options.steps - backwardSteps);
    int64_t left = limit;
    std::optional<Sequence> sequence = searchBackward(
        model, *sets, triples, budget, width,
        pass % 2 == 0 ? BackwardRule::Lightest : BackwardRule::LeastPeak, left);
    backwardSteps += limit - left;
    if (!sequence && left <= 0)
      stepsPerWidth *= 2;
    if (!sequence)
      return;
    // The greedy search may start from its order as well.
    Sequence order = firstRuns(model, *sequence);
    if (!keep(std::move(*sequence), budget))
      return;
    if (orders.size() == numOwnOrders + maxFoundOrders)
      orders.erase(orders.begin() + static_cast<std::ptrdiff_t>(numOwnOrders));
    orders.push_back(std::move(order));
  }

  void dropFrom(size_t number, int64_t budget, uint64_t round) {
    DropRule rule = rules[round % std::size(rules)];
    if (round >= std::size(rules))
      rule.noise = 1 + static_cast<double>(round % 4);
    uint64_t seed = options.seed + round * 1000 + number;
    int64_t limit = pareto.flopsWithin(budget);
    // dropRepeats removes repeats afterwards, so a sequence that costs more now
    // may be cheaper in the end.
    if (limit < INT64_MAX / 2)
      limit += limit / 2;
    std::optional<Sequence> sequence =
        dropGreedily(model, orders[number], budget, rule, seed, limit, steps);
    if (sequence && steps >= 0)
      keep(std::move(*sequence), budget);
  }

  const RepeatModel &model;
  int64_t enough;
  const RematerializeOptions &options;
  RepeatBounds bounds;
  TriplePeaks triples;
  TogetherBound together;
  /// Absent if there are too many pieces.
  std::optional<LiveSets> sets;
  /// The steps left for the greedy search, and those spent on backward
  /// searches.
  int64_t steps, backwardSteps = 0;
  size_t pass = 0, rung = 0;
  std::vector<Sequence> orders;
  size_t numOwnOrders = 0;
  /// Budgets in bytes, in falling order.
  std::vector<int64_t> ladder;
  int64_t stepsPerWidth = firstStepsPerWidth;
};

/// Tells the way out of a budget that is too small.
std::string leastFound(int64_t peak) {
  return "; a schedule needs " + std::to_string(peak) +
         " bytes, the least that was found";
}

/// Graphs of up to this many nodes are searched exactly even if no schedule
/// within the budget is known.
constexpr size_t maxSmallNodes = 16;

/// Rules out cheaper schedules than that of the result by an exact search of
/// limited steps, or finds the cheapest one. If the result has none, finds one
/// or rules out all.
void searchCheaper(const OpGraph &graph, const RepeatModel &model,
                   int64_t budget, const RematerializeOptions &options,
                   RematerializeResult &result) {
  LiveSets sets(model, LiveSets::Follow::All, 0);
  if (sets.pieces.size() > maxBackwardPieces)
    return;
  TriplePeaks triples(model);
  int64_t once = 0, steps = options.steps;
  for (const RepeatModel::Node &node : model.nodes)
    once += node.flops;
  bool isKnown = result.status == RematerializeStatus::Feasible;
  int64_t upper = isKnown ? once + result.point.extraFlops
                          : std::numeric_limits<int64_t>::max();
  BackwardBound bound = boundBackward(sets, triples, budget, upper, steps);
  if (!isKnown && bound.flops == upper) {
    result.status = RematerializeStatus::Infeasible;
    result.reason =
        "an exact search found no schedule" + leastFound(result.point.peak);
    return;
  }
  result.flopsBound = std::max(result.flopsBound, bound.flops - once);
  if (!bound.sequence || !model.isCountable(*bound.sequence))
    return;
  // The sets do not have inputs that are live at the start only.
  RematerializePoint point = pointOf(graph, model, *bound.sequence, options);
  if (point.peak > budget ||
      (isKnown && point.extraFlops >= result.point.extraFlops))
    return;
  result.point = std::move(point);
  result.status = RematerializeStatus::Feasible;
}

/// The simplest proof that no schedule is within the budget.
std::string whyNot(const OpGraph &graph, const RepeatModel &model,
                   const RepeatBounds &bounds, int64_t peakBound,
                   int64_t budget) {
  if (bounds.peak <= budget)
    return "every way to the outputs has " + std::to_string(peakBound) +
           " bytes live at once, in any order and with any repeats of what may "
           "run twice";
  std::string bytes = std::to_string(bounds.peak) + " bytes";
  if (bounds.node == RepeatModel::none)
    return "inputs and outputs that are held need " + bytes;
  return "op '" + graph.ops[model.nodes[bounds.node].op].id + "' needs " +
         bytes +
         ": what it reads and makes, what is held, and what cannot be made "
         "again";
}

} // namespace

MemoryOptions memplan::graph::budgetMemory() {
  MemoryOptions options;
  options.held.insert(Origin::Tangent);
  options.held.insert(Origin::Donated);
  return options;
}

RematerializeFrontier::RematerializeFrontier(
    const OpGraph &graph, const Schedule &source,
    const RematerializeOptions &options, int64_t enough)
    : graph(graph), source(source), options(options) {
  RepeatModel model(graph, source, options.memory);
  Climb climb(graph, source, model, enough, options);
  climb.run();
  peakBound = climb.peakBound().bySearch;
  const std::vector<Pareto::Entry> &entries = climb.pareto.entries;
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
    RematerializePoint point = pointOf(graph, model, entry->sequence, options);
    // With ties, a peak may be another one than the model's.
    if (found.empty() || point.peak < found.back().peak)
      found.push_back(std::move(point));
  }
}

RematerializeResult RematerializeFrontier::within(int64_t budget) const {
  RepeatModel model(graph, source, options.memory);
  RepeatBounds bounds(model);
  RematerializeResult result;
  result.peakBound = peakBound;
  result.needsTogether = peakBound > bounds.peak;
  if (bounds.node != RepeatModel::none && !result.needsTogether)
    result.boundOp = model.nodes[bounds.node].op;
  result.point = found.back();
  for (const RematerializePoint &point : found)
    if (point.peak <= budget) {
      // Points come by falling peak and rising FLOPs.
      result.point = point;
      result.status = RematerializeStatus::Feasible;
      break;
    }
  if (peakBound > budget) {
    result.status = RematerializeStatus::Infeasible;
    result.reason = whyNot(graph, model, bounds, peakBound, budget) +
                    leastFound(result.point.peak);
    return result;
  }
  result.flopsBound =
      std::max(bounds.flopsWithin(budget), boundPoints(model, budget));
  if (model.isComplete && (result.status == RematerializeStatus::Feasible
                               ? result.point.extraFlops > result.flopsBound &&
                                     model.nodes.size() <= maxBackwardPieces
                               : model.nodes.size() <= maxSmallNodes))
    searchCheaper(graph, model, budget, options, result);
  if (result.status == RematerializeStatus::Feasible &&
      result.point.extraFlops <= result.flopsBound)
    result.status = RematerializeStatus::Optimal;
  if (result.status == RematerializeStatus::Unknown)
    result.reason = "the lowest peak found is " +
                    std::to_string(result.point.peak) + " bytes; none below " +
                    std::to_string(peakBound) + " bytes is possible";
  return result;
}

PeakBound memplan::graph::boundPeak(const OpGraph &graph,
                                    const Schedule &source,
                                    const MemoryOptions &memory) {
  RepeatModel model(graph, source, memory);
  RepeatBounds bounds(model);
  return {bounds.peak, bounds.node == RepeatModel::none
                           ? noOp
                           : model.nodes[bounds.node].op};
}

RematerializeResult
memplan::graph::rematerialize(const OpGraph &graph, const Schedule &source,
                              int64_t budget,
                              const RematerializeOptions &options) {
  return RematerializeFrontier(graph, source, options, budget).within(budget);
}
