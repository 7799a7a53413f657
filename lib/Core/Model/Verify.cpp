//===- Verify.cpp - Verification of plans ---------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Proves that a plan is correct. The proof is written against the problem and
// shares no code with the strategies, so it detects their defects.
//
// A sweep over time keeps the live buffers in a max-tree over the ranks of the
// offsets that occur. When a buffer becomes live, every live buffer that starts
// below its end and ends above its start shares bytes with it:
//
//   address rank   0    1    2    3
//   end if live   32    -   64   96        a query [40, 80) visits only the
//   max-tree         32       96           subtrees whose maximum exceeds 40
//                        96                and finds ranks 2 and 3
//
//===----------------------------------------------------------------------===//

#include "Model/ProblemTypes.h"
#include "memplan/Core/CheckedMath.h"
#include "memplan/Core/Order.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

using namespace memplan;
using namespace memplan::detail;

namespace {

/// The live buffers by the rank of their offset among the distinct offsets of
/// the plan. Plans of many buffers use each offset many times, so the tree is
/// small and stays in the cache.
class LiveTree {
public:
  LiveTree(size_t places, size_t buffers)
      : first(places, none), next(buffers, none) {
    while (leaves < places)
      leaves *= 2;
    maxEnd.assign(2 * leaves, -1);
  }

  void insert(size_t rank, BufferIndex buffer, int64_t end) {
    if (*find(rank, buffer) == buffer)
      return;
    next[buffer] = first[rank];
    first[rank] = buffer;
    set(rank, std::max(maxEnd[rank + leaves], end));
  }

  template <typename EndFn>
  void erase(size_t rank, BufferIndex buffer, EndFn endOf) {
    BufferIndex *link = find(rank, buffer);
    if (*link == none)
      return;
    *link = next[buffer];
    int64_t end = -1;
    for (BufferIndex other = first[rank]; other != none; other = next[other])
      end = std::max(end, endOf(other));
    set(rank, end);
  }

  /// Appends every buffer whose rank is below `rankLimit` and whose end may
  /// exceed `low`, by ascending rank.
  void collect(size_t rankLimit, int64_t low,
               std::vector<BufferIndex> &out) const {
    collect(1, 0, leaves, rankLimit, low, out);
  }

private:
  static constexpr BufferIndex none = UINT32_MAX;

  /// The link to the buffer, or the last link of the list. The list has several
  /// buffers only if an overlap is permitted or the plan is wrong, so it is
  /// short.
  BufferIndex *find(size_t rank, BufferIndex buffer) {
    BufferIndex *link = &first[rank];
    while (*link != none && *link != buffer)
      link = &next[*link];
    return link;
  }

  void set(size_t rank, int64_t end) {
    size_t node = rank + leaves;
    maxEnd[node] = end;
    for (node /= 2; node > 0; node /= 2) {
      end = std::max(maxEnd[2 * node], maxEnd[2 * node + 1]);
      if (maxEnd[node] == end)
        return;
      maxEnd[node] = end;
    }
  }

  void collect(size_t node, size_t begin, size_t end, size_t rankLimit,
               int64_t low, std::vector<BufferIndex> &out) const {
    if (begin >= rankLimit || maxEnd[node] <= low)
      return;
    if (end - begin == 1) {
      for (BufferIndex b = first[begin]; b != none; b = next[b])
        out.push_back(b);
      return;
    }
    size_t middle = begin + (end - begin) / 2;
    collect(2 * node, begin, middle, rankLimit, low, out);
    collect(2 * node + 1, middle, end, rankLimit, low, out);
  }

  size_t leaves = 1;
  std::vector<int64_t> maxEnd;
  /// Linked lists: `first` has the first live buffer of each rank, `next` the
  /// successor of each buffer.
  std::vector<BufferIndex> first, next;
};

/// The distinct offsets of the plan, sorted. To find a rank, a table over
/// intervals of equal length narrows the binary search.
class Places {
public:
  explicit Places(std::vector<int64_t> offsets) : sorted(std::move(offsets)) {
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    if (sorted.empty())
      return;
    while ((sorted.back() >> shift) > int64_t(sorted.size()))
      ++shift;
    stretch.reserve((sorted.back() >> shift) + 2);
    for (size_t rank = 0; rank < sorted.size(); ++rank)
      while (int64_t(stretch.size()) <= sorted[rank] >> shift)
        stretch.push_back(static_cast<uint32_t>(rank));
    stretch.push_back(static_cast<uint32_t>(sorted.size()));
  }

