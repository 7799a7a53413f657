//===- SweepSearchTest.cpp - Search from the peak outwards ----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plans of sweep search, on small problems against exhaustive search and on
// large ones that no greedy order solves.
//
//===----------------------------------------------------------------------===//

#include "Sweeps/SweepSearch.h"

#include "ProblemBuilder.h"
#include "Reference.h"
#include "Strategies/Greedy.h"

using namespace memplan;
using namespace memplan::detail;
using namespace memplan::test;

namespace {

/// The best placement by the likely greedy orders.
Placement greedyOf(const Model &model, int64_t goal) {
  GreedyResult greedy;
  runLikelyOrders(model, goal, Deadline(), greedy);
  return greedy.best;
}

/// Runs sweep search from the best greedy order. Expects a correct plan that is
/// not higher.
Placement sweepFrom(const Problem &problem, int64_t goal, int64_t nodeLimit,
                    bool isTowards) {
  Model model(problem);
  Placement best = greedyOf(model, goal);
  int64_t before = best.height;
  SolveOptions options;
  SearchControl control(options, nodeLimit);
  if (isTowards)
    sweepTowards(model, goal, /*seed=*/0, control, best);
  else
    sweepTo(model, goal, /*seed=*/0, control, best);
  EXPECT_LE(best.height, before);
  Plan plan;
  plan.status = PlanStatus::Feasible;
  plan.offsets = best.offsets;
  plan.arenaSize = best.height;
  plan.lowerBound = memplan::lowerBound(problem);
  EXPECT_EQ(text(verify(problem, plan)), "");
  return best;
}

} // namespace

TEST(SweepSearch, FindsWhatIsThereAndNothingElse) {
  unsigned lowered = 0, open = 0;
  for (uint64_t seed = 0; seed < 600; ++seed) {
    RandomOptions random;
    random.maxBuffers = 7;
    random.pins = random.conflicts = random.overlaps = false;
    random.severalRanges = false;
    Problem problem = randomProblem(seed, random);
    std::optional<int64_t> optimum = exhaustiveOptimum(problem, 24);
    if (!optimum)
      continue;
    // The goal may be below the optimum; the plan is correct all the same.
    for (int64_t goal : {*optimum, lowerBound(problem)}) {
      Placement best = sweepFrom(problem, goal, /*nodeLimit=*/20,
                                 /*isTowards=*/seed % 2 == 0);
      ASSERT_GE(best.height, *optimum) << "seed " << seed;
      if (goal != *optimum || greedyOf(Model(problem), goal).height == *optimum)
        continue;
      ++open;
      lowered += best.height == *optimum;
    }
  }
  EXPECT_GT(open, 20u);
  EXPECT_GE(10 * lowered, 9 * open);
}

TEST(SweepSearch, MeetsTheBoundWhereOrdersMissIt) {
  // Hundreds of buffers at any time.
  unsigned missed = 0, met = 0;
  for (uint64_t seed = 0; seed < 5; ++seed) {
    Problem problem = fewSizes(seed, 5000, 250);
    int64_t bound = lowerBound(problem);
    if (greedyOf(Model(problem), bound).height == bound)
      continue;
    ++missed;
    met += sweepFrom(problem, bound, /*nodeLimit=*/100000, /*isTowards=*/false)
               .height == bound;
  }
  EXPECT_GT(missed, 2u);
  EXPECT_GE(met + 1, missed);
}

TEST(SweepSearch, KeepsWhatEndsTogetherTogether) {
  // The node limit is low, and the buffers live so long that a sweep reaches
  // sections with little room while many buffers of the peak are still live.
  unsigned met = 0;
  for (uint64_t seed = 0; seed < 6; ++seed) {
    Problem problem = fewSizes(seed, 8000, 400);
    int64_t bound = lowerBound(problem);
    met += sweepFrom(problem, bound, /*nodeLimit=*/10000, /*isTowards=*/false)
               .height == bound;
  }
  EXPECT_GE(met, 4u);
}

