//===- Rows.cpp - Rows of accesses, and their cheapest steps --------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Spaces/Rows.h"

#include "memplan/Core/CheckedMath.h"

#include <algorithm>
#include <array>
#include <numeric>

using namespace memplan;
using namespace memplan::detail;

RowModel::RowModel(const SpaceProblem &problem) {
  const SpaceCosts &costs = problem.costs;
  int64_t unit = problem.arenaAlignment;
  for (const SpaceBuffer &buffer : problem.buffers)
    unit = std::min(unit, buffer.alignment);
  capacity = alignTo(problem.capacity, unit);
  // In halves of the given times: an op that may write over what it reads,
  // reads in all but the last half of its span, and writes in the last one.
  std::vector<std::vector<LiveRange>> spans;
  for (const SpaceBuffer &buffer : problem.buffers) {
    spans.emplace_back();
    for (const SpaceAccess &access : buffer.accesses)
      spans.back().push_back({2 * access.span.start, 2 * access.span.end});
  }
  for (const SpaceInPlace &pair : problem.inPlace) {
    LiveRange &read = spans[pair.read][pair.readAccess];
    LiveRange &written = spans[pair.written][pair.writtenAccess];
    int64_t last =
        2 * problem.buffers[pair.read].accesses[pair.readAccess].span.end - 1;
    read.end = last;
    written.start = last;
  }
  std::vector<int64_t> times;
  for (const std::vector<LiveRange> &row : spans)
    for (const LiveRange &span : row) {
      times.push_back(span.start);
      times.push_back(span.end);
    }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  auto find = [&](int64_t time) {
    return static_cast<unsigned>(
        std::lower_bound(times.begin(), times.end(), time) - times.begin());
  };
  numSections = times.empty() ? 0 : static_cast<unsigned>(times.size() - 1);
  int64_t divisor = 0;
  auto note = [&](int64_t cost) {
    divisor = std::gcd(divisor, cost);
    return cost;
  };
  for (size_t b = 0; b < problem.buffers.size(); ++b) {
    const SpaceBuffer &buffer = problem.buffers[b];
    Row row;
    row.size = alignTo(buffer.size, unit);
    row.copyIn = note(costs.copyIn * buffer.size * buffer.times);
    row.copyOut = note(costs.copyOut * buffer.size * buffer.times);
    row.beginsSlow = buffer.beginsSlow;
    row.endsSlow = buffer.endsSlow;
    for (size_t k = 0; k < buffer.accesses.size(); ++k) {
      const SpaceAccess &access = buffer.accesses[k];
      Row::Access own;
      own.span = {find(spans[b][k].start), find(spans[b][k].end)};
      bool isFast = access.inFast && buffer.size <= problem.capacity;
      isPossible &= isFast || access.inSlow;
      own.fastCost = isFast ? note(costs.fastRead * access.bytesRead +
                                   costs.fastWrite * access.bytesWritten)
                            : kNever;
      own.slowCost = access.inSlow ? note(costs.slowRead * access.bytesRead +
                                          costs.slowWrite * access.bytesWritten)
                                   : kNever;
      own.needsContents = access.needsContents;
      own.writes = access.writes;
      row.accesses.push_back(own);
    }
    numCells += row.accesses.back().span.end - row.accesses.front().span.begin;
    rows.push_back(std::move(row));
  }
  costUnit = std::max<int64_t>(divisor, 1);
}

namespace {
/// The memories that have the contents.
enum State : uint8_t { Slow, Fast, Both, Nothing };
constexpr size_t kNumStates = 4;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// How a state behind an access was reached.
struct Way {
  State from = Nothing;
  SpaceStep step;
  /// A copy out after the access before.
  bool copyOutBefore = false;
};
} // namespace

double detail::findCheapest(const Row &row, const Prices &prices,
                            const Decision *decisions, Steps &steps) {
  auto hold = [&](Sections sections) {
    if (row.size == 0 || sections.begin == sections.end)
      return 0.0;
    if (prices.closed[sections.end] != prices.closed[sections.begin])
      return kInfinity;
    return static_cast<double>(row.size) *
           (prices.price[sections.end] - prices.price[sections.begin]);
  };
  std::array<double, kNumStates> cost;
  cost.fill(kInfinity);
  cost[row.beginsSlow ? Slow : Nothing] = 0;
  thread_local std::vector<std::array<Way, kNumStates>> ways;
  ways.resize(std::max(ways.size(), row.accesses.size()));
  auto add = [](double a, int64_t b) {
    return b == kNever ? kInfinity : a + static_cast<double>(b);
  };
  for (size_t k = 0; k < row.accesses.size(); ++k) {
    const Row::Access &access = row.accesses[k];
    std::array<double, kNumStates> next;
    next.fill(kInfinity);
    Decision decision = decisions ? decisions[k] : Decision();
    auto reach = [&](State from, State to, double total, SpaceStep step,
                     bool copyOutBefore) {
      if (total >= next[to] ||
          (decision.held != Choice::Free &&
           step.held != (decision.held == Choice::Yes)) ||
          (decision.kept != Choice::Free &&
           step.kept != (decision.kept == Choice::Yes)))
        return;
      next[to] = total;
      ways[k][to] = {from, step, copyOutBefore};
    };
    double span = hold(access.span);
    double gap = k == 0 || !access.needsContents
                     ? kInfinity
                     : hold({row.accesses[k - 1].span.end, access.span.begin});
    for (State from : {Slow, Fast, Both, Nothing}) {
      double before = cost[from];
      if (before == kInfinity)
        continue;
      if (!access.needsContents) {
        reach(from, Fast, add(before + span, access.fastCost),
              {true, true, false, false, false}, false);
        reach(from, Slow, add(before, access.slowCost), {}, false);
        continue;
      }
      if (from == Fast || from == Both) {
        double kept = before + gap + span;
        reach(from, from == Fast || access.writes ? Fast : Both,
              add(kept, access.fastCost), {true, true, true, false, false},
              false);
        if (!access.writes)
          reach(from, Both,
                add(from == Fast ? add(kept, row.copyOut) : kept,
                    access.slowCost),
                {false, true, true, false, false}, from == Fast);
      }
      double slow = from == Fast ? add(before, row.copyOut) : before;
      reach(from, Slow, add(slow, access.slowCost), {}, from == Fast);
      reach(from, access.writes ? Fast : Both,
            add(add(slow, row.copyIn) + span, access.fastCost),
            {true, true, false, true, false}, from == Fast);
    }
    cost = next;
  }
  if (row.endsSlow)
    cost[Fast] = add(cost[Fast], row.copyOut);
  State state = Slow;
  for (State other : {Fast, Both})
    if (cost[other] < cost[state])
      state = other;
  double total = cost[state];
  if (total == kInfinity)
    return total;
  steps.assign(row.accesses.size(), SpaceStep());
  bool copyOut = row.endsSlow && state == Fast;
  for (size_t k = row.accesses.size(); k-- > 0;) {
    const Way &way = ways[k][state];
    steps[k] = way.step;
    steps[k].copyOut = copyOut;
    copyOut = way.copyOutBefore;
    state = way.from;
  }
  return total;
}

int64_t detail::getCost(const Row &row, const Steps &steps) {
  int64_t cost = 0;
  for (size_t k = 0; k < steps.size(); ++k)
    cost +=
        (steps[k].fast ? row.accesses[k].fastCost : row.accesses[k].slowCost) +
        (steps[k].copyIn ? row.copyIn : 0) +
        (steps[k].copyOut ? row.copyOut : 0);
  return cost;
}
