//===- SharingTest.cpp - Tests of plans where sharing costs ---------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Generators.h"
#include "ProblemBuilder.h"
#include "Reference.h"

using namespace memplan;
using namespace memplan::bench;
using namespace memplan::test;

namespace {

SolveOptions exactOptions() {
  SolveOptions options;
  options.strategy = Strategy::Exact;
  return options;
}

// Penalty and arena of `exact` equal the least ones by enumeration, for every
// feature of a problem and capacities around the least arena. Only permitted
// overlaps leave the proof open.
TEST(SharingTest, ExactEqualsExhaustiveSearch) {
  int compared = 0, proven = 0;
  for (uint64_t seed = 0; seed < 1500; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomOptions random;
    random.maxBuffers = seed % 3 == 0 ? 6 : 5;
    random.maxSize = 4;
    random.maxTime = 8;
    random.pins = seed % 4 == 0;
    random.overlaps = seed % 5 == 0;
    random.sharing = true;
    Problem problem = randomProblem(seed, random);
    problem.capacity = 4 + static_cast<int64_t>(seed % 9);
    auto expected = exhaustiveSharing(problem, *problem.capacity);
    SolveOptions options = exactOptions();
    options.nodeLimit = 200000;
    Plan plan = solveVerified(problem, options);
    if (!problem.overlaps.empty()) {
      // A plan that is found is correct, and no bound is too high.
      if (expected) {
        EXPECT_NE(plan.status, PlanStatus::Infeasible) << plan.message;
        EXPECT_LE(plan.penaltyBound, expected->first);
        if (plan.status != PlanStatus::Limit)
          EXPECT_GE(plan.penalty, expected->first);
      }
      continue;
    }
    ++compared;
    if (!expected) {
      EXPECT_EQ(plan.status, PlanStatus::Infeasible) << plan.message;
      continue;
    }
    ++proven;
    ASSERT_EQ(plan.status, PlanStatus::Optimal) << plan.message;
    EXPECT_EQ(plan.penalty, expected->first) << plan.message;
    EXPECT_EQ(plan.arenaSize, expected->second) << plan.message;
  }
  EXPECT_GT(compared, 1000);
  EXPECT_GT(proven, 500);
}

} // namespace
