//===- Reorder.cpp - Orders with a low peak -------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Graph/Reorder.h"

#include "Order/Orders.h"
#include "memplan/Core/Interrupt.h"
#include "memplan/Graph/Profile.h"

#include <algorithm>
#include <numeric>

using namespace memplan;
using namespace memplan::graph;

namespace {

/// With more ops, lpmf, annealing and the planning of several orders take too
/// long.
constexpr size_t maxLpmf = 20000;
constexpr size_t maxAnneal = 3000;
constexpr size_t maxJudged = 20000;
constexpr size_t judgedOrders = 4;
/// The moves of the annealing for each step of the options, divided by the
/// number of ops: a move costs time in proportion to the ops, a step of the
/// search does not.
constexpr int64_t movesPerStep = 200;

struct Found {
  OrderStrategy strategy;
  Schedule order; // In op numbers of the model.
  int64_t peak;
};

int64_t arenaOf(const OpGraph &graph, const Schedule &schedule,
                const ReorderOptions &options) {
  int64_t bytes = 0;
  ScheduleMemory memory = runSchedule(graph, schedule, options.memory);
  SolveOptions solveOptions;
  solveOptions.effort = Effort::Low;
  for (const ProblemInSpace &space : buildProblems(graph, memory))
    bytes += (options.stop ? solve(space.problem, solveOptions, *options.stop)
                           : solve(space.problem, solveOptions))
                 .arenaSize;
  return bytes;
}

} // namespace

ReorderResult memplan::graph::reorder(const OpGraph &graph,
                                      const Schedule &source,
                                      const ReorderOptions &options) {
  LiveModel model(graph, source, options.memory);
  Schedule identity(model.size());
  std::iota(identity.begin(), identity.end(), 0);

  ReorderResult result;
  result.sourcePeak = buildProfile(graph, source, options.memory).peakBytes();
  // The model does not have all ways of reuse by ties; the profile has.
  auto peakOf = [&](const Schedule &order) {
    return model.hasOtherTies
               ? buildProfile(graph, model.toSchedule(order), options.memory)
                     .peakBytes()
               : model.peakOf(order);
  };
  result.bound = orderBound(model);

  std::vector<Found> found;
  auto add = [&](OrderStrategy strategy, Schedule order) {
    int64_t peak = peakOf(order);
    found.push_back({strategy, std::move(order), peak});
  };
  auto best = [&] {
    return std::min_element(
        found.begin(), found.end(),
        [](const Found &a, const Found &b) { return a.peak < b.peak; });
  };
  OrderStrategy wanted = options.strategy;
  bool isAuto = wanted == OrderStrategy::Auto;
  bool isSearch = isAuto || wanted == OrderStrategy::Threshold ||
                  wanted == OrderStrategy::Anneal;
  if (isSearch || wanted == OrderStrategy::Source)
    add(OrderStrategy::Source, identity);
  if ((isSearch && model.size() <= maxLpmf) || wanted == OrderStrategy::Lpmf)
    add(OrderStrategy::Lpmf, lpmfOrder(model));
  if (isSearch || wanted == OrderStrategy::Dfs)
    add(OrderStrategy::Dfs, dfsOrder(model));
  if (isSearch || wanted == OrderStrategy::Bfs)
    add(OrderStrategy::Bfs, bfsOrder(model));

  auto isOpen = [&] { return best()->peak > result.bound; };
  if ((isAuto || wanted == OrderStrategy::Threshold) && isOpen()) {
    Schedule order = best()->order;
    int64_t bound = result.bound;
    result.steps +=
        improveOrder(model, order, bound, options.steps, options.stop);
    if (!model.hasOtherTies)
      result.bound = bound;
    add(OrderStrategy::Threshold, std::move(order));
  }
  if (((isAuto && model.size() <= maxAnneal) ||
       wanted == OrderStrategy::Anneal) &&
      isOpen()) {
    int64_t moves = std::min<int64_t>(
        options.steps,
        options.steps * movesPerStep / static_cast<int64_t>(model.size() + 1));
    add(OrderStrategy::Anneal,
        annealOrder(model, best()->order, moves, options.seed, options.stop));
    result.steps += moves;
  }

  auto chosen = best();
  for (const Found &order : found)
    result.candidates.push_back({order.strategy, order.peak, std::nullopt});
  if (isAuto && options.judgeByArena && model.size() <= maxJudged) {
    // The source is always planned, so the result's arena is not larger.
    std::vector<size_t> ranks(found.size());
    std::iota(ranks.begin(), ranks.end(), 0);
    std::stable_sort(ranks.begin() + 1, ranks.end(), [&](size_t a, size_t b) {
      return found[a].peak < found[b].peak;
    });
    auto arena = [&](size_t i) -> std::optional<int64_t> & {
      return result.candidates[i].arena;
    };
    size_t judged = 0, winner = 0;
    for (size_t i : ranks) {
      if (found[i].peak > result.sourcePeak || judged > judgedOrders)
        continue;
      ++judged;
      arena(i) = arenaOf(graph, model.toSchedule(found[i].order), options);
      if (std::pair(*arena(i), found[i].peak) <
          std::pair(*arena(winner), found[winner].peak))
        winner = i;
    }
    chosen = found.begin() + static_cast<ptrdiff_t>(winner);
  }
  result.order = model.toSchedule(chosen->order);
  result.peak = chosen->peak;
  result.strategy = chosen->strategy;
  result.isOptimal = result.peak == result.bound;
  return result;
}
