//===- AddressTree.cpp - Taken bytes over time ----------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Strategies/AddressTree.h"

#include "memplan/Core/CheckedMath.h"

#include <algorithm>

using namespace memplan;
using namespace memplan::detail;

void AddressSet::insert(AddressRange range) {
  // [first, last) are the intervals that touch or overlap the new one.
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

AddressRange *RangePool::get(unsigned log2) {
  if (!free[log2].empty()) {
    AddressRange *ranges = free[log2].back();
    free[log2].pop_back();
    return ranges;
  }
  size_t size = size_t(1) << log2;
  if (left < size) {
    // Small problems need little memory; large chunks can use huge pages.
    size_t chunkSize = chunks.empty()       ? size_t(64)
                       : chunks.size() < 16 ? size_t(1) << 14
                                            : size_t(1) << 18;
    left = std::max(size, chunkSize);
    chunks.push_back(std::make_unique<ZeroedArray<AddressRange>>(left));
    next = &(*chunks.back())[0];
  }
  AddressRange *ranges = next;
  next += size;
  left -= size;
  return ranges;
}

template <unsigned own> void PooledSet<own>::grow(RangePool &pool) {
  if (count < (isFar() ? uint32_t(1) << log2 : own))
    return;
  unsigned bigger = isFar() ? log2 + 1 : 2;
  AddressRange *ranges = pool.get(bigger);
  std::copy(this->ranges().begin(), this->ranges().end(), ranges);
  if (isFar())
    pool.put(far, log2);
  far = ranges;
  log2 = bigger;
}

template <unsigned own>
bool PooledSet<own>::insert(AddressRange range, RangePool &pool) {
  AddressRange *data = isFar() ? far : near, *end = data + count;
  // [first, last) are the intervals that touch or overlap the new one.
  AddressRange *first = data;
  if (count > 4)
    first = std::lower_bound(
        data, end, range.low,
        [](const AddressRange &r, int64_t low) { return r.high < low; });
  else
    while (first != end && first->high < range.low)
      ++first;
  if (first == end || range.high < first->low) {
    size_t at = first - data;
    grow(pool);
    data = isFar() ? far : near;
    std::copy_backward(data + at, data + count, data + count + 1);
    data[at] = range;
    ++count;
    return true;
  }
  if (first->low <= range.low && range.high <= first->high)
    return false;
  AddressRange *last = first;
  while (last != end && last->low <= range.high)
    ++last;
  first->low = std::min(first->low, range.low);
  first->high = std::max(range.high, last[-1].high);
  std::copy(last, end, first + 1);
  count -= static_cast<uint32_t>(last - first - 1);
  return true;
}

static uint32_t roundUpToPowerOfTwo(uint32_t count) {
  uint32_t power = 1;
  while (power < count)
    power *= 2;
  return power;
}

AddressTree::AddressTree(uint32_t numSections)
    : leaves(roundUpToPowerOfTwo(numSections)), nodes(size_t(2) * leaves),
      fullNodes((nodes.size() + 63) / 64) {}

void AddressTree::insert(Slice<SectionRange> sections, AddressRange bytes) {
  for (const SectionRange &range : sections)
    insert(range, bytes);
}

// A range is the union of at most two nodes per level, its maximal parts: of
// the nodes inside the range, only the outermost ones of a level can have a
// parent that reaches beyond the range. So l and r climb from the ends of the
// range and find the maximal parts, here (l) and (r). The paths p and q climb
// beside them; they visit the ancestors of these parts, which reach beyond the
// range:
//
//   level 2          p               q
//   level 1      p      (l)      r       q
//   level 0    .   .   .   .   .  (r)  .   .
//                      |-----------|

void AddressTree::insert(SectionRange range, AddressRange bytes) {
  // [l, r) are the nodes of this level inside the range that no maximal part
  // found so far contains.
  uint32_t l = leaves + range.begin, r = leaves + range.end;
  uint32_t p = l, q = r - 1;
  bool leftChanged = false, rightChanged = false;
  auto take = [&](uint32_t node) {
    if (node < leaves && nodes[node].full.insert(bytes, pool))
      fullNodes[node / 64] |= uint64_t(1) << (node % 64);
    return nodes[node].any.insert(bytes, pool);
  };
  do {
    if (l < r) {
      if (l % 2)
        leftChanged |= take(l++);
      if (r % 2)
        rightChanged |= take(--r);
    }
    l /= 2, r /= 2, p /= 2, q /= 2;
    if (p == q) {
      leftChanged |= rightChanged;
      rightChanged = false;
    }
    // If a node had the bytes already, its ancestors have them, too.
    if (leftChanged)
      leftChanged = p > 0 && nodes[p].any.insert(bytes, pool);
    if (rightChanged)
      rightChanged = nodes[q].any.insert(bytes, pool);
  } while (l < r || leftChanged || rightChanged);
}

void AddressTree::collect(Slice<SectionRange> sections,
                          std::vector<Slice<AddressRange>> &sets) const {
  for (const SectionRange &range : sections)
    collect(range, sets);
}

void AddressTree::collect(SectionRange range,
                          std::vector<Slice<AddressRange>> &sets) const {
  uint32_t l = leaves + range.begin, r = leaves + range.end;
  uint32_t p = l, q = r - 1;
  bool leftReachesOut = false, rightReachesOut = false;
  auto take = [&](uint32_t node) {
    if (!nodes[node].any.empty())
      sets.push_back(nodes[node].any.ranges());
  };
  while (p > 0) {
    if (l < r) {
      if (l % 2) {
        take(l++);
        leftReachesOut = true;
      }
      if (r % 2) {
        take(--r);
        rightReachesOut = true;
      }
    }
    l /= 2, r /= 2, p /= 2, q /= 2;
    if (p == q) {
      leftReachesOut |= rightReachesOut;
      rightReachesOut = false;
    }
    if (leftReachesOut && hasFull(p))
      sets.push_back(nodes[p].full.ranges());
    if (rightReachesOut && hasFull(q))
      sets.push_back(nodes[q].full.ranges());
  }
}

/// Calls `fn` for the nodes on the paths from the ends of the first range to
/// the root, and for their siblings, on the levels that have too many nodes to
/// be in a cache.
template <typename Fn>
void AddressTree::forEachLowNode(Slice<SectionRange> sections, Fn fn) const {
  constexpr uint32_t cached = 1 << 10;
  if (sections.empty() || leaves <= cached)
    return;
  uint32_t begin = leaves + sections.front().begin;
  uint32_t last = leaves + sections.front().end - 1;
  for (; begin >= cached; begin /= 2, last /= 2) {
    // The maximal parts of the range are on these paths or siblings of them.
    fn(nodes[begin]);
    fn(nodes[begin ^ 1]);
    if (begin == last)
      continue;
    fn(nodes[last]);
    fn(nodes[last ^ 1]);
  }
}

void AddressTree::fetchNodes(Slice<SectionRange> sections) const {
  forEachLowNode(sections,
                 [](const Node &node) { __builtin_prefetch(&node, 1); });
}

void AddressTree::fetchRanges(Slice<SectionRange> sections) const {
  forEachLowNode(sections, [](const Node &node) {
    if (node.any.isFar())
      __builtin_prefetch(node.any.farRanges(), 1);
    if (node.full.isFar())
      __builtin_prefetch(node.full.farRanges(), 1);
  });
}

void GapFinder::start() {
  cursors.clear();
  for (const Slice<AddressRange> &set : sets)
    cursors.push_back({set.begin(), set.end()});
}

/// The first interval of [next, end) that ends above `at`, by galloping search:
/// in time logarithmic in its distance from `next`.
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
  // Visit the sets in a cycle. The offset is free once all of them in a row
  // have no interval there.
  size_t agreed = 0, k = 0;
  while (agreed < cursors.size()) {
    Cursor &cursor = cursors[k];
    k = k + 1 == cursors.size() ? 0 : k + 1;
    if (cursor.next != cursor.end && cursor.next->high <= at)
      cursor.next = gallop(cursor.next, cursor.end, at);
    ++agreed;
    while (cursor.next != cursor.end && cursor.next->low < at + size) {
      // Check this set again: the gap above the interval may be too small.
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
