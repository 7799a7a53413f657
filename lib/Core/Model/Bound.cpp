//===- Bound.cpp - Lower bounds of the arena size -------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The bound is the maximum of four bounds:
//
// 1. Max load. Buffers live at one time with no permitted overlap among them
//    occupy disjoint bytes. Where overlaps exist, a buffer counts in full only
//    while no larger permitted partner does (so the counted ones are pairwise
//    disjoint). Otherwise it counts with the bytes that no partner can cover:
//    its size less the greatest possible overlap with each partner.
// 2. Granules. Buffers whose alignment is a multiple of g start on g, so two
//    that share no byte share no granule of g bytes either, and bound 1 holds
//    for their sizes rounded up to g. The topmost one may end before its last
//    granule does, so the largest rounding among the counted ones is
//    subtracted.
// 3. Pins. No arena ends below the end of a pinned buffer. In one section, each
//    unpinned buffer lies within one gap between the pinned buffers, so a gap
//    narrower than the smallest unpinned buffer stays empty. The least height
//    at which the other gaps hold the sum of the unpinned sizes is a bound.
//    (Buffers with permitted overlaps are left out.)
// 4. Conflicts. Two buffers in conflict never share bytes, whatever their
//    times. If the buffers of a set conflict or are live together pair by pair,
//    with no permitted overlap among them, the sum of their sizes is a bound.
//    Where CommonTimes.h has added a time for such a set, the bounds above
//    count it. For the conflicts that are left, a set is grown greedily around
//    each buffer that has some.
//
//===----------------------------------------------------------------------===//

#include "memplan/Core/Bound.h"

#include "Model/CommonTimes.h"
#include "Model/Model.h"
#include "Model/Neighbours.h"
#include "Strategies/AddressTree.h"
#include "memplan/Core/CheckedMath.h"

#include <algorithm>
#include <optional>
#include <queue>
#include <set>

using namespace memplan;
using namespace memplan::detail;

namespace {

/// The greatest number of bytes that `relation` lets the two buffers share.
int64_t greatestOverlap(int64_t size, int64_t otherSize,
                        const Relation &relation) {
  // overlap(delta) rises up to the plateau between 0 and the difference of the
  // sizes and falls after it, so the delta nearest to the plateau is the best.
  int64_t low = std::min<int64_t>(0, otherSize - size);
  int64_t high = std::max<int64_t>(0, otherSize - size);
  int64_t delta = std::clamp(low, relation.minDelta, relation.maxDelta);
  if (relation.minDelta <= high && relation.maxDelta >= low)
    return std::min(size, otherSize);
  if (relation.minDelta > high)
    delta = relation.minDelta;
  return std::max<int64_t>(0, std::min(otherSize, delta + size) -
                                  std::max<int64_t>(0, delta));
}

/// Bounds 1 (with a granule of one byte) and 2: sums up, for each section, the
/// bytes that the buffers aligned to the granule count with, in whole granules.
class CountedLoad {
public:
  CountedLoad(const Model &model, int64_t granule)
      : model(model), granule(granule), change(model.numSections() + 1, 0),
        counted(model.hasRelations() ? model.size() : 0) {}

  int64_t bound() {
    std::vector<BufferIndex> sharing;
    for (BufferIndex b = 0; b < model.size(); ++b) {
      if (!isAligned(b))
        continue;
      if (model.hasOverlaps(b))
        sharing.push_back(b);
      else
        count(b, model.ranges(b), roundedSize(b));
    }
    std::sort(sharing.begin(), sharing.end(),
              [&](BufferIndex a, BufferIndex b) { return outranks(a, b); });
    for (BufferIndex b : sharing)
      countSharing(b);
    return greatestLoad();
  }

private:
  /// The bytes by which rounding to granules increased a buffer's size; the
  /// topmost buffer of a section may take that much less than it counts.
  struct Rounding {
    SectionRange range;
    int64_t bytes;
  };

  bool isAligned(BufferIndex b) const { return model.alignOf(b) >= granule; }
  int64_t roundedSize(BufferIndex b) const {
    return alignTo(model.sizeOf(b), granule);
  }
  bool outranks(BufferIndex a, BufferIndex b) const {
    return model.sizeOf(a) != model.sizeOf(b)
               ? model.sizeOf(a) > model.sizeOf(b)
               : a < b;
  }

  void count(BufferIndex b, Slice<SectionRange> ranges, int64_t bytes) {
    if (bytes == 0)
      return;
    int64_t rounding = roundedSize(b) - model.sizeOf(b);
    for (const SectionRange &range : ranges) {
      change[range.begin] += bytes;
      change[range.end] -= bytes;
      if (rounding > 0)
        roundings.push_back({range, rounding});
    }
  }

