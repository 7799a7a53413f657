//===- AddressTree.cpp - Taken bytes over time ----------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AddressTree.h"

#include "memplan/Core/CheckedMath.h"

#include <algorithm>

using namespace memplan;
using namespace memplan::detail;

void AddressSet::insert(AddressRange range) {
  // [first, last) are the intervals that touch the new one.
  auto first = std::lower_bound(
      data.begin(), data.end(), range.low,
      [](const AddressRange &r, int64_t low) { return r.high < low; });
  if (first == data.end() || range.high < first->low) {
    data.insert(first, range);
    return;
  }
  auto last = first;
  while (last != data.end() && last->low <= range.high)
    ++last;
  first->low = std::min(first->low, range.low);
  first->high = std::max(range.high, last[-1].high);
  data.erase(first + 1, last);
}

AddressTree::AddressTree(uint32_t numSections) {
  while (leaves < numSections)
    leaves *= 2;
  any.resize(size_t(2) * leaves);
  full.resize(leaves);
}

void AddressTree::insert(Slice<SectionRange> sections, AddressRange bytes) {
  for (const SectionRange &range : sections)
    insert(1, {0, leaves}, range, bytes);
}

void AddressTree::insert(uint32_t node, SectionRange at, SectionRange range,
                         AddressRange bytes) {
  any[node].insert(bytes);
  if (range.begin <= at.begin && at.end <= range.end) {
    if (node < leaves)
      full[node].insert(bytes);
    return;
  }
  uint32_t middle = at.begin + (at.end - at.begin) / 2;
  if (range.begin < middle)
    insert(2 * node, {at.begin, middle}, range, bytes);
  if (range.end > middle)
    insert(2 * node + 1, {middle, at.end}, range, bytes);
}

void AddressTree::collect(Slice<SectionRange> sections,
                          std::vector<const AddressSet *> &sets) const {
  for (const SectionRange &range : sections)
    collect(1, {0, leaves}, range, sets);
}

void AddressTree::collect(uint32_t node, SectionRange at, SectionRange range,
                          std::vector<const AddressSet *> &sets) const {
  if (any[node].ranges().empty())
    return;
  if (range.begin <= at.begin && at.end <= range.end) {
    sets.push_back(&any[node]);
    return;
  }
  if (!full[node].ranges().empty())
    sets.push_back(&full[node]);
  uint32_t middle = at.begin + (at.end - at.begin) / 2;
  if (range.begin < middle)
    collect(2 * node, {at.begin, middle}, range, sets);
  if (range.end > middle)
    collect(2 * node + 1, {middle, at.end}, range, sets);
}

void GapFinder::start() {
  cursors.clear();
  for (const AddressSet *set : sets)
    cursors.push_back(
        {set->ranges().data(), set->ranges().data() + set->ranges().size()});
}

/// Moves the cursor to its first interval that ends above `at`, in time
/// logarithmic in the distance.
static const AddressRange *gallop(const AddressRange *next,
                                  const AddressRange *end, int64_t at) {
  size_t step = 1;
  while (step < size_t(end - next) && next[step].high <= at) {
    next += step;
    step *= 2;
  }
  const AddressRange *limit = step < size_t(end - next) ? next + step + 1 : end;
  return std::lower_bound(
      next, limit, at,
      [](const AddressRange &r, int64_t at) { return r.high <= at; });
}

int64_t GapFinder::leap(int64_t at, int64_t size, int64_t alignment) {
  // Ask the sets in turn; the place is free once all of them in a row agree.
  size_t agreed = 0, k = 0;
  while (agreed < cursors.size()) {
    Cursor &cursor = cursors[k];
    k = k + 1 == cursors.size() ? 0 : k + 1;
    if (cursor.next != cursor.end && cursor.next->high <= at)
      cursor.next = gallop(cursor.next, cursor.end, at);
    ++agreed;
    while (cursor.next != cursor.end && cursor.next->low < at + size) {
      // The gap behind this interval may already be too small.
      at = alignTo(cursor.next->high, alignment);
      ++cursor.next;
      agreed = 1;
    }
  }
  return at;
}

int64_t GapFinder::first(int64_t size, int64_t alignment) {
  start();
  return leap(0, size, alignment);
}

int64_t GapFinder::best(int64_t size, int64_t alignment) {
  start();
  int64_t at = 0, best = -1, bestWidth = INT64_MAX;
  while (true) {
    at = leap(at, size, alignment);
    int64_t gapEnd = INT64_MAX;
    for (const Cursor &cursor : cursors)
      if (cursor.next != cursor.end)
        gapEnd = std::min(gapEnd, cursor.next->low);
    if (gapEnd == INT64_MAX)
      return best >= 0 ? best : at;
    if (gapEnd - at < bestWidth) {
      bestWidth = gapEnd - at;
      best = at;
      if (bestWidth == size)
        return best;
    }
    at = alignTo(gapEnd, alignment);
  }
}
