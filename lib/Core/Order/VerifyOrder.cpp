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
//===----------------------------------------------------------------------===//

#include "memplan/Core/CheckedMath.h"
#include "memplan/Core/Order.h"

#include <algorithm>
#include <set>
#include <tuple>

using namespace memplan;

namespace {

class OrderVerifier {
public:
  OrderVerifier(const Problem &problem, const PlaceOrder &order,
                size_t maxIssues)
      : problem(problem), order(order), maxIssues(maxIssues) {}

  std::vector<Issue> run() {
    verifyMembers();
    if (!issues.empty())
      return std::move(issues);
    for (unsigned i = 0; i < order.places.size(); ++i)
      verifyPlace(i);
    if (!issues.empty())
      return std::move(issues);
    verifyConstantPlaces();
    for (const Conflict &conflict : problem.conflicts)
      verifyApart(conflict.first, conflict.second, "are in conflict");
    sweep();
    return std::move(issues);
  }

private:
  void report(std::string message, std::vector<BufferIndex> buffers = {}) {
    if (issues.size() < maxIssues)
      issues.push_back({std::move(message), std::move(buffers)});
  }

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

  /// All places that the place lies above, itself included.
  const std::vector<bool> &reachedFrom(unsigned place) {
    if (reached.empty()) {
      reached.resize(order.places.size());
      from.resize(order.places.size());
    }
    std::vector<bool> &own = reached[place];
    if (!own.empty())
      return own;
    own.resize(order.places.size());
    own[place] = true;
    from[place] = order.places[place].from;
    // Lower numbers, so this ends; a stack, as chains may be long.
    std::vector<unsigned> stack = order.places[place].above;
    while (!stack.empty()) {
      unsigned next = stack.back();
      stack.pop_back();
      if (own[next])
        continue;
      own[next] = true;
      from[place] = std::max(from[place], order.places[next].from);
      const std::vector<unsigned> &more = order.places[next].above;
      stack.insert(stack.end(), more.begin(), more.end());
    }
    return own;
  }

  /// True if the place begins above the end of the other at all sizes.
  bool liesAbove(unsigned upper, unsigned lower) {
    if (order.places[upper].offset)
      return false;
    const std::vector<bool> &all = reachedFrom(upper);
    const Place &other = order.places[lower];
    return other.offset
               ? *other.offset + problem.buffers[other.members.front()].size <=
                     from[upper]
               : all[lower];
  }

  bool isPermitted(BufferIndex a, BufferIndex b) const {
    bool isFound = false;
    for (const PermittedOverlap &overlap : problem.overlaps)
      if ((overlap.first == a && overlap.second == b) ||
          (overlap.first == b && overlap.second == a))
        isFound |= overlap.minDelta <= 0 && overlap.maxDelta >= 0;
    return isFound;
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

  void sweep() {
    std::vector<std::tuple<int64_t, bool, BufferIndex>> events;
    for (BufferIndex b = 0; b < problem.buffers.size(); ++b)
      for (const LiveRange &range : problem.buffers[b].ranges) {
        events.emplace_back(range.start, true, b);
        events.emplace_back(range.end, false, b);
      }
    std::sort(events.begin(), events.end());
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
  size_t maxIssues;
  std::vector<Issue> issues;
  /// For each place, those that it lies above, and the greatest `from` of them.
  std::vector<std::vector<bool>> reached;
  std::vector<int64_t> from;
};

} // namespace

std::vector<Issue> memplan::verifyOrder(const Problem &problem,
                                        const PlaceOrder &order,
                                        size_t maxIssues) {
  return OrderVerifier(problem, order, maxIssues).run();
}
