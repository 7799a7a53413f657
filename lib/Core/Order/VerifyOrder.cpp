//===- VerifyOrder.cpp - Verification of orders ---------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Proves that an order is correct whatever the sizes are: of any two buffers
// that must not share a byte, one is reached from the other by `above`, or both
// have constant offsets and share none, or one begins above the constant end of
// the other. No formula is evaluated.
//
// The numbers of places are a topological order of `above`, which is
// transitive. So of all places that are live at once, each two are apart if
// each one reaches the one with the next smaller number, and if the first
// begins above the greatest constant end. That takes O(n log n) steps for n
// live ranges, where the pairs may be O(n^2); these are visited only to name
// those that are not apart.
//
//===----------------------------------------------------------------------===//

#include "Model/ProblemTypes.h"
#include "memplan/Core/CheckedMath.h"
#include "memplan/Core/Order.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

using namespace memplan;
using namespace memplan::detail;

namespace {

class OrderVerifier : IssueCollector {
public:
  OrderVerifier(const Problem &problem, const PlaceOrder &order,
                size_t maxIssues)
      : IssueCollector(maxIssues), problem(problem), order(order) {}

  std::vector<Issue> run() {
    verifyMembers();
    if (!issues.empty())
      return std::move(issues);
    for (unsigned i = 0; i < order.places.size(); ++i)
      verifyPlace(i);
    if (!issues.empty())
      return std::move(issues);
    verifyConstantPlaces();
    from = findGreatestFrom();
    for (const PermittedOverlap &overlap : problem.overlaps)
      if (overlap.minDelta <= 0 && overlap.maxDelta >= 0)
        permitted.emplace_back(std::minmax(overlap.first, overlap.second));
    std::sort(permitted.begin(), permitted.end());
    for (const Conflict &conflict : problem.conflicts)
      verifyApart(conflict.first, conflict.second, "are in conflict");
    sweep();
    return std::move(issues);
  }

private:
  std::string name(BufferIndex b) const {
    return "'" + problem.buffers[b].id + "'";
  }
  const Place &placeOf(BufferIndex b) const {
    return order.places[order.placeOf[b]];
  }

  void verifyMembers() {
    if (order.placeOf.size() != problem.buffers.size())
      return report("the order has " + std::to_string(order.placeOf.size()) +
                    " buffers and the problem has " +
                    std::to_string(problem.buffers.size()));
    size_t members = 0;
    for (unsigned i = 0; i < order.places.size(); ++i)
      for (BufferIndex b : order.places[i].members) {
        ++members;
        if (b >= order.placeOf.size() || order.placeOf[b] != i)
          return report("place " + std::to_string(i) +
                        " has a buffer that is not in it");
      }
    if (members != problem.buffers.size())
      report("the places have " + std::to_string(members) +
             " buffers and the " + "problem has " +
             std::to_string(problem.buffers.size()));
    for (unsigned i = 0; i < order.places.size(); ++i)
      if (order.places[i].members.empty())
        report("place " + std::to_string(i) + " has no buffer");
  }

  void verifyPlace(unsigned i) {
    const Place &place = order.places[i];
    BufferIndex first = place.members.front();
    for (BufferIndex b : place.members) {
      const Buffer &buffer = problem.buffers[b],
                   &other = problem.buffers[first];
      if (buffer.formula != other.formula ||
          (!buffer.formula && buffer.size != other.size))
        report("buffers " + name(first) + " and " + name(b) +
                   " are in one place but differ in size",
               {first, b});
      if (!isPowerOfTwo(place.alignment) ||
          place.alignment % buffer.alignment != 0)
        report("buffer " + name(b) + " has the alignment " +
                   std::to_string(buffer.alignment) + " but its place has " +
                   std::to_string(place.alignment),
               {b});
      if (buffer.pinnedOffset && place.offset != buffer.pinnedOffset)
        report("buffer " + name(b) + " is pinned at offset " +
                   std::to_string(*buffer.pinnedOffset) + " but is not there",
               {b});
      if (place.offset && buffer.formula)
        report("buffer " + name(b) +
                   " has a constant place but no constant "
                   "size",
               {b});
    }
    if (place.offset && (!place.above.empty() || *place.offset < 0 ||
                         *place.offset % place.alignment != 0))
      report("buffer " + name(first) + " has no proper constant offset",
             {first});
    if (place.from < 0)
      report("buffer " + name(first) + " begins at a negative offset", {first});
    for (unsigned lower : place.above)
      if (lower >= i || order.places[lower].offset)
        report("buffer " + name(first) + " lies above place " +
                   std::to_string(lower) +
                   ", which does not come before it or is constant",
               {first});
  }

