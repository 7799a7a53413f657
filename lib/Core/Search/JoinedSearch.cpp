//===- JoinedSearch.cpp - Search with joined buffers ----------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Search/JoinedSearch.h"

#include <algorithm>
#include <numeric>
#include <tuple>

using namespace memplan;
using namespace memplan::detail;

/// The most rounds of joins. A round can join the results of earlier rounds.
static constexpr unsigned joinRounds = 64;

/// A search of the joined problem pays off if the joins remove one buffer out
/// of this number.
static constexpr uint32_t leastShare = 10;

/// JoinOptions::percent of the random variants, of which each round adds one.
static constexpr unsigned percents[] = {75, 95, 50, 90};
static constexpr unsigned variantLimit = 16;

/// The round from which on the budget of a search does not grow, for the first
/// variant and for the random ones. The search without joins still grows.
static constexpr unsigned longestRound = 6, longestOfVariant = 2;

namespace {

class Joiner {
public:
  Joiner(const Model &model, JoinOptions options)
      : model(model), options(options) {
    for (BufferIndex b = 0; b < model.size(); ++b) {
      bool isFree = model.sizeOf(b) > 0 && !model.isPinned(b);
      groups.push_back({model.problem.buffers[b], {{b, 0}}, isFree});
      normalizeRanges(groups.back().buffer.ranges);
    }
    // model.relations() leaves out permitted overlaps of buffers that are never
    // live together, but their groups could be live together.
    for (const Conflict &conflict : model.problem.conflicts)
      groups[conflict.first].isFree = groups[conflict.second].isFree = false;
    for (const PermittedOverlap &overlap : model.problem.overlaps)
      groups[overlap.first].isFree = groups[overlap.second].isFree = false;
  }

  JoinedProblem run() {
    for (unsigned round = 0; round < joinRounds; ++round) {
      size_t before = groups.size();
      stack();
      succeed();
      dropEmpty();
      if (groups.size() == before)
        break;
    }
    return result();
  }

private:
  /// Buffers that are joined into one.
  struct Group {
    /// The joined buffer.
    Buffer buffer;
    /// Buffers of the model, each with its bytes above the offset of the group.
    /// Empty if the group was joined to another one.
    std::vector<std::pair<BufferIndex, int64_t>> members;
    /// The group may be joined.
    bool isFree;
  };

  /// Decides at random, with the given probability, if a join is made. The same
  /// arguments always give the same decision, also in later rounds.
  bool isChosen(int64_t time, int64_t size) const {
    if (options.percent == 100)
      return true;
    Random random(options.seed * 0x9e3779b97f4a7c15u + uint64_t(time));
    Random mixed(random.next() + uint64_t(size));
    return mixed.below(100) < options.percent;
  }

  void join(Group &into, Group &other, int64_t within) {
    for (auto [b, at] : other.members)
      into.members.push_back({b, at + within});
    into.buffer.alignment =
        std::max(into.buffer.alignment, other.buffer.alignment);
    other.members.clear();
    other.isFree = false;
  }

  /// Joins groups with the same live ranges, one on top of the other, those
  /// with the largest alignment at the bottom.
  void stack() {
    auto ranges = [&](size_t i) -> const LiveRanges & {
      return groups[i].buffer.ranges;
    };
    std::vector<size_t> sorted;
    for (size_t i = 0; i < groups.size(); ++i)
      if (groups[i].isFree)
        sorted.push_back(i);
    auto less = [](const LiveRange &x, const LiveRange &y) {
      return std::tie(x.start, x.end) < std::tie(y.start, y.end);
    };
    std::sort(sorted.begin(), sorted.end(), [&](size_t a, size_t b) {
      if (ranges(a) != ranges(b))
        return std::lexicographical_compare(ranges(a).begin(), ranges(a).end(),
                                            ranges(b).begin(), ranges(b).end(),
                                            less);
      int64_t alignA = groups[a].buffer.alignment;
      int64_t alignB = groups[b].buffer.alignment;
      return alignA != alignB ? alignA > alignB : a < b;
    });
    for (size_t at = 0; at < sorted.size();) {
      Group &base = groups[sorted[at]];
      size_t next = at + 1;
      for (; next < sorted.size() && ranges(sorted[next]) == base.buffer.ranges;
           ++next) {
        Group &top = groups[sorted[next]];
        if (base.buffer.size % top.buffer.alignment != 0 ||
            !isChosen(base.buffer.ranges.front().start,
                      base.buffer.ranges.back().end))
          break;
        join(base, top, base.buffer.size);
        base.buffer.size += top.buffer.size;
      }
      at = next;
    }
  }

