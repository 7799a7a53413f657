//===- DisjunctiveSearch.cpp - Search over pairs of buffers ---------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Search/DisjunctiveSearch.h"

#include "Model/Neighbours.h"
#include "memplan/Core/CheckedMath.h"

#include <algorithm>

using namespace memplan;
using namespace memplan::detail;

bool DisjunctiveSearch::fits(const Model &model) {
  return model.size() <= 1024 && SearchSpace::fits(model);
}

DisjunctiveSearch::DisjunctiveSearch(const Model &model)
    : model(model), plainBySection(model.numSections()), arcs(model.size()) {
  NeighbourIndex index(model);
  std::vector<BufferIndex> around;
  for (BufferIndex a = 0; a < model.size(); ++a) {
    if (model.sizeOf(a) == 0)
      continue;
    around.clear();
    index.collect(a, around);
    for (BufferIndex b : around)
      if (a < b)
        pairs.push_back({a, b});
    if (!model.hasOverlaps(a))
      for (const SectionRange &range : model.ranges(a))
        for (uint32_t s = range.begin; s < range.end; ++s)
          plainBySection[s].push_back(a);
  }
  // Branch on pairs of large buffers first: they leave the least choice.
  std::sort(pairs.begin(), pairs.end(), [&](const Pair &x, const Pair &y) {
    int64_t sx = std::min(model.sizeOf(x.a), model.sizeOf(x.b));
    int64_t sy = std::min(model.sizeOf(y.a), model.sizeOf(y.b));
    if (sx != sy)
      return sx > sy;
    return x.a != y.a ? x.a < y.a : x.b < y.b;
  });
}

/// True if the two buffers share bytes and no permitted overlap allows it.
bool DisjunctiveSearch::clash(const Pair &pair) const {
  int64_t delta = offset[pair.a] - offset[pair.b];
  if (delta >= model.sizeOf(pair.b) || -delta >= model.sizeOf(pair.a))
    return false;
  for (const Relation &relation : model.relations(pair.a))
    if (relation.other == pair.b && !relation.isConflict &&
        relation.minDelta <= delta && delta <= relation.maxDelta)
      return false;
  return true;
}

/// Raises the offset of `b` to the first aligned one from `least` on. Returns
/// false if the capacity or a pin forbids that.
bool DisjunctiveSearch::raise(BufferIndex b, int64_t least) {
  if (offset[b] >= least)
    return true;
  if (model.isPinned(b))
    return false;
  least = alignTo(least, model.alignOf(b));
  if (least + model.sizeOf(b) > capacity)
    return false;
  trail.push_back({b, offset[b]});
  offset[b] = least;
  queue.push_back(b);
  return true;
}

bool DisjunctiveSearch::propagate() {
  for (size_t i = 0; i < queue.size(); ++i) {
    // A cycle of constraints may raise offsets up to the capacity in small
    // steps, so the steps count towards the limit.
    if (++steps % (model.size() + 1) == 0 && ++nodeCount >= nodeLimit) {
      hitLimit = true;
      return false;
    }
    BufferIndex from = queue[i];
    for (const Arc &arc : arcs[from])
      if (!raise(arc.to, offset[from] + arc.weight))
        return false;
  }
  return true;
}

/// The release date bound of the tree search for the buffers without permitted
/// overlaps, with the current offsets as releases.
bool DisjunctiveSearch::sectionsFit() {
  for (const std::vector<BufferIndex> &section : plainBySection) {
    jobs.clear();
    for (BufferIndex b : section)
      jobs.push_back({b, offset[b]});
    std::sort(jobs.begin(), jobs.end(), [](const Change &x, const Change &y) {
      return x.offset < y.offset;
    });
    int64_t at = 0;
    for (const Change &job : jobs)
      at = std::max(at, job.offset) + model.sizeOf(job.buffer);
    if (at > capacity)
      return false;
  }
  return true;
}

/// Searches with the additional constraints offset(b) - offset(a) >= atLeast
/// and, if backAtLeast is not null, offset(a) - offset(b) >= *backAtLeast.
/// Restores the offsets if it finds no plan.
bool DisjunctiveSearch::tryWay(BufferIndex a, BufferIndex b, int64_t atLeast,
                               const int64_t *backAtLeast) {
  size_t mark = trail.size();
  ++nodeCount;
  arcs[a].push_back({b, atLeast});
  if (backAtLeast)
    arcs[b].push_back({a, *backAtLeast});
  queue.assign({a, b});
  bool found = propagate() && sectionsFit() && search();
  arcs[a].pop_back();
  if (backAtLeast)
    arcs[b].pop_back();
  if (!found) {
    for (; trail.size() > mark; trail.pop_back())
      offset[trail.back().buffer] = trail.back().offset;
  }
  return found;
}

bool DisjunctiveSearch::search() {
  auto pair = std::find_if(pairs.begin(), pairs.end(),
                           [&](const Pair &p) { return clash(p); });
  if (pair == pairs.end())
    return true;
  BufferIndex a = pair->a, b = pair->b;
  auto stopped = [&] {
    hitLimit = hitLimit || nodeCount >= nodeLimit || control->timeIsUp();
    return hitLimit;
  };
  for (const Relation &relation : model.relations(b)) {
    if (relation.other != a || relation.isConflict)
      continue;
    if (stopped())
      return false;
    int64_t back = -relation.maxDelta;
    if (tryWay(a, b, relation.minDelta, &back))
      return true;
  }
  // First try the alternative that keeps the lower buffer below.
  if (offset[b] < offset[a])
    std::swap(a, b);
  for (int way = 0; way < 2; ++way, std::swap(a, b)) {
    if (stopped())
      return false;
    if (tryWay(a, b, model.sizeOf(a), nullptr))
      return true;
  }
  return false;
}

SearchOutcome DisjunctiveSearch::run(int64_t limit, int64_t nodes,
                                     const SearchControl &searchControl) {
  capacity = limit;
  nodeLimit = nodes;
  control = &searchControl;
  nodeCount = steps = 0;
  hitLimit = false;
  trail.clear();
  offset.assign(model.size(), 0);
  for (BufferIndex b = 0; b < model.size(); ++b) {
    if (model.isPinned(b))
      offset[b] = model.pinOf(b);
    if (offset[b] + model.sizeOf(b) > capacity)
      return SearchOutcome::Exhausted;
  }
  if (search())
    return SearchOutcome::Found;
  return hitLimit ? SearchOutcome::Limit : SearchOutcome::Exhausted;
}