  /// The constant places are a plan with numbers.
  void verifyConstantPlaces() {
    Problem constants;
    Plan plan;
    plan.status = PlanStatus::Limit;
    constants.arenaAlignment = problem.arenaAlignment;
    std::vector<BufferIndex> numbers(problem.buffers.size(), UINT32_MAX);
    std::vector<BufferIndex> buffers;
    for (BufferIndex b = 0; b < problem.buffers.size(); ++b)
      if (placeOf(b).offset) {
        numbers[b] = BufferIndex(buffers.size());
        buffers.push_back(b);
        constants.buffers.push_back(problem.buffers[b]);
        plan.offsets.push_back(*placeOf(b).offset);
        plan.arenaSize = std::max(plan.arenaSize, plan.offsets.back() +
                                                      problem.buffers[b].size);
      }
    auto isConstant = [&](const auto &pair) {
      return numbers[pair.first] != UINT32_MAX &&
             numbers[pair.second] != UINT32_MAX;
    };
    for (const Conflict &pair : problem.conflicts)
      if (isConstant(pair))
        constants.conflicts.push_back(
            {numbers[pair.first], numbers[pair.second]});
    for (const PermittedOverlap &pair : problem.overlaps)
      if (isConstant(pair))
        constants.overlaps.push_back({numbers[pair.first], numbers[pair.second],
                                      pair.minDelta, pair.maxDelta});
    for (Issue &issue : verify(constants, plan, maxIssues)) {
      for (BufferIndex &b : issue.buffers)
        b = buffers[b];
      report(std::move(issue.message), std::move(issue.buffers));
    }
  }

  /// For each place the greatest `from` of it and of all that it lies above.
  std::vector<int64_t> findGreatestFrom() const {
    std::vector<int64_t> greatest;
    for (const Place &place : order.places) {
      greatest.push_back(place.from);
      for (unsigned lower : place.above)
        greatest.back() = std::max(greatest.back(), greatest[lower]);
    }
    return greatest;
  }

  /// True if `above` leads from one place to another one.
  bool reaches(unsigned upper, unsigned lower) {
    const std::vector<unsigned> &next = order.places[upper].above;
    if (std::find(next.begin(), next.end(), lower) != next.end())
      return true;
    if (upper < lower)
      return false;
    reached.resize(order.places.size());
    std::vector<bool> &own = reached[upper];
    if (!own.empty())
      return own[lower];
    own.resize(order.places.size());
    own[upper] = true;
    // Lower numbers, so this ends; a stack, as chains may be long.
    std::vector<unsigned> stack = next;
    while (!stack.empty()) {
      unsigned place = stack.back();
      stack.pop_back();
      if (own[place])
        continue;
      own[place] = true;
      const std::vector<unsigned> &more = order.places[place].above;
      stack.insert(stack.end(), more.begin(), more.end());
    }
    return own[lower];
  }

  /// True if the place begins above the end of the other at all sizes.
  bool liesAbove(unsigned upper, unsigned lower) {
    if (order.places[upper].offset)
      return false;
    return order.places[lower].offset ? endOf(lower) <= from[upper]
                                      : reaches(upper, lower);
  }

  /// The end of a constant place.
  int64_t endOf(unsigned place) const {
    const Place &constant = order.places[place];
    return *constant.offset + problem.buffers[constant.members.front()].size;
  }