  /// Counts `b` in full in the sections without a larger partner, and records
  /// these in `counted`; elsewhere counts the bytes that no partner can cover.
  /// Partners that are not aligned to the granule do not count, so they cover
  /// nothing.
  void countSharing(BufferIndex b) {
    int64_t exclusive = roundedSize(b);
    std::vector<SectionRange> covered;
    Slice<Relation> relations = model.relations(b);
    for (size_t i = 0; i < relations.size(); ++i) {
      const Relation &relation = relations[i];
      if (relation.isConflict || !isAligned(relation.other))
        continue;
      // If the pair has several permits, a plan uses one of them.
      auto overlapOf = [&](const Relation &permit) {
        return greatestOverlap(roundedSize(b), roundedSize(permit.other),
                               permit);
      };
      int64_t overlap = overlapOf(relation);
      while (i + 1 < relations.size() &&
             relations[i + 1].other == relation.other)
        overlap = std::max(overlap, overlapOf(relations[++i]));
      exclusive = std::max<int64_t>(0, exclusive - overlap);
      if (outranks(relation.other, b)) {
        const std::vector<SectionRange> &ranges = counted[relation.other];
        covered.insert(covered.end(), ranges.begin(), ranges.end());
      }
    }
    std::sort(covered.begin(), covered.end(),
              [](const SectionRange &x, const SectionRange &y) {
                return x.begin < y.begin;
              });
    std::vector<SectionRange> shared;
    for (const SectionRange &own : model.ranges(b)) {
      uint32_t done = own.begin;
      for (const SectionRange &range : covered) {
        uint32_t begin = std::max(range.begin, done);
        uint32_t end = std::min(range.end, own.end);
        if (begin >= end)
          continue;
        shared.push_back({begin, end});
        if (done < begin)
          counted[b].push_back({done, begin});
        done = end;
      }
      if (done < own.end)
        counted[b].push_back({done, own.end});
    }
    count(b, {shared.data(), shared.data() + shared.size()}, exclusive);
    const std::vector<SectionRange> &full = counted[b];
    count(b, {full.data(), full.data() + full.size()}, roundedSize(b));
  }

  /// The greatest load of a section less the largest rounding in it.
  int64_t greatestLoad() {
    std::sort(roundings.begin(), roundings.end(),
              [](const Rounding &a, const Rounding &b) {
                return a.range.begin < b.range.begin;
              });
    auto isLess = [](const Rounding &a, const Rounding &b) {
      return a.bytes < b.bytes;
    };
    std::priority_queue<Rounding, std::vector<Rounding>, decltype(isLess)> live(
        isLess);
    int64_t best = 0, load = 0;
    auto next = roundings.begin();
    for (uint32_t s = 0; s < change.size(); ++s) {
      load += change[s];
      for (; next != roundings.end() && next->range.begin == s; ++next)
        live.push(*next);
      while (!live.empty() && live.top().range.end <= s)
        live.pop();
      best = std::max(best, load - (live.empty() ? 0 : live.top().bytes));
    }
    return best;
  }

