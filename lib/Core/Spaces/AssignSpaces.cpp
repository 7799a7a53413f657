//===- AssignSpaces.cpp - Assignments of least cost -----------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Spaces/Multipliers.h"
#include "Spaces/SpaceSearch.h"

#include <algorithm>

using namespace memplan;
using namespace memplan::detail;

namespace {
/// The best placed assignment so far.
class Best {
public:
  Best(const SpaceProblem &problem, const RowModel &model)
      : search(problem, model) {}

  /// Improves the steps, and places them if that may be worth it.
  void tryFrom(const std::vector<Steps> &steps) {
    search.start(steps);
    if (!search.relieve())
      return;
    search.fill();
    search.exchange();
    if (assignment.hasSteps() && search.getCost() >= assignment.cost)
      return;
    if (!search.place())
      return;
    search.fillPlaced();
    take(search.getAssignment());
  }

  void take(SpaceAssignment other) {
    if (other.hasSteps() &&
        (!assignment.hasSteps() || other.cost < assignment.cost))
      assignment = std::move(other);
  }

  SpaceSearch search;
  SpaceAssignment assignment;
};
} // namespace

SpaceAssignment memplan::assignSpaces(const SpaceProblem &problem,
                                      const SpaceOptions &options) {
  SpaceAssignment invalid;
  std::vector<Issue> issues = check(problem, 1);
  if (!issues.empty()) {
    invalid.message = issues.front().message;
    return invalid;
  }
  RowModel model(problem);
  auto doesNotFit = [&](PlanStatus status) {
    SpaceAssignment none;
    none.status = status;
    none.message = "buffers that must be in the fast memory do not fit into "
                   "its " +
                   std::to_string(problem.capacity) + " bytes";
    return none;
  };
  if (!model.isPossible)
    return doesNotFit(PlanStatus::Infeasible);
  Best best(problem, model);
  // Each step of the search visits all sections of the buffers.
  constexpr int64_t kMostCells = 200000000;
  bool isTooLarge = model.numCells > kMostCells;
  if (!isTooLarge)
    best.tryFrom(best.search.getCheapest());
  SpaceAssignment slow = everythingSlow(problem);
  if (!isTooLarge)
    best.tryFrom(slow.steps);
  // Of equal costs the search has fewer copies.
  best.take(farthestLastUse(problem));
  if (best.assignment.hasSteps() && !isTooLarge)
    best.tryFrom(best.assignment.steps);

  Multipliers multipliers(model);
  auto getTarget = [&] {
    return best.assignment.hasSteps() ? best.assignment.cost : slow.cost;
  };
  std::vector<Steps> relaxed;
  auto keep = [&](const std::vector<Steps> &steps) { relaxed = steps; };
  int64_t bound = 0;
  // The multipliers aim at the cost of the best assignment, which the relaxed
  // steps may improve.
  constexpr int kParts = 8;
  for (int part = 0; part < kParts; ++part) {
    int64_t partBound =
        multipliers.improve(options.rounds / kParts, getTarget(), {}, keep);
    if (partBound == kNever)
      break;
    bound = std::max(bound, partBound);
    if (!isTooLarge)
      best.tryFrom(relaxed);
    if (best.assignment.hasSteps() && bound >= best.assignment.cost)
      break;
  }
  size_t numAccesses = 0;
  for (const SpaceBuffer &buffer : problem.buffers)
    numAccesses += buffer.accesses.size();
  bool isExact = best.assignment.hasSteps() && bound >= best.assignment.cost;
  if (!isExact && options.nodeLimit > 0 && numAccesses <= options.exactAccesses)
    isExact = searchExactly(problem, model, multipliers, options.nodeLimit,
                            best.assignment);
  SpaceAssignment &result = best.assignment;
  if (!result.hasSteps())
    return doesNotFit(isExact ? PlanStatus::Infeasible : PlanStatus::Limit);
  result.lowerBound = isExact ? result.cost : bound;
  result.status = isExact ? PlanStatus::Optimal : PlanStatus::Feasible;
  if (isTooLarge)
    result.message = "too many buffers are live together for a search: by "
                     "farthest last use";
  issues = verify(problem, result, 1);
  if (!issues.empty()) {
    invalid.message = "the assignment is wrong: " + issues.front().message;
    return invalid;
  }
  return std::move(result);
}
