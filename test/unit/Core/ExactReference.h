//===- ExactReference.h - Exact plans against brute force -------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TEST_UNIT_CORE_EXACTREFERENCE_H
#define MEMPLAN_TEST_UNIT_CORE_EXACTREFERENCE_H

#include "ProblemBuilder.h"
#include "Reference.h"

namespace memplan::test {

/// Compares the arena size and the status Infeasible of `exact` with exhaustive
/// search. Returns false if the optimum is too large to enumerate.
inline bool compareWithExhaustive(const Problem &given) {
  Problem problem = given;
  std::optional<int64_t> optimum = exhaustiveOptimum(problem, 24);
  SolveOptions options;
  options.strategy = Strategy::Exact;
  options.nodeLimit = 1000000;
  Plan plan = solveVerified(problem, options);
  if (!optimum) {
    // Either above the limit or the pins contradict each other.
    EXPECT_TRUE(plan.status == PlanStatus::Infeasible || plan.arenaSize > 24);
    return false;
  }
  EXPECT_EQ(plan.status, PlanStatus::Optimal) << plan.message;
  EXPECT_EQ(plan.arenaSize, *optimum);
  for (int64_t capacity : {*optimum - 1, *optimum, *optimum + 1}) {
    if (capacity < 0)
      continue;
    problem.capacity = capacity;
    Plan decided = solveVerified(problem, options);
    EXPECT_EQ(decided.status == PlanStatus::Infeasible, capacity < *optimum)
        << "capacity " << capacity << ": " << decided.message;
    EXPECT_NE(decided.status, PlanStatus::Limit) << decided.message;
  }
  return true;
}

/// The same for the random problem of the seed. Problems of odd seeds have only
/// the features that the tree search supports, so that both searches are
/// tested.
inline bool compareWithExhaustive(uint64_t seed) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  RandomOptions options;
  options.maxBuffers = 7;
  options.maxSize = 5;
  options.overlaps = seed % 2 == 0;
  options.pins = seed % 3 == 0;
  options.maxTime = seed % 5 == 0 ? 6 : 12;
  return compareWithExhaustive(randomProblem(seed, options));
}

} // namespace memplan::test

#endif // MEMPLAN_TEST_UNIT_CORE_EXACTREFERENCE_H
