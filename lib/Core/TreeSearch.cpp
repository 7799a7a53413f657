//===- TreeSearch.cpp - Complete search at a fixed capacity ---------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TreeSearch.h"

#include "memplan/Core/CheckedMath.h"

#include <algorithm>

using namespace memplan;
using namespace memplan::detail;

bool TreeSearch::sectionFits(uint32_t section, Turn turn) {
  jobs.clear();
  int64_t sum = 0, earliest = INT64_MAX, latest = 0;
  auto add = [&](int64_t release, int64_t size) {
    jobs.push_back({release, size});
    sum += size;
    earliest = std::min(earliest, release);
    latest = std::max(latest, release);
  };
  for (uint32_t item : space.itemsOf(section)) {
    if (placed[item])
      continue;
    int64_t at = release[item];
    if (Turn{at, (*rank)[item]} < turn) {
      if (space.leastNeighbour[item] < 0)
        return false;
      at = turn.offset + space.leastNeighbour[item];
    }
    add(at, space.size[item]);
  }
  if (jobs.empty())
    return true;
  if (!space.sectionPins.empty())
    for (const AddressRange &pin : space.sectionPins[section].ranges())
      if (pin.high > turn.offset)
        add(std::max(pin.low, turn.offset),
            pin.high - std::max(pin.low, turn.offset));
  // Most sections are decided without the order.
  if (earliest + sum > capacity)
    return false;
  if (latest + sum <= capacity)
    return true;
  std::sort(jobs.begin(), jobs.end(),
            [](const Job &a, const Job &b) { return a.release < b.release; });
  int64_t at = 0;
  for (const Job &job : jobs)
    at = std::max(at, job.release) + job.size;
  return at <= capacity;
}

bool TreeSearch::sectionsFit(SectionRange sections, Turn turn) {
  for (uint32_t s = sections.begin; s < sections.end; ++s)
    if (!sectionFits(s, turn))
      return false;
  return true;
}

/// Pushes the part's candidates after `last` that dominance leaves, sorted.
/// Returns false when an item can no longer be placed.
bool TreeSearch::collect(size_t partBegin, size_t partEnd, Turn last) {
  int64_t dominated = INT64_MAX;
  for (size_t i = partBegin; i < partEnd; ++i)
    dominated = std::min(dominated, release[parts[i]] + space.size[parts[i]]);
  if (last.offset >= dominated)
    return false;
  size_t begin = candidates.size();
  for (size_t i = partBegin; i < partEnd; ++i) {
    uint32_t item = parts[i];
    Turn turn{release[item], (*rank)[item]};
    if (turn.offset < dominated && last < turn &&
        (space.twin[item] == UINT32_MAX || placed[space.twin[item]]))
      candidates.push_back({turn, item});
  }
  std::sort(
      candidates.begin() + begin, candidates.end(),
      [](const Candidate &a, const Candidate &b) { return a.turn < b.turn; });
  return true;
}

/// Searches the items of parts[partBegin, partEnd), with every placement after
/// `last`. On success they are placed; on failure nothing has changed.
bool TreeSearch::search(size_t partBegin, size_t partEnd, Turn last) {
  if (partBegin == partEnd)
    return true;
  size_t begin = candidates.size();
  if (!collect(partBegin, partEnd, last))
    return false;
  SectionRange span{space.hull[parts[partBegin]].begin, 0};
  for (size_t i = partBegin; i < partEnd; ++i)
    span.end = std::max(span.end, space.hull[parts[i]].end);

  bool found = false;
  int64_t checkedOffset = last.offset;
  for (size_t i = begin; i < candidates.size() && !found; ++i) {
    Candidate candidate = candidates[i];
    // The bound only grows with the offset: failing once is failing for all
    // that follow.
    if (candidate.turn.offset > checkedOffset) {
      checkedOffset = candidate.turn.offset;
      if (!sectionsFit(span, candidate.turn))
        break;
    }
    if (stopped()) {
      hitLimit = true;
      break;
    }
    found = searchAfter(partBegin, partEnd, candidate.item, candidate.turn);
    if (hitLimit)
      break;
    // Its turn has passed; without an unplaced neighbour nothing lifts it.
    if (!found) {
      Slice<uint32_t> around = space.neighbours(candidate.item);
      if (std::all_of(around.begin(), around.end(),
                      [&](uint32_t other) { return placed[other]; }))
        break;
    }
  }
  candidates.resize(begin);
  return found;
}