TEST(SweepSearch, GoesHalfTheWayWhereTheGoalIsOutOfReach) {
  for (uint64_t seed = 0; seed < 2; ++seed) {
    Problem problem = fewSizes(seed, 3000, 200, /*alignment=*/4096);
    int64_t bound = lowerBound(problem);
    // The goal is below the bound, so no plan meets it.
    int64_t goal = bound - bound / 100;
    int64_t height = greedyOf(Model(problem), goal).height;
    Placement best =
        sweepFrom(problem, goal, /*nodeLimit=*/50000, /*isTowards=*/true);
    EXPECT_LT(best.height, height) << "seed " << seed;
    EXPECT_GE(best.height, bound) << "seed " << seed;
  }
}

TEST(SweepSearch, SweepsBetweenSeveralPeaks) {
  // The problem and its mirror image in time: two equal peaks with few buffers
  // between them. Sweeps from one peak do not give a plan of the other.
  unsigned met = 0;
  for (uint64_t seed = 0; seed < 6; ++seed) {
    Problem problem = fewSizes(seed, 2500, 60);
    size_t count = problem.buffers.size();
    for (size_t i = 0; i < count; ++i) {
      Buffer copy = problem.buffers[i];
      copy.id += "'";
      for (LiveRange &range : copy.ranges)
        range = {5120 - range.end, 5120 - range.start};
      problem.buffers.push_back(copy);
    }
    int64_t bound = lowerBound(problem);
    met += sweepFrom(problem, bound, /*nodeLimit=*/20000, /*isTowards=*/true)
               .height == bound;
  }
  // With sweeps from only one peak, one of the six problems is missed.
  EXPECT_EQ(met, 6u);
}

TEST(SweepSearch, PeaksThatMeetAreNotStackedApart) {
  // Even if two peaks have no common buffer, some buffers of one peak are live
  // together with some of the other.
  for (uint64_t seed = 0; seed < 12; ++seed) {
    Problem problem = fewSizes(seed, 800, 20);
    for (Buffer longLived : fewSizes(seed, 200, 50).buffers) {
      longLived.id += "'";
      longLived.ranges = {
          {5 * longLived.ranges[0].start, 5 * longLived.ranges[0].end}};
      problem.buffers.push_back(longLived);
    }
    int64_t bound = lowerBound(problem);
    for (int64_t part : {1000, 200, 100, 50})
      sweepFrom(problem, bound + bound / part, /*nodeLimit=*/500,
                /*isTowards=*/false);
  }
}

TEST(SweepSearch, AutoUsesIt) {
  // Too many buffers for complete search, and greedy orders miss the bound.
  unsigned missed = 0, met = 0;
  for (uint64_t seed = 0; seed < 6; ++seed) {
    Problem problem = fewSizes(seed, 3000, 150);
    int64_t bound = lowerBound(problem);
    if (greedyOf(Model(problem), bound).height == bound)
      continue;
    ++missed;
    met += solveVerified(problem, SolveOptions()).arenaSize == bound;
  }
  EXPECT_GT(missed, 2u);
  EXPECT_GE(met + 1, missed);
}

TEST(SweepSearch, LeavesOtherProblemsAlone) {
  Problem problem = ProblemBuilder()
                        .add("a", 8, {{0, 2}})
                        .add("b", 4, {{1, 3}})
                        .add("c", 8, {{2, 4}})
                        .add("d", 4, {{0, 1}, {3, 4}})
                        .raw();
  Model model(problem);
  Placement best = greedyOf(model, 0);
  best.height += 1;
  SolveOptions options;
  SearchControl control(options, 1000);
  sweepTo(model, 0, /*seed=*/0, control, best);
  sweepTowards(model, 0, /*seed=*/0, control, best);
  EXPECT_EQ(control.nodes(), 0);
}
