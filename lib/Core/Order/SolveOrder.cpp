//===- SolveOrder.cpp - Plans of problems with formulas -------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each hint gives a problem of constant sizes, whose plan gives an order. With
// several hints there is one more: of a problem in which the size of a buffer
// is the greatest share that it has of the bound at any hint. The best of these
// orders is improved by local search: a place that supports the arena at the
// worst hint moves to another position of the order.
//
//===----------------------------------------------------------------------===//

#include "Order/SolveOrder.h"

#include "Order/Places.h"
#include "memplan/Core/Bound.h"
#include "memplan/Core/CheckedMath.h"
#include "memplan/Core/Order.h"

#include <algorithm>
#include <random>

using namespace memplan;
using namespace memplan::detail;

namespace {

/// The greatest quotient of arena and bound, then the sum of all.
struct OrderCost {
  double worst = 0;
  double sum = 0;

  void add(int64_t arena, int64_t bound) {
    double ratio = bound > 0 ? double(arena) / double(bound) : 1.0;
    worst = std::max(worst, ratio);
    sum += ratio;
  }
  bool operator<(const OrderCost &other) const {
    return worst != other.worst ? worst < other.worst : sum < other.sum;
  }
};

/// The problem at one hint.
struct AtHint {
  std::vector<int64_t> values;
  Problem constant;
  int64_t bound = 0;
};

/// Local search over sequences of the places, from the lowest to the highest.
class PlaceClimber {
public:
  PlaceClimber(const Problem &problem, const std::vector<AtHint> &hints,
               const Places &places, std::vector<unsigned> start)
      : problem(problem), hints(hints), places(places), best(std::move(start)),
        mayOverlap(places.members.size(), false) {
    bestCost = evaluate(best);
  }

  void run() {
    // Each evaluation sweeps over all places.
    size_t evaluations =
        std::min<size_t>(2000, 400000 / (places.members.size() + 1));
    for (size_t i = 0; i < evaluations && bestCost.worst > 1.0; ++i)
      step();
  }

  PlaceOrder getOrder() const {
    return places.makeOrder(problem, getSpans(best), mayOverlap, nullptr);
  }

private:
  std::vector<Span> getSpans(const std::vector<unsigned> &sequence) const {
    std::vector<Span> spans(sequence.size());
    for (size_t i = 0; i < sequence.size(); ++i) {
      const Buffer &buffer =
          problem.buffers[places.members[sequence[i]].front()];
      bool isEmpty = !buffer.formula && buffer.size == 0;
      spans[sequence[i]] = {int64_t(i), int64_t(i) + !isEmpty};
    }
    return spans;
  }

  /// Sets `chain` to the places that support the arena at the worst hint.
  OrderCost evaluate(const std::vector<unsigned> &sequence) {
    std::vector<std::vector<unsigned>> below(sequence.size());
    for (auto [lower, upper] : places.findPairs(getSpans(sequence), mayOverlap))
      below[upper].push_back(lower);
    OrderCost cost;
    std::vector<int64_t> ends(sequence.size());
    std::vector<unsigned> support(sequence.size());
    for (const AtHint &hint : hints) {
      int64_t arena = 0;
      unsigned top = 0;
      for (unsigned place : sequence) {
        int64_t offset = 0;
        support[place] = place;
        for (unsigned lower : below[place])
          if (ends[lower] > offset) {
            offset = ends[lower];
            support[place] = lower;
          }
        ends[place] = alignTo(offset, places.alignments[place]) +
                      hint.constant.buffers[places.members[place].front()].size;
        if (ends[place] > arena) {
          arena = ends[place];
          top = place;
        }
      }
      double before = cost.worst;
      cost.add(arena, hint.bound);
      if (cost.worst == before)
        continue;
      chain.clear();
      for (unsigned place = top;; place = support[place]) {
        chain.push_back(place);
        if (support[place] == place)
          break;
      }
    }
    return cost;
  }

  void step() {
    if (bestChain.empty()) {
      evaluate(best);
      bestChain = chain;
    }
    std::vector<unsigned> trial = best;
    unsigned moved = bestChain[random() % bestChain.size()];
    auto from = std::find(trial.begin(), trial.end(), moved);
    if (random() % 2 == 0 && bestChain.size() > 1) {
      unsigned other = bestChain[random() % bestChain.size()];
      std::iter_swap(from, std::find(trial.begin(), trial.end(), other));
    } else {
      size_t to = random() % trial.size();
      trial.erase(from);
      trial.insert(trial.begin() + long(to), moved);
    }
    OrderCost cost = evaluate(trial);
    if (bestCost < cost)
      return;
    best = std::move(trial);
    bestCost = cost;
    bestChain = chain;
  }

