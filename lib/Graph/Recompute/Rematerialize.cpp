//===- Rematerialize.cpp - Computing again instead of keeping -------------===//
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

using namespace memplan::graph;

namespace {

/// The ladder: budgets in so many parts of the way from the lowest bound to the
/// peak without repeats, and some more close to the bound.
constexpr int64_t ladderParts = 40;
constexpr int closeBudgets = 5;
/// The search ends when so many rounds have found nothing better.
constexpr uint64_t quietRounds = 25;

constexpr DropRule rules[] = {
    {1, 1, 1, 0},     // DTR: cost by bytes and time
    {1, 1, 0, 0},     // cheapest by byte
    {0.5, 1, 1, 0},   // in between
    {1, 0.5, 1, 0},   // small pieces, too
    {1, 1, 0.5, 0},   // less far ahead
    {0.001, 0, 1, 0}, // the farthest next use
    {1, 1, 1, 2},     // and disturbed
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

/// Sequences none of which another one beats, by rising peak.
class Pareto {
public:
  struct Entry {
    int64_t peak, flops;
    Sequence sequence;
  };

  /// The fewest FLOPs known within the budget.
  int64_t flopsWithin(int64_t budget) const {
    int64_t flops = INT64_MAX;
    for (const Entry &entry : entries)
      if (entry.peak <= budget)
        flops = entry.flops;
    return flops;
  }

  /// Whether nothing known is as good.
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

} // namespace

MemoryOptions memplan::graph::budgetMemory() {
  MemoryOptions options;
  options.held.insert(Origin::Tangent);
  options.held.insert(Origin::Donated);
  return options;
}

RematerializeFrontier::RematerializeFrontier(
    const OpGraph &graph, const Schedule &source,
    const RematerializeOptions &options)
    : graph(graph), source(source), options(options) {
  RepeatModel model(graph, source, options.memory);
  Pareto pareto;
  auto add = [&](Sequence sequence) {
    int64_t peak = model.peakOf(sequence), flops = model.extraFlops(sequence);
    return pareto.add(peak, flops, std::move(sequence));
  };

  // Orders without repeats: the free points, and what repeats are put into.
  std::vector<Sequence> orders;
  for (OrderStrategy strategy :
       {OrderStrategy::Source, OrderStrategy::Threshold, OrderStrategy::Dfs,
        OrderStrategy::Lpmf}) {
    ReorderOptions order;
    order.strategy = strategy;
    order.memory = options.memory;
    order.steps = options.orderSteps;
    order.seed = options.seed;
    Sequence sequence = model.toSequence(reorder(graph, source, order).order);
    if (std::find(orders.begin(), orders.end(), sequence) != orders.end())
      continue;
    orders.push_back(sequence);
    add(std::move(sequence));
  }

  RepeatBounds bounds(model);
  int64_t top = pareto.entries.front().peak;
  std::vector<int64_t> ladder;
  for (int64_t k = 1; k <= ladderParts; ++k)
    ladder.push_back(
        top - static_cast<int64_t>(static_cast<double>(top - bounds.peak) *
                                   static_cast<double>(k) / ladderParts));
  for (int k = 1; k <= closeBudgets; ++k)
    ladder.push_back(bounds.peak +
                     (top - bounds.peak) / ladderParts / (int64_t(1) << k));
  std::sort(ladder.begin(), ladder.end(), std::greater<int64_t>());

  // Each round gives every budget the same share, so that more steps make every
  // point better and none worse.
  int64_t steps = options.steps;
  uint64_t lastGain = 0;
  for (uint64_t round = 0; steps > 0 && round - lastGain < quietRounds;
       ++round) {
    for (int64_t budget : ladder) {
      if (bounds.flopsWithin(budget) >= pareto.flopsWithin(budget))
        continue;
      for (size_t o = 0; o < orders.size(); ++o) {
        DropRule rule = rules[round % std::size(rules)];
        if (round >= std::size(rules))
          rule.noise = 1 + static_cast<double>(round % 4);
        uint64_t seed = options.seed + round * 1000 + o;
        int64_t limit = pareto.flopsWithin(budget);
        // Repeats are taken away afterwards: what costs a little more may cost
        // less then.
        if (limit < INT64_MAX / 2)
          limit += limit / 2;
        std::optional<Sequence> sequence =
            dropGreedily(model, orders[o], budget, rule, seed, limit, steps);
        if (steps < 0)
          break;
        if (!sequence)
          continue;
        dropRepeats(model, *sequence, budget);
        if (add(std::move(*sequence)))
          lastGain = round;
      }
      if (steps < 0)
        break;
    }
  }
  for (auto entry = pareto.entries.rbegin(); entry != pareto.entries.rend();
       ++entry)
    found.push_back(pointOf(graph, model, entry->sequence, options));
}

RematerializeResult RematerializeFrontier::within(int64_t budget) const {
  RepeatModel model(graph, source, options.memory);
  RepeatBounds bounds(model);
  RematerializeResult result;
  result.peakBound = bounds.peak;
  if (bounds.node != RepeatModel::none)
    result.boundOp = model.nodes[bounds.node].op;
  result.point = found.back();
  for (const RematerializePoint &point : found)
    if (point.peak <= budget) {
      // Points come by falling peak and rising FLOPs.
      result.point = point;
      result.status = RematerializeStatus::Feasible;
      break;
    }
  if (bounds.peak > budget) {
    result.status = RematerializeStatus::Infeasible;
    result.reason =
        bounds.node == RepeatModel::none
            ? "inputs and outputs that are held need " +
                  std::to_string(bounds.peak) + " bytes"
            : "op '" + graph.ops[result.boundOp].id + "' needs " +
                  std::to_string(bounds.peak) +
                  " bytes: what it reads and makes, what is held, and what "
                  "cannot be made again";
    return result;
  }
  result.flopsBound = bounds.flopsWithin(budget);
  if (model.isComplete && model.nodes.size() <= maxExactNodes &&
      model.items.size() <= maxExactItems) {
    ExactResult exact = searchExactly(model, budget, options.steps);
    if (exact.status == ExactStatus::Infeasible) {
      result.status = RematerializeStatus::Infeasible;
      result.reason = "an exhaustive search found no schedule";
      return result;
    }
    if (exact.status == ExactStatus::Found) {
      result.point = pointOf(graph, model, exact.sequence, options);
      result.flopsBound = result.point.extraFlops;
      result.status = RematerializeStatus::Feasible;
    }
  }
  if (result.status == RematerializeStatus::Feasible &&
      result.point.extraFlops <= result.flopsBound)
    result.status = RematerializeStatus::Optimal;
  if (result.status == RematerializeStatus::Unknown)
    result.reason = "the lowest peak found is " +
                    std::to_string(result.point.peak) + " bytes; none below " +
                    std::to_string(bounds.peak) + " bytes is possible";
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
  return RematerializeFrontier(graph, source, options).within(budget);
}
