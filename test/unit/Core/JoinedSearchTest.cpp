//===- JoinedSearchTest.cpp - Search on joined buffers --------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tests which buffers are joined, and that a plan of the joined problem expands
// to a correct plan of the problem.
//
//===----------------------------------------------------------------------===//

#include "Search/JoinedSearch.h"

#include "ProblemBuilder.h"
#include "Reference.h"

using namespace memplan;
using namespace memplan::detail;
using namespace memplan::test;

namespace {

JoinedProblem joinAll(const Problem &problem) {
  return joinBuffers(Model(problem), JoinOptions());
}

} // namespace

TEST(JoinBuffers, ASuccessorOfTheSameSizeTakesThePlace) {
  ProblemBuilder builder;
  builder.add("a", 4, {{0, 2}}).add("b", 4, {{2, 5}}).add("c", 3, {{1, 7}});
  JoinedProblem joined = joinAll(builder.raw());
  ASSERT_EQ(joined.problem.buffers.size(), 2u);
  EXPECT_EQ(joined.problem.buffers[0].ranges, (LiveRanges{{0, 5}}));
  EXPECT_EQ(joined.problem.buffers[0].size, 4);
  EXPECT_EQ(joined.expand({3, 0}), (std::vector<int64_t>{3, 3, 0}));
}

TEST(JoinBuffers, WhatIsLiveTogetherIsStacked) {
  // The buffer with the larger alignment is below, as its size 8 is a multiple
  // of 4, but 4 is not a multiple of 8.
  ProblemBuilder builder;
  builder.add("a", 4, {{0, 2}}).align(4);
  builder.add("b", 8, {{0, 2}}).align(8);
  JoinedProblem joined = joinAll(builder.raw());
  ASSERT_EQ(joined.problem.buffers.size(), 1u);
  EXPECT_EQ(joined.problem.buffers[0].size, 12);
  EXPECT_EQ(joined.problem.buffers[0].alignment, 8);
  EXPECT_EQ(joined.expand({16}), (std::vector<int64_t>{24, 16}));
}

TEST(JoinBuffers, JoinsWhatJoinsHaveMade) {
  // c and d are stacked, and the stack follows the join of a and b.
  ProblemBuilder builder;
  builder.add("a", 4, {{0, 2}})
      .add("b", 4, {{2, 5}})
      .add("c", 1, {{5, 6}})
      .add("d", 3, {{5, 6}});
  JoinedProblem joined = joinAll(builder.raw());
  ASSERT_EQ(joined.problem.buffers.size(), 1u);
  EXPECT_EQ(joined.problem.buffers[0].ranges, (LiveRanges{{0, 6}}));
  EXPECT_EQ(joined.expand({0}), (std::vector<int64_t>{0, 0, 0, 1}));
}

TEST(JoinBuffers, WhatIsAmbiguousStaysAlone) {
  ProblemBuilder builder;
  builder.add("a", 4, {{0, 2}}).add("b", 4, {{2, 5}}).add("c", 4, {{2, 7}});
  EXPECT_EQ(joinAll(builder.raw()).problem.buffers.size(), 3u);
}

TEST(JoinBuffers, MisalignedStacksStayAlone) {
  ProblemBuilder builder;
  builder.add("a", 3, {{0, 2}}).align(4).add("b", 4, {{0, 2}}).align(4);
  // a would be below b, but its size 3 is not a multiple of b's alignment.
  EXPECT_EQ(joinAll(builder.raw()).problem.buffers.size(), 2u);
}

TEST(JoinBuffers, PinsAndRelationsStayAlone) {
  ProblemBuilder pinned;
  pinned.add("a", 4, {{0, 2}}).add("b", 4, {{2, 5}}).pin(4);
  EXPECT_EQ(joinAll(pinned.raw()).problem.buffers.size(), 2u);
  ProblemBuilder conflicting;
  conflicting.add("a", 4, {{0, 2}}).add("b", 4, {{2, 5}}).conflict("a", "b");
  EXPECT_EQ(joinAll(conflicting.raw()).problem.buffers.size(), 2u);
  // a may overlap c, although they are never live together; a join of a and b
  // must not overlap c.
  ProblemBuilder permitting;
  permitting.add("a", 4, {{0, 2}})
      .add("b", 4, {{2, 5}})
      .add("c", 4, {{3, 6}})
      .permit("a", "c", 0, 0);
  EXPECT_EQ(joinAll(permitting.raw()).problem.buffers.size(), 3u);
}

TEST(JoinBuffers, APlanOfTheJoinedProblemIsOneOfTheProblem) {
  unsigned joins = 0;
  for (uint64_t seed = 0; seed < 4000; ++seed) {
    RandomOptions random;
    random.maxBuffers = 16;
    random.maxSize = 4;
    random.maxTime = 8;
    random.pins = seed % 3 == 0;
    random.conflicts = random.overlaps = seed % 2 == 0;
    Problem problem = randomProblem(seed, random);
    Model model(problem);
    JoinedProblem joined =
        joinBuffers(model, {seed % 5 == 0 ? 60u : 100u, seed});
    joins += problem.buffers.size() - joined.problem.buffers.size();
    Plan plan = solve(joined.problem, optionsFor(Strategy::GreedyBySize));
    if (!plan.hasOffsets())
      continue; // The pins contradict each other.
    plan.offsets = joined.expand(plan.offsets);
    plan.status = PlanStatus::Feasible;
    ASSERT_EQ(text(verify(problem, plan)), "") << "seed " << seed;
  }
  EXPECT_GT(joins, 3000u);
}

TEST(JoinedSearch, ProvesNothingOfTheProblem) {
  // The joined problem may have a larger optimum. Then the search must not
  // report it as a bound of the original problem.
  unsigned lost = 0;
  for (uint64_t seed = 0; seed < 4000 && lost < 15; ++seed) {
    RandomOptions random;
    random.maxBuffers = 7;
    random.pins = random.conflicts = random.overlaps = false;
    Problem problem = randomProblem(seed, random);
    // The first joined problem of the search.
    JoinedProblem joined = joinBuffers(Model(problem), {});
    if (joined.problem.buffers.size() == problem.buffers.size())
      continue;
    std::optional<int64_t> optimum = exhaustiveOptimum(problem, 24);
    std::optional<int64_t> restricted = exhaustiveOptimum(joined.problem, 24);
    if (!optimum || optimum == restricted)
      continue;
    ++lost;
    SolveOptions options = optionsFor(Strategy::Exact);
    Model model(problem);
    SearchControl control(options, /*defaultNodeLimit=*/10000);
    JoinedSearch search(model);
    EXPECT_EQ(search.probe(*optimum, control), SearchOutcome::Limit);
    EXPECT_EQ(search.runRound(*optimum, /*round=*/0, control),
              SearchOutcome::Limit);
    Plan plan = solveVerified(problem, options);
    EXPECT_EQ(plan.status, PlanStatus::Optimal) << "seed " << seed;
    EXPECT_EQ(plan.arenaSize, *optimum) << "seed " << seed;
  }
  EXPECT_EQ(lost, 15u);
}
