//===- ExactTest.cpp - The exact search and its statuses ------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tests the statuses of the exact strategy: against exhaustive search, under
// limits, and for several numbers of threads.
//
//===----------------------------------------------------------------------===//

#include "ExactReference.h"
#include "ProblemBuilder.h"
#include "Reference.h"
#include "memplan/Core/Interrupt.h"
#include "memplan/Core/Verify.h"

using namespace memplan;
using namespace memplan::test;

namespace {

/// A problem that no greedy order solves and that takes the search some nodes.
Problem hardProblem(uint64_t seed) {
  RandomOptions options;
  options.maxBuffers = 60;
  options.maxSize = 40;
  options.maxTime = 25;
  options.severalRanges = options.alignment = options.pins = false;
  options.conflicts = options.overlaps = false;
  return randomProblem(seed, options);
}

SolveOptions exactWith(int64_t nodeLimit) {
  SolveOptions options;
  options.strategy = Strategy::Exact;
  options.nodeLimit = nodeLimit;
  return options;
}

} // namespace

TEST(Exact, EqualsExhaustiveSearch) {
  int compared = 0;
  for (uint64_t seed = 0; seed < 400; ++seed)
    compared += compareWithExhaustive(seed);
  EXPECT_GT(compared, 300);
}

TEST(Exact, FindsWhatGreedyBySizeMisses) {
  ProblemBuilder builder;
  builder.add("a", 3, {{0, 2}})
      .add("b", 3, {{1, 3}})
      .add("c", 3, {{3, 5}})
      .add("d", 1, {{2, 4}});
  Plan plan = builder.solved(Strategy::Exact);
  EXPECT_EQ(plan.arenaSize, 6);
  EXPECT_EQ(plan.status, PlanStatus::Optimal);
}

TEST(Exact, ProvesAnOptimumAboveTheBound) {
  // Twenty random problems whose optimum is above the lower bound.
  int aboveTheBound = 0;
  for (uint64_t seed = 0; seed < 3000 && aboveTheBound < 20; ++seed) {
    RandomOptions options;
    options.overlaps = options.pins = options.conflicts = false;
    Problem problem = randomProblem(seed, options);
    std::optional<int64_t> optimum = exhaustiveOptimum(problem, 40);
    if (!optimum || *optimum == lowerBound(problem))
      continue;
    ++aboveTheBound;
    Plan plan = solveVerified(problem, exactWith(100000));
    EXPECT_EQ(plan.status, PlanStatus::Optimal) << "seed " << seed;
    EXPECT_EQ(plan.arenaSize, *optimum) << "seed " << seed;
    // One byte less is proven infeasible, not just not found.
    problem.capacity = *optimum - 1;
    Plan refused = solveVerified(problem, exactWith(100000));
    EXPECT_EQ(refused.status, PlanStatus::Infeasible) << "seed " << seed;
  }
  EXPECT_EQ(aboveTheBound, 20);
}

TEST(Exact, ALimitIsNoProof) {
  int limited = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    Problem problem = hardProblem(seed);
    Plan plan = solveVerified(problem, exactWith(1));
    if (plan.arenaSize == plan.lowerBound)
      continue;
    ++limited;
    EXPECT_EQ(plan.status, PlanStatus::Limit) << "seed " << seed;
    EXPECT_NE(plan.message.find("node limit"), std::string::npos);
    EXPECT_TRUE(plan.hasOffsets());
  }
  EXPECT_GT(limited, 0);
}

TEST(Exact, KeepsItsNodeLimit) {
  for (uint64_t seed = 0; seed < 30; ++seed)
    EXPECT_LE(solveVerified(hardProblem(seed), exactWith(50)).nodes, 50);
}

TEST(Exact, ThreadsChangeNothing) {
  for (uint64_t seed = 0; seed < 30; ++seed) {
    SolveOptions options = exactWith(20000);
    Plan one = solveVerified(hardProblem(seed), options);
    for (unsigned threads : {2u, 5u}) {
      options.threads = threads;
      Plan many = solveVerified(hardProblem(seed), options);
      EXPECT_EQ(one.offsets, many.offsets) << "seed " << seed;
      EXPECT_EQ(one.nodes, many.nodes) << "seed " << seed;
      EXPECT_EQ(one.status, many.status) << "seed " << seed;
      EXPECT_EQ(one.message, many.message) << "seed " << seed;
    }
  }
}

TEST(Exact, AnEarlierDeadlineThanTheSearchEndsIt) {
  SolveOptions options = exactWith(INT64_MAX);
  options.timeLimitMs = 0;
  for (uint64_t seed = 0; seed < 30; ++seed) {
    Plan plan = solveVerified(hardProblem(seed), options);
    EXPECT_TRUE(plan.status == PlanStatus::Limit ||
                plan.arenaSize == plan.lowerBound);
  }
}