/// Lifts the neighbours of the item placed at `turn`, and says whether the
/// sections where something changed can still be filled.
bool TreeSearch::place(uint32_t item, Turn turn) {
  ++nodeCount;
  placed[item] = 1;
  int64_t end = turn.offset + space.size[item];
  SectionRange changed{UINT32_MAX, 0};
  for (uint32_t other : space.neighbours(item)) {
    if (placed[other] || release[other] >= end)
      continue;
    trail.push_back({other, release[other]});
    release[other] = space.stepOverPins(other, end);
    if (release[other] + space.size[other] > capacity)
      return false;
    changed.begin = std::min(changed.begin, space.hull[other].begin);
    changed.end = std::max(changed.end, space.hull[other].end);
  }
  return changed.begin >= changed.end || sectionsFit(changed, turn);
}

void TreeSearch::undo(size_t mark, uint32_t item) {
  while (trail.size() > mark) {
    release[trail.back().item] = trail.back().release;
    trail.pop_back();
  }
  placed[item] = 0;
}

bool TreeSearch::searchAfter(size_t partBegin, size_t partEnd, uint32_t item,
                             Turn turn) {
  size_t mark = trail.size(), begin = parts.size();
  bool found = place(item, turn);
  if (found) {
    for (size_t i = partBegin; i < partEnd; ++i) {
      // The push may move the stack: copy first.
      uint32_t other = parts[i];
      if (other != item)
        parts.push_back(other);
    }
    found = searchParts(begin, parts.size(), turn);
    parts.resize(begin);
  }
  if (!found)
    undo(mark, item);
  return found;
}

/// Splits parts[begin, end) where no item crosses a boundary and searches the
/// pieces, small ones first: the first without a plan ends them all.
bool TreeSearch::searchParts(size_t begin, size_t end, Turn turn) {
  struct Piece {
    size_t begin, end;
  };
  std::vector<Piece> pieces;
  size_t from = begin;
  uint32_t reach = 0;
  for (size_t i = begin; i < end; ++i) {
    if (i > from && space.hull[parts[i]].begin >= reach) {
      pieces.push_back({from, i});
      from = i;
    }
    reach = std::max(reach, space.hull[parts[i]].end);
  }
  if (pieces.empty())
    return search(begin, end, turn);
  pieces.push_back({from, end});
  std::stable_sort(pieces.begin(), pieces.end(),
                   [](const Piece &a, const Piece &b) {
                     return a.end - a.begin < b.end - b.begin;
                   });
  for (size_t p = 0; p < pieces.size(); ++p) {
    if (search(pieces[p].begin, pieces[p].end, turn))
      continue;
    // The caller's trail restores the releases; the marks are ours.
    for (size_t q = 0; q < p; ++q)
      for (size_t i = pieces[q].begin; i < pieces[q].end; ++i)
        placed[parts[i]] = 0;
    return false;
  }
  return true;
}

TreeSearch::TreeSearch(const SearchSpace &space) : space(space) {}

SearchOutcome TreeSearch::run(int64_t limit, const std::vector<uint32_t> &order,
                              int64_t nodes, const std::atomic<bool> &flag) {
  capacity = limit;
  rank = &order;
  cancel = &flag;
  nodeLimit = nodes;
  nodeCount = 0;
  hitLimit = false;
  size_t n = space.buffers.size();
  placed.assign(n, 0);
  release.resize(n);
  trail.clear();
  candidates.clear();
  parts.clear();
  for (uint32_t item = 0; item < n; ++item) {
    release[item] = space.stepOverPins(item, 0);
    if (release[item] + space.size[item] > capacity)
      return SearchOutcome::Exhausted;
    parts.push_back(item);
  }
  for (BufferIndex b : space.model.pinned())
    if (space.model.pinOf(b) + space.model.sizeOf(b) > capacity)
      return SearchOutcome::Exhausted;
  Turn first{0, -1};
  if (!sectionsFit({0, space.model.numSections()}, first))
    return SearchOutcome::Exhausted;
  if (searchParts(0, n, first))
    return SearchOutcome::Found;
  return hitLimit ? SearchOutcome::Limit : SearchOutcome::Exhausted;
}

std::vector<int64_t> TreeSearch::offsets() const {
  std::vector<int64_t> result(space.model.size(), 0);
  for (BufferIndex b : space.model.pinned())
    result[b] = space.model.pinOf(b);
  // A placed item's release is where it was placed: nothing lifts it later.
  for (uint32_t item = 0; item < space.buffers.size(); ++item)
    result[space.buffers[item]] = release[item];
  return result;
}
