//===- Placer.cpp - Places buffers one by one -----------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Placer.h"

#include "memplan/Core/CheckedMath.h"

#include <algorithm>

using namespace memplan;
using namespace memplan::detail;

Placer::Placer(const Model &model) : model(model), offset(model.size(), 0) {
  for (BufferIndex b : model.pinned())
    placeAt(b, model.pinOf(b));
}

void Placer::placeAt(BufferIndex b, int64_t at) {
  offset[b] = at;
  top = std::max(top, at + model.sizeOf(b));
  if (model.sizeOf(b) > 0)
    placedBuffers.push_back(b);
}

/// Adds what `placed` forbids `b`, given the relations [begin, end) of the
/// pair.
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

int64_t Placer::place(BufferIndex b, Fit fit) {
  if (model.sizeOf(b) == 0) {
    placeAt(b, 0);
    return 0;
  }
  forbidden.clear();
  Slice<Relation> relations = model.relations(b);
  for (BufferIndex placed : placedBuffers) {
    auto begin = std::lower_bound(
        relations.begin(), relations.end(), placed,
        [](const Relation &r, BufferIndex other) { return r.other < other; });
    auto end = begin;
    while (end != relations.end() && end->other == placed)
      ++end;
    if (begin != end || model.liveTogether(b, placed))
      forbid(b, placed, begin, end);
  }
  std::sort(forbidden.begin(), forbidden.end());

  int64_t alignment = model.alignOf(b);
  int64_t at = 0, bestAt = -1, bestSlack = INT64_MAX;
  for (auto [low, high] : forbidden) {
    if (at < low) {
      if (fit == Fit::First)
        break;
      if (low - at < bestSlack) {
        bestSlack = low - at;
        bestAt = at;
      }
    }
    if (high >= at)
      at = alignTo(high + 1, alignment);
  }
  if (bestAt >= 0)
    at = bestAt;
  placeAt(b, at);
  return at;
}

Placement detail::placeInOrder(const Model &model,
                               const std::vector<BufferIndex> &order, Fit fit) {
  Placer placer(model);
  for (BufferIndex b : order)
    placer.place(b, fit);
  return {placer.offsets(), placer.height()};
}