  /// Joins a group with the one that begins when it ends, if these two are the
  /// only ones of their size that begin or end at that time.
  void succeed() {
    struct Event {
      int64_t time, size;
      bool isBegin;
      size_t group;
    };
    std::vector<Event> events;
    for (size_t i = 0; i < groups.size(); ++i) {
      const Buffer &b = groups[i].buffer;
      if (!groups[i].isFree)
        continue;
      events.push_back({b.ranges.front().start, b.size, true, i});
      events.push_back({b.ranges.back().end, b.size, false, i});
    }
    std::sort(events.begin(), events.end(), [](const Event &a, const Event &b) {
      return std::tie(a.time, a.size, a.isBegin, a.group) <
             std::tie(b.time, b.size, b.isBegin, b.group);
    });
    auto alike = [](const Event &a, const Event &b) {
      return a.time == b.time && a.size == b.size;
    };
    // By group: the group that contains it now. The events are in the order of
    // time, so in a chain of joins each group is joined to the first one.
    std::vector<size_t> joinedTo(groups.size());
    std::iota(joinedTo.begin(), joinedTo.end(), 0);
    for (size_t i = 0, end; i < events.size(); i = end) {
      end = i + 1;
      while (end < events.size() && alike(events[i], events[end]))
        ++end;
      if (end != i + 2 || events[i].isBegin || !events[i + 1].isBegin ||
          !isChosen(events[i].time, events[i].size))
        continue;
      size_t first = joinedTo[events[i].group], second = events[i + 1].group;
      Group &into = groups[first];
      LiveRanges &ranges = into.buffer.ranges;
      const LiveRanges &others = groups[second].buffer.ranges;
      ranges.insert(ranges.end(), others.begin(), others.end());
      normalizeRanges(ranges);
      join(into, groups[second], 0);
      joinedTo[second] = first;
    }
  }

  void dropEmpty() {
    groups.erase(
        std::remove_if(groups.begin(), groups.end(),
                       [](const Group &g) { return g.members.empty(); }),
        groups.end());
  }

  JoinedProblem result() {
    JoinedProblem joined;
    const Problem &problem = model.problem;
    joined.problem.arenaAlignment = problem.arenaAlignment;
    joined.members.resize(model.size());
    for (Group &group : groups) {
      auto index = BufferIndex(joined.problem.buffers.size());
      for (auto [b, within] : group.members)
        joined.members[b] = {index, within};
      joined.problem.buffers.push_back(std::move(group.buffer));
    }
    // Buffers with conflicts or permitted overlaps are alone in their groups.
    for (Conflict conflict : problem.conflicts)
      joined.problem.conflicts.push_back(
          {joined.members[conflict.first].joined,
           joined.members[conflict.second].joined});
    for (PermittedOverlap overlap : problem.overlaps) {
      overlap.first = joined.members[overlap.first].joined;
      overlap.second = joined.members[overlap.second].joined;
      joined.problem.overlaps.push_back(overlap);
    }
    return joined;
  }

  const Model &model;
  JoinOptions options;
  std::vector<Group> groups;
};

} // namespace

JoinedProblem detail::joinBuffers(const Model &model, JoinOptions options) {
  return Joiner(model, options).run();
}

std::vector<int64_t>
JoinedProblem::expand(const std::vector<int64_t> &offsets) const {
  std::vector<int64_t> result;
  result.reserve(members.size());
  for (const Member &member : members)
    result.push_back(offsets[member.joined] + member.within);
  return result;
}

JoinedSearch::JoinedSearch(const Model &model) : model(model) {
  variants.push_back(std::make_unique<Variant>(model, JoinOptions()));
  uint32_t size = variants.front()->model.size();
  useful = model.size() - size >= std::max(1u, model.size() / leastShare);
}

SearchOutcome JoinedSearch::take(Variant &variant, SearchOutcome outcome,
                                 int64_t capacity) {
  if (outcome == SearchOutcome::Exhausted)
    variant.floor = std::max(variant.floor, capacity);
  if (outcome != SearchOutcome::Found)
    return SearchOutcome::Limit;
  found = variant.joined.expand(variant.search.offsets());
  return outcome;
}

SearchOutcome JoinedSearch::probe(int64_t capacity, SearchControl &control) {
  Variant &variant = *variants.front();
  if (variant.floor >= capacity)
    return SearchOutcome::Limit;
  return take(
      variant,
      variant.search.runOnce(capacity, 100 + 2 * variant.model.size(), control),
      capacity);
}

SearchOutcome JoinedSearch::runVariant(Variant &variant, int64_t capacity,
                                       unsigned round, SearchControl &control) {
  if (variant.floor >= capacity)
    return SearchOutcome::Limit;
  return take(variant, variant.search.runRound(capacity, round, control),
              capacity);
}

SearchOutcome JoinedSearch::runRound(int64_t capacity, unsigned round,
                                     SearchControl &control) {
  if (runVariant(*variants.front(), capacity, std::min(round, longestRound),
                 control) == SearchOutcome::Found)
    return SearchOutcome::Found;
  if (round == 0 || round > variantLimit || control.isExhausted())
    return SearchOutcome::Limit;
  while (variants.size() <= round) {
    unsigned percent = percents[variants.size() % std::size(percents)];
    variants.push_back(std::make_unique<Variant>(
        model, JoinOptions{percent, control.seed() + variants.size()}));
  }
  return runVariant(*variants[round], capacity,
                    std::min(round, longestOfVariant), control);
}