  const Model &model;
  int64_t granule;
  /// By section: its load less the load of the section before, in bytes.
  std::vector<int64_t> change;
  std::vector<Rounding> roundings;
  /// By buffer: the sections in which it counts in full; kept for buffers with
  /// permitted overlaps only.
  std::vector<std::vector<SectionRange>> counted;
};

int64_t loadBound(const Model &model) {
  std::set<int64_t> granules = {1};
  for (BufferIndex b = 0; b < model.size(); ++b)
    if (model.sizeOf(b) % model.alignOf(b) != 0)
      granules.insert(model.alignOf(b));
  int64_t best = 0;
  for (int64_t granule : granules)
    best = std::max(best, CountedLoad(model, granule).bound());
  return best;
}

/// Bound 3 for one section: the least height with room for `sum` bytes in gaps
/// of at least `smallest` bytes.
int64_t heightAround(const AddressSet &pins, int64_t sum, int64_t smallest) {
  int64_t at = 0;
  for (const AddressRange &pin : pins.ranges()) {
    int64_t gap = pin.low - at;
    if (gap >= smallest) {
      if (sum <= gap)
        return sum > 0 ? at + sum : 0;
      sum -= gap;
    }
    at = pin.high;
  }
  return sum > 0 ? at + sum : 0;
}

int64_t pinBound(const Model &model) {
  if (model.pinned().empty())
    return 0;
  int64_t best = 0;
  std::vector<AddressSet> pins(model.numSections());
  for (BufferIndex b : model.pinned()) {
    AddressRange bytes{model.pinOf(b), model.pinOf(b) + model.sizeOf(b)};
    best = std::max(best, bytes.high);
    for (const SectionRange &range : model.ranges(b))
      for (uint32_t s = range.begin; s < range.end; ++s)
        pins[s].insert(bytes);
  }
  std::vector<int64_t> sum(model.numSections(), 0);
  std::vector<int64_t> smallest(model.numSections(), INT64_MAX);
  for (BufferIndex b = 0; b < model.size(); ++b) {
    if (model.isPinned(b) || model.hasOverlaps(b))
      continue;
    for (const SectionRange &range : model.ranges(b))
      for (uint32_t s = range.begin; s < range.end; ++s) {
        sum[s] += model.sizeOf(b);
        smallest[s] = std::min(smallest[s], model.sizeOf(b));
      }
  }
  for (uint32_t s = 0; s < model.numSections(); ++s)
    best = std::max(best, heightAround(pins[s], sum[s], smallest[s]));
  return best;
}

/// True if the two buffers share no byte in any plan.
bool neverShare(const Model &model, BufferIndex a, BufferIndex b) {
  Slice<Relation> relations = model.relations(a);
  auto relation = std::lower_bound(
      relations.begin(), relations.end(), b,
      [](const Relation &r, BufferIndex other) { return r.other < other; });
  if (relation != relations.end() && relation->other == b)
    return relation->isConflict;
  return model.liveTogether(a, b);
}

int64_t conflictBound(const Model &model) {
  if (!model.hasRelations())
    return 0;
  // Limits for problems with millions of conflicts: the members that are tried
  // for a set, and the neighbours that are visited in all.
  constexpr size_t triedLimit = 64;
  constexpr size_t visitLimit = size_t(1) << 23;
  int64_t best = 0;
  size_t visits = 0;
  std::optional<NeighbourIndex> index;
  std::vector<BufferIndex> around, set;
  auto isLarger = [&](BufferIndex x, BufferIndex y) {
    return model.sizeOf(x) != model.sizeOf(y)
               ? model.sizeOf(x) > model.sizeOf(y)
               : x < y;
  };
  for (BufferIndex b = 0; b < model.size() && visits < visitLimit; ++b) {
    Slice<Relation> relations = model.relations(b);
    if (std::none_of(relations.begin(), relations.end(),
                     [](const Relation &r) { return r.isConflict; }))
      continue;
    if (!index)
      index.emplace(model);
    around.clear();
    index->collect(b, around);
    visits += around.size();
    size_t tried = std::min(around.size(), triedLimit);
    std::partial_sort(around.begin(), around.begin() + tried, around.end(),
                      isLarger);
    around.resize(tried);
    set.assign(1, b);
    int64_t sum = model.sizeOf(b);
    for (BufferIndex other : around)
      if (std::all_of(set.begin(), set.end(), [&](BufferIndex member) {
            return neverShare(model, other, member);
          })) {
        set.push_back(other);
        sum += model.sizeOf(other);
      }
    best = std::max(best, sum);
  }
  return best;
}

} // namespace

Peak memplan::findPeak(const Problem &problem) {
  struct Event {
    int64_t time;
    int64_t change; // Negative for an end, which comes first.
  };
  std::vector<Event> events;
  for (const Buffer &b : problem.buffers) {
    if (b.size == 0)
      continue;
    for (const LiveRange &range : b.ranges) {
      events.push_back({range.start, b.size});
      events.push_back({range.end, -b.size});
    }
  }
  std::sort(events.begin(), events.end(), [](const Event &a, const Event &b) {
    return a.time != b.time ? a.time < b.time : a.change < b.change;
  });
  Peak peak;
  int64_t load = 0;
  for (const Event &event : events) {
    load += event.change;
    if (load > peak.bytes) {
      peak.bytes = load;
      peak.time = event.time;
    }
  }
  for (BufferIndex i = 0; peak.bytes > 0 && i < problem.buffers.size(); ++i) {
    const Buffer &b = problem.buffers[i];
    bool live = std::any_of(
        b.ranges.begin(), b.ranges.end(), [&](const LiveRange &range) {
          return range.start <= peak.time && peak.time < range.end;
        });
    if (live && b.size > 0)
      peak.buffers.push_back(i);
  }
  std::sort(peak.buffers.begin(), peak.buffers.end(),
            [&](BufferIndex a, BufferIndex b) {
              int64_t sa = problem.buffers[a].size;
              int64_t sb = problem.buffers[b].size;
              return sa != sb ? sa > sb : a < b;
            });
  return peak;
}

int64_t memplan::detail::lowerBound(const Model &model) {
  int64_t best = std::max(loadBound(model), pinBound(model));
  return std::max(best, conflictBound(model));
}

int64_t memplan::lowerBound(const Problem &problem) {
  std::optional<Problem> timed = addCommonTimes(problem);
  return detail::lowerBound(Model(timed ? *timed : problem));
}

int64_t memplan::totalSize(const Problem &problem) {
  int64_t total = 0;
  for (const Buffer &b : problem.buffers)
    total += b.size;
  return total;
}
