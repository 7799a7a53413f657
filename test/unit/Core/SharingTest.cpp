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
  for (uint64_t seed = 0; seed < 900; ++seed) {
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
  EXPECT_GT(compared, 600);
  EXPECT_GT(proven, 300);
}

// What every tool states of such a plan: a penalty that is right.
TEST(SharingTest, VerifiesRulesAndPenalty) {
  Problem problem = ProblemBuilder()
                        .add("a", 8, {{0, 1}})
                        .add("b", 8, {{1, 2}})
                        .soft("a", "b", 5)
                        .allOrNone("a", "b")
                        .banks(12)
                        .raw();
  Plan plan;
  plan.status = PlanStatus::Feasible;
  auto verified = [&](std::vector<int64_t> offsets, int64_t penalty) {
    plan.offsets = std::move(offsets);
    plan.arenaSize = 24;
    plan.penalty = penalty;
    return text(verify(problem, plan));
  };
  EXPECT_EQ(verified({0, 12}, 0), "");
  EXPECT_EQ(verified({0, 0}, 5), "");
  EXPECT_EQ(verified({0, 0}, 0), "the penalty of 0 is not the sum of the "
                                 "weights that the plan pays, 5\n");
  EXPECT_EQ(verified({0, 4}, 5),
            "buffers 'a' [0, 8) and 'b' [4, 12) share bytes [4, 8) but do not "
            "begin at the same byte\n");
  EXPECT_EQ(verified({0, 8}, 0),
            "buffer 'b' [8, 16) crosses the end of a bank at 12\n");
  problem.softConflicts[0].kind = SoftConflict::Kind::Bank;
  EXPECT_EQ(verified({0, 12}, 0), "");
  EXPECT_EQ(verified({0, 0}, 5), "");
  plan.penaltyBound = 6;
  EXPECT_EQ(verified({0, 0}, 5),
            "the penalty of 5 is below its lower bound of 6\n");
}

// The capacity comes first, then the penalty, then the arena.
TEST(SharingTest, CapacityThenPenaltyThenArena) {
  ProblemBuilder three = ProblemBuilder()
                             .add("a", 8, {{0, 1}})
                             .add("b", 8, {{1, 2}})
                             .add("c", 8, {{2, 3}})
                             .soft("a", "b", 2)
                             .soft("b", "c", 3)
                             .soft("a", "c", 1);
  Plan free = three.solved();
  EXPECT_EQ(free.penalty, 0);
  EXPECT_EQ(free.arenaSize, 24);
  EXPECT_EQ(free.status, PlanStatus::Optimal);
  Plan tight = three.capacity(16).solved();
  EXPECT_EQ(tight.penalty, 1);
  EXPECT_EQ(tight.arenaSize, 16);
  EXPECT_EQ(tight.status, PlanStatus::Optimal);
  Plan least = three.capacity(8).solved();
  EXPECT_EQ(least.penalty, 6);
  EXPECT_EQ(least.status, PlanStatus::Optimal);
  EXPECT_EQ(three.capacity(7).solved().status, PlanStatus::Infeasible);
  // A plan of all strategies is correct.
  for (Strategy strategy : allStrategies())
    EXPECT_TRUE(three.capacity(24).solved(strategy).hasOffsets());
}

// Without a weight the plan is that of the same problem without the pairs.
TEST(SharingTest, WeightsOfZeroChangeNothing) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    Problem problem = generateSharing(Sharing::Soft, seed);
    Problem plain = problem;
    plain.softConflicts.clear();
    for (SoftConflict &soft : problem.softConflicts)
      soft.weight = 0;
    SolveOptions options = optionsFor(Strategy::Auto);
    Plan plan = solveVerified(problem, options);
    Plan expected = solveVerified(plain, options);
    EXPECT_EQ(plan.offsets, expected.offsets);
    EXPECT_EQ(plan.message, expected.message);
    EXPECT_EQ(plan.nodes, expected.nodes);
  }
}

// More pairs are live together than there may be rules: that is a limit, not a
// defect.
TEST(SharingTest, GivesUpOnTooManyPairs) {
  ProblemBuilder many;
  for (int i = 0; i < 1500; ++i)
    many.add("b" + std::to_string(i), 8, {{0, 1}});
  Plan plan = solve(many.banks(64).raw(), optionsFor(Strategy::Auto));
  EXPECT_EQ(plan.status, PlanStatus::Limit);
  EXPECT_FALSE(plan.hasOffsets());
  EXPECT_EQ(plan.message, "too many buffers are live together for banks or "
                          "pairs of all or none");
}

// The default search reaches every optimum that exact search proves with few
// nodes.
TEST(SharingTest, AutoReachesWhatExactProves) {
  int proven = 0;
  for (Sharing features : {Sharing::Soft, Sharing::Banks, Sharing::AllOrNone})
    for (uint64_t seed = 0; seed < 12; ++seed) {
      SCOPED_TRACE("features " + std::to_string(int(features)) + ", seed " +
                   std::to_string(seed));
      Problem problem = generateSharing(features, seed);
      problem.capacity = sharingCapacity(problem, seed);
      SolveOptions options = exactOptions();
      options.nodeLimit = 20000;
      Plan exact = solveVerified(problem, options);
      options.strategy = Strategy::Auto;
      options.effort = Effort::Low;
      options.nodeLimit.reset();
      Plan plan = solveVerified(problem, options);
      if (exact.status == PlanStatus::Infeasible ||
          exact.penalty != exact.penaltyBound ||
          exact.arenaSize > *problem.capacity)
        continue;
      ++proven;
      EXPECT_EQ(plan.penalty, exact.penalty);
    }
  EXPECT_GT(proven, 6);
}

// Problems in which a loop around the solver of plain problems, which makes
// soft conflicts conflicts by falling weight as long as a plan fits, once paid
// less (memplan-solver-bench --sharing).
TEST(SharingTest, AutoPaysNoMoreThanLoop) {
  const std::pair<uint64_t, int64_t> paidByLoop[] = {
      {2, 4}, {40, 15}, {52, 31}, {80, 23}, {84, 17}, {124, 9}};
  for (auto [seed, penalty] : paidByLoop) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Problem problem = generateSharing(Sharing::Soft, seed);
    problem.capacity = sharingCapacity(problem, seed);
    EXPECT_LE(solveVerified(problem, SolveOptions()).penalty, penalty);
  }
}

} // namespace