  size_t size() const { return sorted.size(); }
  /// The number of offsets below the address.
  size_t rankOf(int64_t address) const {
    size_t at = static_cast<size_t>(address >> shift);
    if (at + 1 >= stretch.size())
      return sorted.size();
    return std::lower_bound(sorted.begin() + stretch[at],
                            sorted.begin() + stretch[at + 1], address) -
           sorted.begin();
  }

private:
  std::vector<int64_t> sorted;
  std::vector<uint32_t> stretch;
  unsigned shift = 0;
};

class Verifier : OffsetVerifier {
public:
  Verifier(const Problem &problem, const Plan &plan, size_t maxIssues)
      : OffsetVerifier(problem, plan, maxIssues) {}

  std::vector<Issue> run() {
    if (plan.offsets.size() != problem.buffers.size()) {
      report("the plan has " + std::to_string(plan.offsets.size()) +
             " offsets for " + std::to_string(problem.buffers.size()) +
             " buffers");
      return std::move(issues);
    }
    verifyArena();
    for (BufferIndex i = 0; i < problem.buffers.size(); ++i)
      verifyPlace(i);
    if (!unorderable) {
      indexPairs();
      verifyConflicts();
      sweep();
      verifyCuts();
      reportAll(verifySharing(problem, plan, maxIssues));
    }
    if (plan.order && !hasFormulas(problem))
      report("the plan has an order, but all sizes are constants");
    else if (plan.order)
      reportAll(verifyOrder(problem, *plan.order, maxIssues));
    return std::move(issues);
  }

private:
  using Pair = std::pair<BufferIndex, BufferIndex>;

  void verifyArena() {
    if (plan.status != PlanStatus::Limit && problem.capacity &&
        plan.arenaSize > *problem.capacity)
      report("the arena of " + std::to_string(plan.arenaSize) +
             " bytes exceeds the capacity of " +
             std::to_string(*problem.capacity) + " bytes by " +
             std::to_string(plan.arenaSize - *problem.capacity));
    if (plan.arenaSize < plan.lowerBound)
      report("the arena of " + std::to_string(plan.arenaSize) +
             " bytes is below the lower bound of " +
             std::to_string(plan.lowerBound) + " bytes");
  }

  std::string name(BufferIndex i) const {
    return "buffer '" + problem.buffers[i].id + "'";
  }

  void verifyPlace(BufferIndex i) {
    const Buffer &b = problem.buffers[i];
    if (offset(i) < 0) {
      unorderable = true;
      report(name(i) + " has the negative offset " + std::to_string(offset(i)),
             {i});
    }
    if (offset(i) % b.alignment != 0)
      report(name(i) + " at offset " + std::to_string(offset(i)) +
                 " is not aligned to " + std::to_string(b.alignment),
             {i});
    if (b.pinnedOffset && *b.pinnedOffset != offset(i))
      report(name(i) + " is pinned at offset " +
                 std::to_string(*b.pinnedOffset) + " but placed at " +
                 std::to_string(offset(i)),
             {i});
    std::optional<int64_t> end = checkedAdd(offset(i), b.size);
    if (!end) {
      unorderable = true;
      report(name(i) + " at offset " + std::to_string(offset(i)) +
                 " ends beyond 64 bits",
             {i});
    } else if (*end > plan.arenaSize) {
      report("buffer " + place(i) + " exceeds the arena of " +
                 std::to_string(plan.arenaSize) + " bytes",
             {i});
    }
  }

  static Pair ordered(BufferIndex a, BufferIndex b) {
    return {std::min(a, b), std::max(a, b)};
  }

  void indexPairs() {
    for (const Conflict &conflict : problem.conflicts)
      conflicts.insert(ordered(conflict.first, conflict.second));
    for (size_t k = 0; k < problem.overlaps.size(); ++k)
      permits.emplace(
          ordered(problem.overlaps[k].first, problem.overlaps[k].second), k);
  }

  void verifyConflicts() {
    for (const Pair &pair : conflicts)
      if (shareBytes(pair.first, pair.second))
        report(shared(pair.first, pair.second) +
                   " although they are declared to conflict",
               {pair.first, pair.second});
  }

  void verifyCuts() {
    for (BufferIndex i = 0; i < problem.buffers.size(); ++i) {
      auto cut =
          std::upper_bound(problem.cuts.begin(), problem.cuts.end(), offset(i));
      if (cut != problem.cuts.end() && *cut < end(i))
        report("buffer " + place(i) + " crosses the cut at " +
                   std::to_string(*cut),
               {i});
    }
  }

