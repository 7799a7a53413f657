//===- CutsTest.cpp - Buffers that must not cross a cut -------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProblemBuilder.h"

#include <random>

using namespace memplan;
using namespace memplan::test;

namespace {

/// A result of 128 bytes, written at 4, and temporaries `a`, `b` and `c` of
/// which all are live at 2.
Problem lending() {
  Problem problem = ProblemBuilder()
                        .add("result", 128, {{4, 6}})
                        .add("a", 96, {{0, 4}})
                        .add("b", 192, {{1, 4}})
                        .add("c", 32, {{2, 5}})
                        .raw();
  problem.buffers[0].pinnedOffset = 0;
  problem.cuts = {128};
  return problem;
}

SolveOptions with(Strategy strategy) { return optionsFor(strategy); }

} // namespace

TEST(Cuts, AreChecked) {
  Problem problem = lending();
  problem.cuts = {128, 64};
  EXPECT_EQ(text(check(problem)),
            "the cut at 64 is not above the one before it\n");
  problem.cuts = {100};
  EXPECT_EQ(text(check(problem)),
            "the cut at 100 is not a multiple of the arena's alignment 64\n");
  problem.cuts = {128};
  problem.bankSize = 256;
  EXPECT_EQ(text(check(problem)), "a problem with cuts cannot have banks, or "
                                  "sizes that are formulas\n");
}

TEST(Cuts, AreVerified) {
  Problem problem = lending();
  Plan plan;
  plan.status = PlanStatus::Feasible;
  plan.offsets = {0, 0, 96, 288};
  plan.arenaSize = 320;
  EXPECT_EQ(text(verify(problem, plan)),
            "buffer 'b' [96, 288) crosses the cut at 128\n");
  plan.offsets = {0, 0, 128, 320};
  plan.arenaSize = 352;
  EXPECT_EQ(text(verify(problem, plan)), "");
}

// `a` is below the cut. All buffers would need 320 bytes without it.
TEST(Cuts, AreNotCrossed) {
  for (Strategy strategy : allStrategies()) {
    Plan plan = solveVerified(lending(), with(strategy));
    EXPECT_GE(plan.arenaSize, 352) << strategyName(strategy);
    EXPECT_LE(plan.arenaSize, 448) << strategyName(strategy);
  }
  Plan plan = solveVerified(lending(), with(Strategy::Auto));
  EXPECT_EQ(plan.arenaSize, 352);
  EXPECT_EQ(plan.offsets[1], 0);
}

TEST(Cuts, CountInTheCapacity) {
  Problem problem = lending();
  problem.capacity = 352;
  EXPECT_EQ(solveVerified(problem, with(Strategy::Auto)).arenaSize, 352);
  problem.capacity = 256;
  Plan plan = solveVerified(problem, with(Strategy::Auto));
  EXPECT_EQ(plan.status, PlanStatus::Infeasible);
}

// No plan is larger than the results and an arena of the other buffers.
TEST(Cuts, NeverCostMemory) {
  std::mt19937 random(7);
  auto draw = [&](int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(random);
  };
  for (int round = 0; round != 200; ++round) {
    Problem problem, rest;
    problem.arenaAlignment = rest.arenaAlignment = 16;
    int64_t top = 0;
    for (int64_t i = 0, count = draw(1, 4); i != count; ++i) {
      Buffer result{"r" + std::to_string(i), draw(1, 200), 16,
                    {{draw(10, 39), 40}},    top,          std::nullopt};
      top = (top + result.size + 15) / 16 * 16;
      problem.cuts.push_back(top);
      problem.buffers.push_back(result);
    }
    for (int64_t i = 0, count = draw(1, 14); i != count; ++i) {
      int64_t start = draw(0, 38);
      Buffer buffer{"t" + std::to_string(i),        draw(0, 150), 8,
                    {{start, draw(start + 1, 40)}}, std::nullopt, std::nullopt};
      problem.buffers.push_back(buffer);
      rest.buffers.push_back(buffer);
    }
    Plan plan = solveVerified(problem, with(Strategy::Auto));
    Plan alone = solveVerified(rest, with(Strategy::Auto));
    ASSERT_TRUE(plan.hasOffsets());
    EXPECT_LE(plan.arenaSize, top + alone.arenaSize);
  }
}
