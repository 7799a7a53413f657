//===- OrderFormulas.cpp - Formulas of arenas and bounds ------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Core/Order.h"

#include <algorithm>
#include <set>
#include <tuple>

using namespace memplan;

static Formula sizeOf(const Buffer &buffer) {
  return buffer.formula.value_or(Formula(buffer.size));
}

namespace {

/// Formulas of which the greatest is sought. Those that are never greater than
/// another are dropped.
class Greatest {
public:
  explicit Greatest(const SizeSymbols &symbols) : symbols(symbols) {}

  void add(const MaybeFormula &formula) {
    if (!formula || isLost) {
      isLost = true;
      return;
    }
    for (const Formula &other : kept)
      if (isNeverGreater(*formula, other, symbols))
        return;
    kept.erase(std::remove_if(kept.begin(), kept.end(),
                              [&](const Formula &other) {
                                return isNeverGreater(other, *formula, symbols);
                              }),
               kept.end());
    kept.push_back(*formula);
    // Longer ones are of no use to readers, and slow to compare.
    isLost = kept.size() > 16;
  }

  MaybeFormula get() const {
    if (isLost)
      return std::nullopt;
    MaybeFormula result = kept.empty() ? Formula() : kept.front();
    for (const Formula &other : kept)
      result = max(result, other);
    return result;
  }

private:
  const SizeSymbols &symbols;
  std::vector<Formula> kept;
  bool isLost = false;
};

} // namespace

MaybeFormula memplan::getArenaFormula(const Problem &problem,
                                      const PlaceOrder &order) {
  std::vector<MaybeFormula> ends;
  Greatest arena(problem.symbols);
  int64_t constant = 0;
  std::vector<bool> isBelow(order.places.size(), false);
  for (const Place &place : order.places)
    for (unsigned lower : place.above)
      isBelow[lower] = true;
  for (size_t i = 0; i < order.places.size(); ++i) {
    const Place &place = order.places[i];
    const Buffer &buffer = problem.buffers[place.members.front()];
    if (place.offset) {
      constant = std::max(constant, *place.offset + buffer.size);
      ends.push_back(Formula(*place.offset + buffer.size));
      continue;
    }
    Greatest offset(problem.symbols);
    offset.add(Formula(place.from));
    for (unsigned lower : place.above)
      offset.add(ends[lower]);
    ends.push_back(add(alignUp(offset.get(), place.alignment, problem.symbols),
                       sizeOf(buffer)));
    if (!isBelow[i])
      arena.add(ends.back());
  }
  arena.add(Formula(constant));
  return arena.get();
}

MaybeFormula memplan::getBoundFormula(const Problem &problem) {
  std::vector<std::tuple<int64_t, bool, BufferIndex>> events;
  for (BufferIndex b = 0; b < problem.buffers.size(); ++b)
    for (const LiveRange &range : problem.buffers[b].ranges) {
      events.emplace_back(range.start, true, b);
      events.emplace_back(range.end, false, b);
    }
  std::sort(events.begin(), events.end());
  // Of two that may overlap the second does not count where both are live.
  std::vector<std::vector<BufferIndex>> partners(problem.buffers.size());
  for (const PermittedOverlap &overlap : problem.overlaps)
    partners[std::max(overlap.first, overlap.second)].push_back(
        std::min(overlap.first, overlap.second));
  Greatest bound(problem.symbols);
  std::set<BufferIndex> live;
  bool hasGrown = false;
  auto addLoad = [&] {
    MaybeFormula load = Formula();
    for (BufferIndex b : live)
      if (std::none_of(partners[b].begin(), partners[b].end(),
                       [&](BufferIndex other) { return live.count(other); }))
        load = add(load, sizeOf(problem.buffers[b]));
    bound.add(load);
  };
  // The load is greatest where something ends after something has begun.
  for (auto [time, isStart, b] : events) {
    if (isStart) {
      live.insert(b);
      hasGrown = true;
      continue;
    }
    if (hasGrown)
      addLoad();
    hasGrown = false;
    live.erase(b);
  }
  return bound.get();
}