  /// Whether a permitted overlap allows the pair's difference of offsets.
  bool isPermitted(const Pair &pair) const {
    auto [it, last] = permits.equal_range(pair);
    for (; it != last; ++it) {
      const PermittedOverlap &permit = problem.overlaps[it->second];
      // Both offsets are in [0, int64 max], so the difference fits.
      int64_t delta = offset(permit.second) - offset(permit.first);
      if (permit.minDelta <= delta && delta <= permit.maxDelta)
        return true;
    }
    return false;
  }

  void verifyPair(BufferIndex a, BufferIndex b, int64_t time) {
    Pair pair = ordered(a, b);
    // A conflicting pair has its own message.
    if (conflicts.count(pair) || isPermitted(pair) ||
        !reported.insert(pair).second)
      return;
    std::string message = shared(pair.first, pair.second) +
                          " while both are live at time " +
                          std::to_string(time);
    if (permits.count(pair))
      message += ", outside the permitted range of their offsets";
    report(std::move(message), {pair.first, pair.second});
  }

  /// A buffer's start or end; ties by buffer.
  struct Event {
    int64_t time;
    BufferIndex buffer;
    bool operator<(const Event &other) const {
      return time != other.time ? time < other.time : buffer < other.buffer;
    }
  };

  /// Sorts the events; the starts are usually sorted already.
  static void sortEvents(std::vector<Event> &events) {
    if (!std::is_sorted(events.begin(), events.end()))
      std::sort(events.begin(), events.end());
  }

  void sweep() {
    std::vector<Event> starts, ends;
    std::vector<int64_t> offsets;
    starts.reserve(problem.buffers.size());
    ends.reserve(problem.buffers.size());
    offsets.reserve(problem.buffers.size());
    for (BufferIndex i = 0; i < problem.buffers.size(); ++i) {
      if (problem.buffers[i].size == 0)
        continue;
      offsets.push_back(offset(i));
      for (const LiveRange &range : problem.buffers[i].ranges) {
        starts.push_back({range.start, i});
        ends.push_back({range.end, i});
      }
    }
    sortEvents(starts);
    sortEvents(ends);
    Places places(std::move(offsets));
    LiveTree live(places.size(), problem.buffers.size());
    std::vector<uint32_t> rank(problem.buffers.size());
    std::vector<BufferIndex> clashes;
    auto nextEnd = ends.begin();
    for (const Event &start : starts) {
      // Ends come first: ranges are half-open.
      for (; nextEnd->time <= start.time; ++nextEnd)
        live.erase(rank[nextEnd->buffer], nextEnd->buffer,
                   [&](BufferIndex other) { return end(other); });
      if (issues.size() >= maxIssues)
        return;
      BufferIndex i = start.buffer;
      rank[i] = static_cast<uint32_t>(places.rankOf(offset(i)));
      clashes.clear();
      live.collect(places.rankOf(end(i)), offset(i), clashes);
      std::sort(clashes.begin(), clashes.end(),
                [&](BufferIndex a, BufferIndex b) {
                  return offset(a) != offset(b) ? offset(a) < offset(b) : a < b;
                });
      for (BufferIndex other : clashes)
        if (end(other) > offset(i))
          verifyPair(other, i, start.time);
      live.insert(rank[i], i, end(i));
    }
  }

  /// An offset is negative or an end overflows, so the sweep would not be
  /// defined.
  bool unorderable = false;
  std::set<Pair> conflicts;
  std::multimap<Pair, size_t> permits;
  std::set<Pair> reported;
};

} // namespace

std::vector<Issue> memplan::verify(const Problem &problem, const Plan &plan,
                                   size_t maxIssues) {
  return Verifier(problem, plan, maxIssues).run();
}

Plan memplan::acceptVerified(const Problem &problem, Plan plan,
                             std::string_view blame) {
  bool isSolved =
      plan.status == PlanStatus::Optimal || plan.status == PlanStatus::Feasible;
  if (!isSolved && !plan.hasOffsets())
    return plan;
  std::vector<Issue> issues = verify(problem, plan, /*maxIssues=*/1);
  if (issues.empty() && hasFormulas(problem) && !plan.order)
    issues.push_back({"there is no order for sizes that are formulas", {}});
  if (issues.empty())
    return plan;
  Plan refused;
  refused.strategy = std::move(plan.strategy);
  refused.message = std::string(blame) + ": " + issues.front().message;
  return refused;
}
