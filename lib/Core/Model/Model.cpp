//===- Model.cpp - Problems in solver form --------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/Model.h"

#include <algorithm>
#include <utility>

using namespace memplan;
using namespace memplan::detail;

Model::Model(const Problem &problem) : problem(problem) {
  size_t n = problem.buffers.size();
  rows.reserve(n);
  pins.reserve(n);
  for (BufferIndex i = 0; i < n; ++i) {
    const Buffer &b = problem.buffers[i];
    rows.push_back({b.size, b.alignment, {0, 0}, 0, 0});
    pins.push_back(b.pinnedOffset.value_or(-1));
    if (b.pinnedOffset)
      pinnedBuffers.push_back(i);
  }
  buildSections();
  buildRelations();
  if (!pinnedBuffers.empty() || !relationData.empty())
    plain = false;
}

namespace {

/// Finds the rank of a time among sorted times. A table over intervals of equal
/// length narrows the binary search.
class TimeIndex {
public:
  explicit TimeIndex(const std::vector<int64_t> &times) : times(times) {
    if (times.empty())
      return;
    uint64_t span = distance(times.back());
    while (span >> shift > times.size())
      ++shift;
    stretch.reserve((span >> shift) + 2);
    for (size_t i = 0; i < times.size(); ++i)
      while (stretch.size() <= distance(times[i]) >> shift)
        stretch.push_back(static_cast<uint32_t>(i));
    stretch.push_back(static_cast<uint32_t>(times.size()));
  }

  /// The number of times below `time`, which must not be below the first.
  uint32_t countBelow(int64_t time) const {
    uint64_t at = distance(time) >> shift;
    if (at + 1 >= stretch.size())
      return static_cast<uint32_t>(times.size());
    return static_cast<uint32_t>(
        std::lower_bound(times.begin() + stretch[at],
                         times.begin() + stretch[at + 1], time) -
        times.begin());
  }

private:
  uint64_t distance(int64_t time) const {
    return uint64_t(time) - uint64_t(times.front());
  }

  const std::vector<int64_t> &times;
  std::vector<uint32_t> stretch;
  unsigned shift = 0;
};

} // namespace

/// Sorts times. They are often sorted already, or span few bits; a radix sort
/// then reads them at most three times instead of log n times.
static void sortTimes(std::vector<int64_t> &times) {
  if (std::is_sorted(times.begin(), times.end()))
    return;
  constexpr unsigned digitBits = 11, digits = 1 << digitBits;
  auto [least, greatest] = std::minmax_element(times.begin(), times.end());
  uint64_t first = uint64_t(*least), span = uint64_t(*greatest) - first;
  if (times.size() < digits || span >> (3 * digitBits) != 0) {
    std::sort(times.begin(), times.end());
    return;
  }
  std::vector<int64_t> other(times.size());
  std::vector<uint32_t> place(digits);
  for (unsigned shift = 0; span >> shift != 0; shift += digitBits) {
    auto digitOf = [&](int64_t time) {
      return (uint64_t(time) - first) >> shift & (digits - 1);
    };
    place.assign(digits, 0);
    for (int64_t time : times)
      ++place[digitOf(time)];
    uint32_t sum = 0;
    for (uint32_t &p : place)
      sum += std::exchange(p, sum);
    for (int64_t time : times)
      other[place[digitOf(time)]++] = time;
    times.swap(other);
  }
}

void Model::buildSections() {
  std::vector<int64_t> starts, ends;
  starts.reserve(problem.buffers.size());
  ends.reserve(problem.buffers.size());
  for (const Buffer &b : problem.buffers) {
    if (b.size == 0)
      continue;
    for (const LiveRange &range : b.ranges) {
      starts.push_back(range.start);
      ends.push_back(range.end);
    }
  }
  sortTimes(starts);
  sortTimes(ends);

  // A section begins at a start that follows an end; at equal times the ends
  // come first.
  std::vector<int64_t> sectionStart;
  size_t nextEnd = 0;
  bool afterEnd = true;
  for (int64_t start : starts) {
    while (nextEnd < ends.size() && ends[nextEnd] <= start) {
      ++nextEnd;
      afterEnd = true;
    }
    if (afterEnd)
      sectionStart.push_back(start);
    afterEnd = false;
  }
  sectionCount = static_cast<uint32_t>(sectionStart.size());
  TimeIndex index(sectionStart);

  std::vector<SectionRange> own;
  for (BufferIndex i = 0; i < rows.size(); ++i) {
    const Buffer &b = problem.buffers[i];
    own.clear();
    if (b.size != 0) {
      if (b.ranges.size() > 1)
        plain = false;
      for (const LiveRange &range : b.ranges) {
        uint32_t begin = index.countBelow(range.start);
        if (begin == sectionCount || sectionStart[begin] > range.start)
          --begin;
        uint32_t end = index.countBelow(range.end);
        // A gap that begins and ends in one section is dropped: no buffer can
        // use it.
        if (!own.empty() && begin <= own.back().end)
          own.back().end = end;
        else
          own.push_back({begin, end});
      }
    }
    // A single range is kept in the row, so that it costs no access to
    // rangeData.
    Row &row = rows[i];
    row.rangeBegin = static_cast<uint32_t>(rangeData.size());
    row.rangeEnd = row.rangeBegin + static_cast<uint32_t>(own.size());
    if (own.size() == 1)
      row.only = own.front();
    else
      rangeData.insert(rangeData.end(), own.begin(), own.end());
  }
}