  const Problem &problem;
  const std::vector<AtHint> &hints;
  const Places &places;
  std::vector<unsigned> best;
  std::vector<bool> mayOverlap;
  OrderCost bestCost;
  std::vector<unsigned> chain, bestChain;
  /// The same numbers on every machine.
  std::mt19937_64 random{0};
};

class OrderSolver {
public:
  OrderSolver(const Problem &problem,
              const std::function<Plan(const Problem &)> &solve)
      : original(problem), usable(problem), solve(solve) {}

  Plan run() {
    keepUsableOverlaps();
    for (const std::vector<int64_t> &values : getHints(original))
      if (!addHint(values))
        return std::move(result);
    for (size_t i = 0; i < hints.size(); ++i)
      if (!solveAt(hints[i]))
        return std::move(result);
    if (hints.size() > 1 && !hasPins()) {
      solveShares();
      improve();
    }
    conclude();
    return std::move(result);
  }

private:
  bool fail(PlanStatus status, std::string message) {
    result = Plan();
    result.status = status;
    result.message = std::move(message);
    return false;
  }

  /// "n = 1, m = 5"
  std::string describe(const std::vector<int64_t> &values) const {
    std::string text;
    for (size_t i = 0; i < values.size(); ++i)
      text += (i == 0 ? "" : ", ") + original.symbols[i].name + " = " +
              std::to_string(values[i]);
    return text;
  }

  bool hasPins() const {
    return std::any_of(
        original.buffers.begin(), original.buffers.end(),
        [](const Buffer &buffer) { return buffer.pinnedOffset.has_value(); });
  }

  /// A buffer whose size is a formula overlaps others only as one place.
  void keepUsableOverlaps() {
    usable.overlaps.clear();
    for (PermittedOverlap overlap : original.overlaps) {
      if (original.buffers[overlap.first].formula ||
          original.buffers[overlap.second].formula) {
        if (!areOnePlace(original, overlap))
          continue;
        overlap.minDelta = overlap.maxDelta = 0;
      }
      usable.overlaps.push_back(overlap);
    }
  }

  bool addHint(const std::vector<int64_t> &values) {
    std::optional<Problem> exact = evaluateAt(original, values);
    if (!exact)
      return fail(PlanStatus::Invalid,
                  "a size has no value at " + describe(values));
    if (std::vector<Issue> issues = check(*exact, 1); !issues.empty())
      return fail(PlanStatus::Invalid,
                  issues.front().message + " at " + describe(values));
    int64_t bound = lowerBound(*exact);
    hints.push_back({values, std::move(*exact), bound});
    return true;
  }

  /// The usable problem at a hint. A buffer that is empty there has an order,
  /// too, so it counts as one byte.
  Problem makeConstant(const AtHint &hint) const {
    Problem constant = usable;
    for (size_t b = 0; b < constant.buffers.size(); ++b)
      if (usable.buffers[b].formula) {
        constant.buffers[b].size =
            std::max<int64_t>(hint.constant.buffers[b].size, 1);
        constant.buffers[b].formula.reset();
      }
    return constant;
  }

  bool solveAt(AtHint &hint) {
    for (;;) {
      Problem constant = makeConstant(hint);
      Plan plan = solve(constant);
      nodes += plan.nodes;
      if (!plan.hasOffsets() && !constant.buffers.empty()) {
        plan.message += " at " + describe(hint.values);
        result = std::move(plan);
        return false;
      }
      // The bound from a search counts if the search was about the same sizes.
      if (usable.overlaps.size() == original.overlaps.size() &&
          std::equal(constant.buffers.begin(), constant.buffers.end(),
                     hint.constant.buffers.begin(),
                     [](const Buffer &a, const Buffer &b) {
                       return a.size == b.size;
                     }))
        hint.bound = std::max(hint.bound, plan.lowerBound);
      Problem ordered = usable;
      for (size_t b = 0; b < ordered.buffers.size(); ++b)
        ordered.buffers[b].size = constant.buffers[b].size;
      std::vector<size_t> lost;
      PlaceOrder order = findOrder(ordered, plan, &lost);
      if (lost.empty()) {
        consider(std::move(order), plan);
        return true;
      }
      for (auto it = lost.rbegin(); it != lost.rend(); ++it)
        usable.overlaps.erase(usable.overlaps.begin() + long(*it));
    }
  }

