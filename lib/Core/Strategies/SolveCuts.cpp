//===- SolveCuts.cpp - Problems with cuts ---------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each cut becomes a fence: a buffer that is always live, pinned between the
// bytes on the two sides of the cut. A buffer cannot cross it.
//
//   with cuts   |  0 .. 127  |  128 .. 191  |  192 ..
//   fenced      |  0 .. 127  |F|  192 .. 255  |F|  320 ..
//
// Two plans are compared: that of the fenced problem, and that of the buffers
// above the last cut alone.
//
//===----------------------------------------------------------------------===//

#include "Strategies/SolveCuts.h"

#include "memplan/Core/Bound.h"

#include <algorithm>
#include <utility>

using namespace memplan;
using namespace memplan::detail;

namespace {

class CutSolver {
public:
  CutSolver(const Problem &problem)
      : problem(problem), width(problem.arenaAlignment),
        added(width * static_cast<int64_t>(problem.cuts.size())) {}

  /// The problem with a fence at each cut, behind the other buffers.
  Problem fence() const {
    Problem fenced = problem;
    fenced.cuts.clear();
    if (fenced.capacity)
      *fenced.capacity += added;
    LiveRange always{0, 1};
    for (Buffer &buffer : fenced.buffers) {
      always.start = std::min(always.start, buffer.ranges.front().start);
      always.end = std::max(always.end, buffer.ranges.back().end);
      if (buffer.pinnedOffset)
        *buffer.pinnedOffset += width * countCuts(*buffer.pinnedOffset);
    }
    for (size_t i = 0; i < problem.cuts.size(); ++i) {
      Buffer fence;
      fence.id = "cut at " + std::to_string(problem.cuts[i]);
      fence.size = width;
      fence.ranges = {always};
      fence.pinnedOffset = problem.cuts[i] + width * static_cast<int64_t>(i);
      fenced.buffers.push_back(std::move(fence));
    }
    return fenced;
  }

  /// Makes a plan of the fenced problem one of the problem.
  void removeFences(Plan &plan) const {
    plan.lowerBound = std::max<int64_t>(plan.lowerBound - added, 0);
    plan.message = "with " + std::to_string(added) + " bytes for " +
                   std::to_string(problem.cuts.size()) +
                   " cuts: " + plan.message;
    if (!plan.hasOffsets())
      return;
    plan.offsets.resize(problem.buffers.size());
    for (int64_t &offset : plan.offsets) {
      int64_t below = 0;
      for (int64_t cut : problem.cuts)
        below += cut + below <= offset ? width : 0;
      offset -= below;
    }
    setArena(plan);
  }

  /// Sets the arena of a plan to the greatest end. The fences may end above it.
  void setArena(Plan &plan) const {
    plan.arenaSize = arenaSizeOf(problem, plan.offsets);
    plan.lowerBound = std::min(plan.lowerBound, plan.arenaSize);
  }

  /// The buffers that are not pinned below the last cut, as a problem of their
  /// own. `kept` gets their numbers.
  Problem takeRest(std::vector<BufferIndex> &kept) const {
    auto isBelow = [&](const Buffer &buffer) {
      return buffer.pinnedOffset && *buffer.pinnedOffset < problem.cuts.back();
    };
    for (BufferIndex i = 0; i < problem.buffers.size(); ++i)
      if (!isBelow(problem.buffers[i]))
        kept.push_back(i);
    Problem rest = selectBuffers(problem, kept);
    for (Buffer &buffer : rest.buffers)
      if (buffer.pinnedOffset)
        *buffer.pinnedOffset -= problem.cuts.back();
    return rest;
  }

  /// The plan in which only pinned buffers are below the last cut.
  Plan placeAbove(const Plan &rest,
                  const std::vector<BufferIndex> &kept) const {
    Plan plan = rest;
    plan.offsets.assign(problem.buffers.size(), 0);
    for (BufferIndex i = 0; i < problem.buffers.size(); ++i)
      plan.offsets[i] = problem.buffers[i].pinnedOffset.value_or(0);
    for (size_t i = 0; i < kept.size(); ++i)
      plan.offsets[kept[i]] = problem.cuts.back() + rest.offsets[i];
    setArena(plan);
    return plan;
  }

private:
  int64_t countCuts(int64_t offset) const {
    return std::upper_bound(problem.cuts.begin(), problem.cuts.end(), offset) -
           problem.cuts.begin();
  }

  const Problem &problem;
  /// In bytes: the size of a fence, and of all fences.
  int64_t width;
  int64_t added;
};

/// The next lower effort.
Effort lower(Effort effort) {
  return effort == Effort::High ? Effort::Normal : Effort::Low;
}

} // namespace

Plan memplan::detail::solveCuts(
    const Problem &problem, const SolveOptions &options,
    const std::function<Plan(const Problem &, const SolveOptions &)> &solve) {
  CutSolver cuts(problem);
  // The bound does not know the cuts, so most searches reach it only by luck
  // and use up their nodes.
  SolveOptions own = options;
  own.effort = lower(options.effort);
  Plan plan = solve(cuts.fence(), own);
  cuts.removeFences(plan);
  // The bound without cuts counts the bytes between pins better.
  Problem open = problem;
  open.cuts.clear();
  plan.lowerBound = std::max(plan.lowerBound, lowerBound(open));
  std::vector<BufferIndex> kept;
  Problem rest = cuts.takeRest(kept);
  // The weights of soft conflicts come before the size of the arena.
  if (plan.hasOffsets() && problem.softConflicts.empty() && !kept.empty() &&
      plan.arenaSize > problem.cuts.back() + lowerBound(rest)) {
    Plan above = solve(rest, options);
    plan.nodes += above.nodes;
    if (above.hasOffsets())
      above = cuts.placeAbove(above, kept);
    if (above.hasOffsets() && above.arenaSize < plan.arenaSize) {
      plan.offsets = std::move(above.offsets);
      plan.arenaSize = above.arenaSize;
      plan.strategy = above.strategy;
      plan.message =
          "nothing below the last cut is better; above it: " + above.message;
    }
  }
  if (!plan.hasOffsets())
    return plan;
  if (problem.capacity && plan.arenaSize > *problem.capacity)
    plan.status = PlanStatus::Limit;
  else if (plan.arenaSize == plan.lowerBound)
    plan.status = PlanStatus::Optimal;
  else if (plan.status != PlanStatus::Limit ||
           options.strategy != Strategy::Exact)
    plan.status = PlanStatus::Feasible;
  return plan;
}
