//===- HillClimb.cpp - Local search over placement orders -----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Local search over placement orders. A state is an order, and first fit gives
// its plan. There are two random moves; the first is made twice as often:
//
// - Squeaky wheel. The buffers that end above the goal were placed too late.
// All
//   of them advance in the order, to the same random share of their positions.
// - Swap. The highest buffer, or a buffer below it that supports it, is swapped
//   with a random earlier buffer that is live together with it.
//
// A move is kept if the height does not grow and, with the same height, the
// bytes above the goal do not grow, either. If a move is refused and is the
// 16th (or 32nd, ...) in a row without a lower height, the order takes a
// squeaky wheel move in any case.
//
// Source: D. Joslin and D. Clements, "Squeaky Wheel Optimization", JAIR 10,
// 1999; hill climbing over allocation orders as in TVM's USMP and Vela.
// Complexity: that of Placer with Fit::First for each replay. Tie-breaks: those
// of the order; the random numbers depend only on the seed.
//
//===----------------------------------------------------------------------===//

#include "Strategies/HillClimb.h"

#include "Search/SearchOrders.h"
#include "Strategies/Greedy.h"

#include <algorithm>
#include <utility>

using namespace memplan;
using namespace memplan::detail;

namespace {

/// The cost of an order: the height first, then the bytes of the buffers above
/// the goal.
struct Cost {
  int64_t height;
  double bytesAboveGoal;
  bool operator<=(const Cost &other) const {
    return height != other.height ? height < other.height
                                  : bytesAboveGoal <= other.bytesAboveGoal;
  }
};

class OrderClimber {
public:
  OrderClimber(const Model &model, std::vector<BufferIndex> start, int64_t goal,
               uint64_t seed)
      : model(model), goal(goal), random(seed), order(std::move(start)) {
    current = evaluate(order);
    best = placement;
  }

  const Placement &bestPlacement() const { return best; }

  void step() {
    std::vector<BufferIndex> trial = order;
    if (random.below(3) == 0)
      swapSupport(trial);
    else
      advanceBlamed(trial);
    Placement before = std::move(placement);
    Cost cost = evaluate(trial, current.height + 1);
    if (placement.height < best.height)
      best = placement;
    if (cost <= current) {
      refusals = cost.height < current.height ? 0 : refusals + 1;
      current = cost;
      order = std::move(trial);
      return;
    }
    placement = std::move(before);
    if (++refusals % 16 == 0) {
      // Leave the plateau, also for a worse order.
      advanceBlamed(order);
      current = evaluate(order);
    }
  }

private:
  /// Places the buffers in this order. The cost has the height INT64_MAX if the
  /// height reaches `limit`.
  Cost evaluate(const std::vector<BufferIndex> &candidate,
                int64_t limit = INT64_MAX) {
    placement = placeInOrder(model, candidate, Fit::First, limit);
    if (placement.offsets.empty())
      return {INT64_MAX, 0};
    double above = 0;
    for (BufferIndex b : candidate) {
      int64_t end = placement.offsets[b] + model.sizeOf(b);
      if (end > goal)
        above += double(std::min(model.sizeOf(b), end - goal));
    }
    return {placement.height, above};
  }

  bool isBlamed(BufferIndex b) const {
    return placement.offsets[b] + model.sizeOf(b) > goal;
  }

  void advanceBlamed(std::vector<BufferIndex> &trial) {
    static constexpr double shares[] = {0, 0.3, 0.6, 0.8, 0.9};
    double share = shares[random.below(5)];
    struct Key {
      double position;
      size_t before;
    };
    std::vector<Key> keys;
    keys.reserve(trial.size());
    for (size_t i = 0; i < trial.size(); ++i)
      // Just before the buffer that has this position now.
      keys.push_back(
          {isBlamed(trial[i]) ? double(i) * share - 0.5 : double(i), i});
    std::sort(keys.begin(), keys.end(), [](const Key &a, const Key &b) {
      return a.position != b.position ? a.position < b.position
                                      : a.before < b.before;
    });
    std::vector<BufferIndex> moved;
    moved.reserve(trial.size());
    for (const Key &key : keys)
      moved.push_back(trial[key.before]);
    trial = std::move(moved);
  }

  void swapSupport(std::vector<BufferIndex> &trial) {
    // Begin with the highest buffer and go down, at most three times, to a
    // buffer on which it lies.
    size_t at = 0;
    for (size_t i = 1; i < trial.size(); ++i)
      if (endOf(trial[i]) > endOf(trial[at]))
        at = i;
    for (uint64_t down = random.below(4); down > 0; --down) {
      size_t below = at;
      for (size_t i = 0; i < trial.size(); ++i)
        if (endOf(trial[i]) == placement.offsets[trial[at]] &&
            model.liveTogether(trial[i], trial[at]))
          below = i;
      at = below;
    }
    std::vector<size_t> earlier;
    for (size_t i = 0; i < at; ++i)
      if (model.liveTogether(trial[i], trial[at]))
        earlier.push_back(i);
    if (!earlier.empty())
      std::swap(trial[at], trial[earlier[random.below(earlier.size())]]);
  }

  int64_t endOf(BufferIndex b) const {
    return placement.offsets[b] + model.sizeOf(b);
  }

  const Model &model;
  int64_t goal;
  Random random;
  std::vector<BufferIndex> order;
  Placement placement, best;
  Cost current;
  uint64_t refusals = 0;
};

} // namespace

int64_t detail::improveOrder(const Model &model, std::vector<BufferIndex> order,
                             int64_t goal, int64_t replays, int64_t patience,
                             uint64_t seed, SearchControl &control,
                             Placement &best) {
  if (order.size() < 2 || replays <= 0 || best.height <= goal)
    return 0;
  OrderClimber climber(model, std::move(order), goal, seed);
  int64_t used = 0, found = 0;
  for (; used < replays && used - found < patience && !control.timeIsUp();
       ++used) {
    climber.step();
    if (climber.bestPlacement().height >= best.height)
      continue;
    found = used;
    best = climber.bestPlacement();
    control.report(best.height, goal);
    if (best.height <= goal)
      break;
  }
  return used;
}

void detail::hillClimb(const Model &model, int64_t goal, Standing &standing,
                       SearchControl &control) {
  int64_t target = std::max(goal, standing.bound);
  GreedyResult greedy = runGreedyOrders(model, target, control.deadline());
  takeBetter(std::move(greedy.best), standing.best);
  if (!control.timeIsUp())
    control.spend(improveOrder(model, orderOf(model, greedy.bestOrder), target,
                               control.nodesLeft(), /*patience=*/INT64_MAX,
                               control.seed(), control, standing.best));
}