bool Model::liveTogether(BufferIndex a, BufferIndex b) const {
  Slice<SectionRange> ra = ranges(a), rb = ranges(b);
  const SectionRange *i = ra.begin(), *j = rb.begin();
  while (i != ra.end() && j != rb.end()) {
    if (i->end <= j->begin)
      ++i;
    else if (j->end <= i->begin)
      ++j;
    else
      return true;
  }
  return false;
}

void Model::buildRelations() {
  std::vector<std::pair<BufferIndex, Relation>> all;
  auto add = [&](BufferIndex b, Relation relation) {
    all.emplace_back(b, relation);
  };
  std::vector<std::pair<BufferIndex, BufferIndex>> conflicts;
  for (const Conflict &c : problem.conflicts) {
    if (sizeOf(c.first) > 0 && sizeOf(c.second) > 0)
      conflicts.emplace_back(std::min(c.first, c.second),
                             std::max(c.first, c.second));
  }
  std::sort(conflicts.begin(), conflicts.end());
  conflicts.erase(std::unique(conflicts.begin(), conflicts.end()),
                  conflicts.end());
  for (auto [a, b] : conflicts) {
    add(a, {b, /*isConflict=*/true, 0, 0});
    add(b, {a, /*isConflict=*/true, 0, 0});
  }
  overlapping.assign(rows.size(), 0);
  for (const PermittedOverlap &o : problem.overlaps) {
    BufferIndex a = o.first, b = o.second;
    // Outside of (-size(b), size(a)) the two buffers share no byte. Inside, the
    // sum of an offset and a delta cannot overflow.
    int64_t minDelta = std::max(o.minDelta, -sizeOf(b));
    int64_t maxDelta = std::min(o.maxDelta, sizeOf(a));
    std::pair<BufferIndex, BufferIndex> pair(std::min(a, b), std::max(a, b));
    if (minDelta > maxDelta || !liveTogether(a, b) ||
        std::binary_search(conflicts.begin(), conflicts.end(), pair))
      continue;
    add(b, {a, /*isConflict=*/false, minDelta, maxDelta});
    add(a, {b, /*isConflict=*/false, -maxDelta, -minDelta});
    overlapping[a] = overlapping[b] = 1;
  }
  std::sort(all.begin(), all.end(), [](const auto &x, const auto &y) {
    const Relation &p = x.second, &q = y.second;
    if (x.first != y.first)
      return x.first < y.first;
    if (p.other != q.other)
      return p.other < q.other;
    return p.minDelta != q.minDelta ? p.minDelta < q.minDelta
                                    : p.maxDelta < q.maxDelta;
  });
  relationBegin.assign(rows.size() + 1, 0);
  relationData.reserve(all.size());
  for (const auto &[b, relation] : all) {
    ++relationBegin[b + 1];
    relationData.push_back(relation);
  }
  for (size_t i = 0; i < rows.size(); ++i)
    relationBegin[i + 1] += relationBegin[i];
}

std::vector<int64_t> Model::sectionLoads() const {
  std::vector<int64_t> loads(sectionCount + 1, 0);
  for (BufferIndex b = 0; b < size(); ++b) {
    for (const SectionRange &range : ranges(b)) {
      loads[range.begin] += sizeOf(b);
      loads[range.end] -= sizeOf(b);
    }
  }
  for (uint32_t s = 1; s < sectionCount; ++s)
    loads[s] += loads[s - 1];
  loads.resize(sectionCount);
  return loads;
}