  /// True if the two buffers of one place may be there at once.
  bool isPermitted(BufferIndex a, BufferIndex b) const {
    return std::binary_search(
        permitted.begin(), permitted.end(),
        std::pair<BufferIndex, BufferIndex>(std::minmax(a, b)));
  }

  void verifyApart(BufferIndex a, BufferIndex b, const std::string &why) {
    unsigned x = order.placeOf[a], y = order.placeOf[b];
    if ((order.places[x].offset && order.places[y].offset) || isEmpty(a) ||
        isEmpty(b) || (x != y && (liesAbove(x, y) || liesAbove(y, x))))
      return;
    report("buffers " + name(a) + " and " + name(b) + " " + why +
               ", and neither lies above the other",
           {a, b});
  }

  bool isEmpty(BufferIndex b) const {
    return !problem.buffers[b].formula && problem.buffers[b].size == 0;
  }

  /// (time, is start, buffer), sorted.
  using Events = std::vector<std::tuple<int64_t, bool, BufferIndex>>;

  Events findEvents() const {
    Events events;
    for (BufferIndex b = 0; b < problem.buffers.size(); ++b)
      for (const LiveRange &range : problem.buffers[b].ranges) {
        events.emplace_back(range.start, true, b);
        events.emplace_back(range.end, false, b);
      }
    std::sort(events.begin(), events.end());
    return events;
  }

  /// True if at each time the live places are apart, except for those with
  /// constant offsets both.
  bool areApart(const Events &events) {
    // The live buffers of each place that has no constant offset, and the ends
    // of those that have one.
    std::map<unsigned, std::set<BufferIndex>> live;
    std::multiset<int64_t> ends;
    std::vector<bool> isLive(problem.buffers.size());
    for (auto [time, isStart, b] : events) {
      unsigned place = order.placeOf[b];
      bool isConstant = order.places[place].offset.has_value();
      if (isEmpty(b) || isLive[b] == isStart)
        continue;
      isLive[b] = isStart;
      if (!isStart) {
        if (isConstant)
          ends.erase(ends.find(endOf(place)));
        else if (auto it = live.find(place);
                 it->second.erase(b) && it->second.empty())
          live.erase(it);
        continue;
      }
      if (isConstant) {
        ends.insert(endOf(place));
      } else {
        auto [it, isNew] = live.try_emplace(place);
        for (BufferIndex other : it->second)
          if (!isPermitted(b, other))
            return false;
        it->second.insert(b);
        if (!isNew)
          continue;
        if (it != live.begin() && !reaches(place, std::prev(it)->first))
          return false;
        if (auto next = std::next(it);
            next != live.end() && !reaches(next->first, place))
          return false;
      }
      // What the others lie above is below them, too.
      if (!live.empty() && !ends.empty() &&
          *ends.rbegin() > from[live.begin()->first])
        return false;
    }
    return true;
  }

  void sweep() {
    Events events = findEvents();
    if (areApart(events))
      return;
    std::set<BufferIndex> live;
    std::set<std::pair<BufferIndex, BufferIndex>> known;
    for (auto [time, isStart, b] : events) {
      if (!isStart) {
        live.erase(b);
        continue;
      }
      for (BufferIndex other : live)
        if (other != b && known.insert(std::minmax(b, other)).second &&
            !(order.placeOf[b] == order.placeOf[other] &&
              isPermitted(b, other)))
          verifyApart(b, other,
                      "are live together at time " + std::to_string(time));
      live.insert(b);
    }
  }

  const Problem &problem;
  const PlaceOrder &order;
  /// The result of findGreatestFrom.
  std::vector<int64_t> from;
  /// For each place that was asked for, those that it lies above.
  std::vector<std::vector<bool>> reached;
  /// Sorted pairs of buffers that may be in one place at once.
  std::vector<std::pair<BufferIndex, BufferIndex>> permitted;
};

} // namespace

std::vector<Issue> memplan::verifyOrder(const Problem &problem,
                                        const PlaceOrder &order,
                                        size_t maxIssues) {
  return OrderVerifier(problem, order, maxIssues).run();
}