TEST(Exact, TheCallerEndsTheSearch) {
  std::atomic<bool> stop{true};
  SolveOptions options = exactWith(INT64_MAX);
  unsigned interrupted = 0;
  for (uint64_t seed = 0; seed < 30; ++seed) {
    Problem problem = hardProblem(seed);
    Plan plan = solve(problem, options, stop);
    EXPECT_TRUE(verify(problem, plan).empty());
    EXPECT_TRUE(plan.status == PlanStatus::Limit ||
                plan.arenaSize == plan.lowerBound);
    interrupted += plan.message.find("interruption") != std::string::npos;
  }
  EXPECT_GT(interrupted, 0u);
}

TEST(Exact, StopsAtTheCapacity) {
  // Greedy finds 7 bytes, the optimum is 6. With a capacity of 7 there is no
  // search.
  ProblemBuilder builder;
  builder.add("a", 3, {{0, 2}})
      .add("b", 3, {{1, 3}})
      .add("c", 3, {{3, 5}})
      .add("d", 1, {{2, 4}});
  Plan plan = builder.capacity(7).solved(Strategy::Exact);
  EXPECT_LE(plan.arenaSize, 7);
  EXPECT_EQ(plan.nodes, 0);
}

TEST(Exact, UsesAPermittedOverlapThatNoGreedyOrderFinds) {
  // b may start at most 2 bytes above a, so both fit only if a is at 2.
  int compared = 0;
  for (uint64_t seed = 0; seed < 4000 && compared < 60; ++seed) {
    RandomOptions options;
    options.maxBuffers = 6;
    options.pins = options.conflicts = false;
    Problem problem = randomProblem(seed, options);
    if (problem.overlaps.size() < 3)
      continue;
    compared += compareWithExhaustive(problem);
  }
  EXPECT_EQ(compared, 60);
}

TEST(Exact, SolvesComponentsOneByOne) {
  // Twelve copies of a problem with the optimum 6, one after another in time:
  // the nodes of the components add up; in a single search they would multiply.
  ProblemBuilder builder;
  for (int copy = 0; copy < 12; ++copy) {
    std::string id = std::to_string(copy);
    int64_t t = copy * 10;
    builder.add("a" + id, 3, {{t, t + 2}})
        .add("b" + id, 3, {{t + 1, t + 3}})
        .add("c" + id, 3, {{t + 3, t + 5}})
        .add("d" + id, 1, {{t + 2, t + 4}});
  }
  Plan plan = builder.solved(Strategy::Exact);
  EXPECT_EQ(plan.status, PlanStatus::Optimal);
  EXPECT_EQ(plan.arenaSize, 6);
}

TEST(Exact, EndsWhereNoSearchCanProveAnything) {
  // Each pair of the three buffers of 4 bytes may overlap, but the permitted
  // differences contradict each other, so the optimum is above the bound. The
  // tree search proves nothing because of the overlaps, and the problem has too
  // many buffers for the disjunctive search.
  ProblemBuilder builder;
  builder.add("a", 4, {{0, 2000}})
      .add("b", 4, {{0, 2000}})
      .add("c", 4, {{0, 2000}})
      .permit("a", "b", 0, 0)
      .permit("b", "c", 0, 0)
      .permit("a", "c", 1, 1);
  for (int i = 0; i < 1100; ++i)
    builder.add("x" + std::to_string(i), 1, {{i, i + 1}});
  for (std::optional<int64_t> capacity :
       {std::optional<int64_t>(), std::optional<int64_t>(6)}) {
    Problem problem = builder.raw();
    problem.capacity = capacity;
    SolveOptions options;
    options.strategy = Strategy::Exact;
    Plan plan = solveVerified(problem, options);
    EXPECT_NE(plan.status, PlanStatus::Infeasible);
    EXPECT_GT(plan.arenaSize, plan.lowerBound);
    EXPECT_NE(plan.message.find("too large"), std::string::npos);
  }
}

TEST(HillClimb, IsNeverWorseThanTheGreedyOrderItStartsFrom) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    Problem problem = hardProblem(seed);
    EXPECT_LE(
        solveVerified(problem, optionsFor(Strategy::HillClimb)).arenaSize,
        solveVerified(problem, optionsFor(Strategy::GreedyBySize)).arenaSize);
  }
}

TEST(HillClimb, ImprovesSomething) {
  int improved = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    SolveOptions none = optionsFor(Strategy::HillClimb);
    none.nodeLimit = 0;
    SolveOptions some = none;
    some.nodeLimit = 200;
    improved += solveVerified(hardProblem(seed), some).arenaSize <
                solveVerified(hardProblem(seed), none).arenaSize;
  }
  EXPECT_GT(improved, 0);
}
