//===- Placer.cpp - Places buffers one by one -----------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Strategies/Placer.h"

#include "Strategies/LocalOrder.h"
#include "Strategies/StartOrder.h"
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
  if (owners && at < end)
    owners->insert(b, model.ranges(b), {at, end});
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

/// The most relations of a buffer, and the most sections in which it is live
/// together with partners that have the bytes that it wants, for which an
/// offset over partners is tried by itself.
static constexpr size_t kMostTried = 16;

/// The lowest offset of the buffer, whose relations permit single offsets over
/// placed partners. Nothing if its neighbours must be visited.
std::optional<int64_t> Placer::findOverPartners(BufferIndex b) {
  Slice<Relation> relations = model.relations(b);
  if (relations.size() > kMostTried)
    return std::nullopt;
  for (const Relation &relation : relations)
    if (!relation.isConflict && offset[relation.other] >= 0 &&
        relation.minDelta != relation.maxDelta)
      return std::nullopt;
  int64_t best = findInTree(b, Fit::First);
  for (const Relation &relation : relations) {
    if (relation.isConflict || offset[relation.other] < 0)
      continue;
    int64_t at = offset[relation.other] + relation.minDelta;
    if (at < 0 || at >= best || at % model.alignOf(b) != 0)
      continue;
    std::optional<bool> isFree = isFreeAt(b, at);
    if (!isFree)
      return std::nullopt;
    if (*isFree)
      best = at;
  }
  return best;
}

/// True if the buffer can be at the offset beside all placed buffers. Nothing
/// if too many sections are shared.
std::optional<bool> Placer::isFreeAt(BufferIndex b, int64_t at) {
  AddressRange bytes{at, at + model.sizeOf(b)};
  std::vector<BufferIndex> partners;
  for (const Relation &relation : model.relations(b)) {
    int64_t low = offset[relation.other];
    if (low < 0 || low + model.sizeOf(relation.other) <= bytes.low ||
        bytes.high <= low)
      continue;
    if (relation.isConflict)
      return false;
    if (at == low + relation.minDelta)
      partners.push_back(relation.other);
  }
  std::optional<std::vector<uint32_t>> shared = findSharedSections(b, partners);
  if (!shared)
    return std::nullopt;

  // Outside of the shared sections, nobody may have the bytes.
  std::vector<SectionRange> others;
  auto next = shared->begin();
  for (SectionRange range : model.ranges(b)) {
    for (; next != shared->end() && *next < range.end; ++next) {
      if (range.begin < *next)
        others.push_back({range.begin, *next});
      range.begin = *next + 1;
    }
    if (range.begin < range.end)
      others.push_back(range);
  }
  gaps.sets.clear();
  tree.collect({others.data(), others.data() + others.size()}, gaps.sets);
  for (const Slice<AddressRange> &set : gaps.sets) {
    const AddressRange *above = std::upper_bound(
        set.begin(), set.end(), bytes.low,
        [](int64_t low, const AddressRange &r) { return low < r.high; });
    if (above != set.end() && above->low < bytes.high)
      return false;
  }

  if (!owners) {
    owners.emplace(model.numSections());
    for (BufferIndex other = 0; other < model.size(); ++other)
      if (offset[other] >= 0 && model.sizeOf(other) > 0)
        owners->insert(other, model.ranges(other),
                       {offset[other], offset[other] + model.sizeOf(other)});
  }
  return std::all_of(shared->begin(), shared->end(), [&](uint32_t section) {
    return owners->allOf(section, bytes, [&](BufferIndex owner) {
      return std::find(partners.begin(), partners.end(), owner) !=
             partners.end();
    });
  });
}

/// The sections, ascending, in which the buffer and a partner are live. Nothing
/// if there are too many.
std::optional<std::vector<uint32_t>>
Placer::findSharedSections(BufferIndex b,
                           const std::vector<BufferIndex> &partners) {
  std::vector<uint32_t> shared;
  for (BufferIndex partner : partners) {
    Slice<SectionRange> own = model.ranges(b), other = model.ranges(partner);
    for (const SectionRange *i = own.begin(), *j = other.begin();
         i != own.end() && j != other.end(); i->end < j->end ? ++i : ++j)
      for (uint32_t s = std::max(i->begin, j->begin);
           s < std::min(i->end, j->end); ++s) {
        if (shared.size() >= kMostTried)
          return std::nullopt;
        shared.push_back(s);
      }
  }
  std::sort(shared.begin(), shared.end());
  shared.erase(std::unique(shared.begin(), shared.end()), shared.end());
  return shared;
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
  if (model.sizeOf(b) > 0 && !hasPlacedPartner(b)) {
    at = findInTree(b, fit);
  } else if (model.sizeOf(b) > 0) {
    std::optional<int64_t> found;
    if (fit == Fit::First)
      found = findOverPartners(b);
    at = found ? *found : findAmongNeighbours(b, fit);
  }
  placeAt(b, at);
  return at;
}

Placement detail::placeInOrder(const Model &model,
                               const std::vector<BufferIndex> &given, Fit fit,
                               int64_t limit) {
  if (std::optional<Placement> placement =
          placeByStart(model, given, fit, limit))
    return *std::move(placement);
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
