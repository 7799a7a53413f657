//===- PeakSearchTest.cpp - Search that places the peaks first ------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plans and bounds of peak search, on small problems against exhaustive search
// and on large ones that no greedy order solves.
//
//===----------------------------------------------------------------------===//

#include "Search/PeakSearch.h"

#include "ProblemBuilder.h"
#include "Reference.h"
#include "Strategies/Greedy.h"

using namespace memplan;
using namespace memplan::detail;
using namespace memplan::test;

namespace {

/// Runs peak search from the best of the likely greedy orders. Expects a
/// correct plan that is not higher than that order's.
Standing searchFrom(const Problem &problem, int64_t goal, int64_t nodeLimit) {
  Model model(problem);
  GreedyResult greedy;
  runLikelyOrders(model, goal, Deadline(), greedy);
  Standing standing;
  standing.best = greedy.best;
  standing.bound = memplan::lowerBound(problem);
  SolveOptions options;
  SearchControl control(options, nodeLimit);
  searchPeaks(model, goal, standing, control);
  EXPECT_LE(standing.best.height, greedy.best.height);
  Plan plan;
  plan.status = PlanStatus::Feasible;
  plan.offsets = standing.best.offsets;
  plan.arenaSize = standing.best.height;
  plan.lowerBound = memplan::lowerBound(problem);
  EXPECT_EQ(text(verify(problem, plan)), "");
  return standing;
}

} // namespace

TEST(PeakSearch, NoBoundAboveTheOptimum) {
  unsigned raised = 0, lowered = 0;
  for (uint64_t seed = 0; seed < 1500; ++seed) {
    RandomOptions random;
    random.maxBuffers = 7;
    random.pins = seed % 4 == 0;
    random.conflicts = random.overlaps = seed % 3 == 0;
    Problem problem = randomProblem(seed, random);
    std::optional<int64_t> optimum = exhaustiveOptimum(problem, 24);
    if (!optimum)
      continue;
    int64_t bound = lowerBound(problem);
    Standing standing = searchFrom(problem, bound, /*nodeLimit=*/2000);
    ASSERT_LE(standing.bound, *optimum) << "seed " << seed;
    ASSERT_GE(standing.best.height, *optimum) << "seed " << seed;
    raised += standing.bound > bound;
    lowered += standing.best.height == bound;
  }
  // Some searches raise the bound and others find a plan that meets it.
  EXPECT_GT(raised, 3u);
  EXPECT_GT(lowered, 300u);
}

TEST(PeakSearch, MeetsTheBoundWhereOrdersMissIt) {
  unsigned missed = 0, met = 0;
  for (uint64_t seed = 0; seed < 12; ++seed) {
    Problem problem = fewSizes(seed, 5000, 40);
    GreedyResult greedy;
    int64_t bound = lowerBound(problem);
    runLikelyOrders(Model(problem), bound, Deadline(), greedy);
    if (greedy.best.height == bound)
      continue;
    ++missed;
    met +=
        searchFrom(problem, bound, /*nodeLimit=*/100000).best.height == bound;
  }
  EXPECT_GT(missed, 5u);
  EXPECT_GE(met + 1, missed);
}