  /// Sizes are shares of the bounds, in units of 2^-32.
  void solveShares() {
    Problem shares = usable;
    shares.capacity.reset();
    shares.overlaps.clear();
    for (const PermittedOverlap &overlap : usable.overlaps)
      if (areOnePlace(usable, overlap)) {
        shares.overlaps.push_back(overlap);
        shares.overlaps.back().minDelta = shares.overlaps.back().maxDelta = 0;
      }
    for (size_t b = 0; b < shares.buffers.size(); ++b) {
      double share = 0;
      for (const AtHint &hint : hints)
        share = std::max(share, double(hint.constant.buffers[b].size) /
                                    double(std::max<int64_t>(hint.bound, 1)));
      shares.buffers[b].alignment = 1;
      shares.buffers[b].formula.reset();
      if (usable.buffers[b].formula || usable.buffers[b].size > 0)
        shares.buffers[b].size =
            1 + int64_t(std::min(share, 1.0) * double(int64_t(1) << 32));
    }
    Plan plan = solve(shares);
    nodes += plan.nodes;
    if (!plan.hasOffsets())
      return;
    Places places(usable, plan.offsets);
    std::vector<Span> spans(places.members.size());
    for (size_t i = 0; i < spans.size(); ++i) {
      BufferIndex b = places.members[i].front();
      spans[i] = {plan.offsets[b], plan.offsets[b] + shares.buffers[b].size};
    }
    consider(places.makeOrder(usable, spans,
                              std::vector<bool>(spans.size(), false), nullptr),
             plan);
  }

  void consider(PlaceOrder order, const Plan &plan) {
    OrderCost cost;
    for (const AtHint &hint : hints)
      cost.add(
          getArenaSize(hint.constant, computeOffsets(hint.constant, order)),
          hint.bound);
    if (result.order && !(cost < best))
      return;
    best = cost;
    result.order = std::move(order);
    result.strategy = plan.strategy;
    result.message = plan.message;
  }

  /// Starts from the best order, unless it makes use of overlaps between
  /// places, which a sequence cannot say.
  void improve() {
    if (best.worst <= 1.0)
      return;
    const AtHint &first = hints.front();
    std::vector<int64_t> offsets(usable.buffers.size());
    for (size_t b = 0; b < offsets.size(); ++b)
      offsets[b] = result.order->placeOf[b];
    Places places(usable, offsets);
    if (places.members.size() != result.order->places.size())
      return;
    std::vector<int64_t> bytes = computeOffsets(first.constant, *result.order);
    for (const PermittedOverlap &overlap : usable.overlaps)
      if (places.placeOf[overlap.first] != places.placeOf[overlap.second] &&
          bytes[overlap.first] <
              bytes[overlap.second] +
                  first.constant.buffers[overlap.second].size &&
          bytes[overlap.second] <
              bytes[overlap.first] + first.constant.buffers[overlap.first].size)
        return;
    std::vector<unsigned> sequence(places.members.size());
    for (unsigned place = 0; place < sequence.size(); ++place)
      sequence[result.order->placeOf[places.members[place].front()]] = place;
    PlaceClimber climber(usable, hints, places, std::move(sequence));
    climber.run();
    Plan climbed;
    climbed.strategy = strategyName(Strategy::HillClimb);
    climbed.message = result.strategy + ": " + result.message +
                      "; then local search of places";
    consider(climber.getOrder(), climbed);
  }

  void conclude() {
    result.status = PlanStatus::Optimal;
    for (const AtHint &hint : hints) {
      std::vector<int64_t> offsets =
          computeOffsets(hint.constant, *result.order);
      HintResult at{hint.values, getArenaSize(hint.constant, offsets),
                    hint.bound};
      if (result.atHints.empty()) {
        result.offsets = std::move(offsets);
        result.arenaSize = at.arenaSize;
        result.lowerBound = at.lowerBound;
      }
      if (at.arenaSize > at.lowerBound && result.status == PlanStatus::Optimal)
        result.status = PlanStatus::Feasible;
      if (original.capacity && at.arenaSize > *original.capacity) {
        result.status = PlanStatus::Limit;
        result.message = "found " + std::to_string(at.arenaSize) +
                         " bytes, above the capacity of " +
                         std::to_string(*original.capacity) + ", at " +
                         describe(hint.values);
      }
      result.atHints.push_back(std::move(at));
    }
    result.nodes = nodes;
    std::vector<Issue> issues = verifyOrder(original, *result.order, 1);
    if (issues.empty())
      return;
    if (hasPins())
      fail(PlanStatus::Limit, issues.front().message);
    else
      fail(PlanStatus::Invalid,
           "defect of the order: " + issues.front().message);
  }

  const Problem &original;
  /// With the overlaps that the order can keep.
  Problem usable;
  const std::function<Plan(const Problem &)> &solve;
  std::vector<AtHint> hints;
  int64_t nodes = 0;
  OrderCost best;
  Plan result;
};

} // namespace

Plan memplan::detail::solveOrder(
    const Problem &problem, const std::function<Plan(const Problem &)> &solve) {
  return OrderSolver(problem, solve).run();
}
