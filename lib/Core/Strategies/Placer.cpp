//===- Placer.cpp - Places buffers one by one -----------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Strategies/Placer.h"

#include "Strategies/LocalOrder.h"
#include "memplan/Core/CheckedMath.h"

#include <algorithm>

using namespace memplan;
using namespace memplan::detail;

Placer::Placer(const Model &model)
    : model(model), tree(model.numSections()), offset(model.size(), -1) {
  for (BufferIndex b : model.pinned())
    placeAt(b, model.pinOf(b));
}

void Placer::placeAt(BufferIndex b, int64_t at) {
  offset[b] = at;
  int64_t end = at + model.sizeOf(b);
  top = std::max(top, end);
  tree.insert(model.ranges(b), {at, end});
}

/// Adds the offsets that the placed buffer forbids `b`, given the relations
/// [begin, end) of the pair, which are sorted by minDelta.
void Placer::forbid(BufferIndex b, BufferIndex placed, const Relation *begin,
                    const Relation *end) {
  int64_t at = offset[placed];
  int64_t low = at - model.sizeOf(b) + 1;
  int64_t high = at + model.sizeOf(placed) - 1;
  for (; begin != end && !begin->isConflict; ++begin) {
    if (low < at + begin->minDelta)
      forbidden.emplace_back(low, at + begin->minDelta - 1);
    low = std::max(low, at + begin->maxDelta + 1);
  }
  if (low <= high)
    forbidden.emplace_back(low, high);
}

bool Placer::hasPlacedPartner(BufferIndex b) const {
  if (model.hasOverlaps(b))
    for (const Relation &relation : model.relations(b))
      if (!relation.isConflict && offset[relation.other] >= 0)
        return true;
  return false;
}

int64_t Placer::findAmongNeighbours(BufferIndex b, Fit fit) {
  if (!neighbours)
    neighbours.emplace(model);
  around.clear();
  neighbours->collect(b, around);
  forbidden.clear();
  Slice<Relation> relations = model.relations(b);
  for (BufferIndex other : around) {
    if (offset[other] < 0)
      continue;
    auto begin = std::lower_bound(
        relations.begin(), relations.end(), other,
        [](const Relation &r, BufferIndex other) { return r.other < other; });
    auto end = begin;
    while (end != relations.end() && end->other == other)
      ++end;
    forbid(b, other, begin, end);
  }
  std::sort(forbidden.begin(), forbidden.end());

  int64_t at = 0, bestAt = -1, bestWidth = INT64_MAX;
  for (auto [low, high] : forbidden) {
    if (at < low) {
      if (fit == Fit::First)
        break;
      if (low - at < bestWidth) {
        bestWidth = low - at;
        bestAt = at;
      }
    }
    if (high >= at)
      at = alignTo(high + 1, model.alignOf(b));
  }
  return bestAt >= 0 ? bestAt : at;
}

int64_t Placer::findInTree(BufferIndex b, Fit fit) {
  gaps.sets.clear();
  tree.collect(model.ranges(b), gaps.sets);
  AddressSet conflicting;
  for (const Relation &relation : model.relations(b))
    if (relation.isConflict && offset[relation.other] >= 0)
      conflicting.insert(
          {offset[relation.other],
           offset[relation.other] + model.sizeOf(relation.other)});
  if (!conflicting.ranges().empty())
    gaps.sets.push_back(conflicting.slice());
  return fit == Fit::First ? gaps.first(model.sizeOf(b), model.alignOf(b))
                           : gaps.best(model.sizeOf(b), model.alignOf(b));
}

void Placer::fetch(const std::vector<BufferIndex> &order, size_t later,
                   size_t soon) const {
  if (later < order.size())
    tree.fetchNodes(model.ranges(order[later]));
  if (soon < order.size())
    tree.fetchRanges(model.ranges(order[soon]));
}

int64_t Placer::place(BufferIndex b, Fit fit) {
  int64_t at = 0;
  if (model.sizeOf(b) > 0)
    at = hasPlacedPartner(b) ? findAmongNeighbours(b, fit) : findInTree(b, fit);
  placeAt(b, at);
  return at;
}

Placement detail::placeInOrder(const Model &model,
                               const std::vector<BufferIndex> &given, Fit fit,
                               int64_t limit) {
  std::vector<BufferIndex> order = localOrder(model, given);
  Placer placer(model);
  // Prefetch so early that the data is there when it is needed, but so late
  // that it is still in the cache.
  constexpr size_t ahead = 4;
  for (size_t i = 0; i < order.size(); ++i) {
    if (i + 3 * ahead < order.size())
      model.fetch(order[i + 3 * ahead]);
    placer.fetch(order, i + 2 * ahead, i + ahead);
    placer.place(order[i], fit);
    if (placer.height() >= limit)
      return {{}, INT64_MAX};
  }
  return {placer.offsets(), placer.height()};
}
