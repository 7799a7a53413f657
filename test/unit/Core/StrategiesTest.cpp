//===- StrategiesTest.cpp - Every strategy against the verifier -----------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProblemBuilder.h"
#include "Reference.h"

using namespace memplan;
using namespace memplan::test;

namespace {

class EveryStrategy : public testing::TestWithParam<Strategy> {};

std::string paramName(const testing::TestParamInfo<Strategy> &info) {
  std::string name(strategyName(info.param));
  for (char &c : name)
    if (c == '-')
      c = '_';
  return name;
}

} // namespace

INSTANTIATE_TEST_SUITE_P(Strategies, EveryStrategy,
                         testing::ValuesIn(allStrategies()), paramName);

TEST_P(EveryStrategy, EmptyProblem) {
  Plan plan = ProblemBuilder().solved(GetParam());
  EXPECT_EQ(plan.status, PlanStatus::Optimal);
  EXPECT_EQ(plan.arenaSize, 0);
}

TEST_P(EveryStrategy, OneBuffer) {
  Plan plan = ProblemBuilder().add("a", 7, {{3, 4}}).solved(GetParam());
  EXPECT_EQ(plan.arenaSize, 7);
  EXPECT_EQ(plan.offsets, std::vector<int64_t>{0});
}

TEST_P(EveryStrategy, EmptyBuffersOnly) {
  Plan plan = ProblemBuilder()
                  .add("a", 0, {{0, 4}})
                  .align(16)
                  .add("b", 0, {{0, 4}})
                  .solved(GetParam());
  EXPECT_EQ(plan.arenaSize, 0);
}

TEST_P(EveryStrategy, KeepsAPinInTheMiddle) {
  Plan plan = ProblemBuilder()
                  .add("a", 8, {{0, 4}})
                  .add("pinned", 8, {{0, 4}})
                  .pin(4)
                  .add("b", 4, {{0, 4}})
                  .solved(GetParam());
  EXPECT_EQ(plan.offsets[1], 4);
  EXPECT_LE(plan.arenaSize, 24);
}

TEST_P(EveryStrategy, PinsThatContradictAreInfeasible) {
  Plan plan = ProblemBuilder()
                  .add("a", 8, {{0, 4}})
                  .pin(0)
                  .add("b", 8, {{3, 5}})
                  .pin(7)
                  .solved(GetParam());
  EXPECT_EQ(plan.status, PlanStatus::Infeasible);
  EXPECT_EQ(plan.message, "pinned buffers 'a' [0, 8) and 'b' [7, 15) share "
                          "bytes [7, 8) while both are live at time 3");
}

TEST_P(EveryStrategy, ACapacityBelowTheBoundIsInfeasible) {
  Plan plan = ProblemBuilder()
                  .add("a", 8, {{0, 4}})
                  .add("b", 8, {{0, 4}})
                  .capacity(15)
                  .solved(GetParam());
  EXPECT_EQ(plan.status, PlanStatus::Infeasible);
  EXPECT_EQ(plan.message, "requires at least 16 bytes but the capacity is 15");
  EXPECT_EQ(plan.lowerBound, 16);
}

TEST_P(EveryStrategy, MeetsACapacityOfTheSum) {
  Plan plan = ProblemBuilder()
                  .add("a", 8, {{0, 4}})
                  .add("b", 8, {{0, 4}})
                  .capacity(16)
                  .solved(GetParam());
  EXPECT_EQ(plan.status, PlanStatus::Optimal);
}

// The order by size needs 63 bytes of padding, the order of the problem none.
TEST_P(EveryStrategy, PaddingNeverCostsMoreThanNoReuse) {
  Plan plan = ProblemBuilder()
                  .add("a", 64, {{0, 4}})
                  .align(64)
                  .add("b", 65, {{0, 4}})
                  .align(64)
                  .solved(GetParam());
  EXPECT_EQ(plan.arenaSize, 129);
}

TEST_P(EveryStrategy, HugeSizesDoNotOverflow) {
  constexpr int64_t half = INT64_MAX / 2;
  Plan plan = ProblemBuilder()
                  .add("a", half, {{0, 2}})
                  .add("b", half, {{1, 3}})
                  .permit("a", "b", INT64_MIN, INT64_MIN)
                  .solved(GetParam());
  EXPECT_EQ(plan.arenaSize, 2 * half);
}

TEST_P(EveryStrategy, SameInputSameOutput) {
  RandomOptions options;
  options.maxBuffers = 60;
  options.maxTime = 100;
  options.maxSize = 1000;
  options.pins = false;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Problem problem = randomProblem(seed, options);
    SolveOptions solveOptions = optionsFor(GetParam());
    Plan first = solveVerified(problem, solveOptions);
    Plan second = solveVerified(problem, solveOptions);
    EXPECT_EQ(first.offsets, second.offsets);
    EXPECT_EQ(first.message, second.message);
  }
}

TEST_P(EveryStrategy, RandomProblemsVerify) {
  for (uint64_t seed = 0; seed < 1500; ++seed) {
    RandomOptions options;
    options.maxBuffers = seed % 2 ? 8 : 40;
    options.maxSize = seed % 3 ? 6 : 64;
    options.maxTime = seed % 5 ? 12 : 60;
    options.pins = seed % 4 == 0;
    Problem problem = randomProblem(seed, options);
    if (seed % 7 == 0)
      problem.capacity = lowerBound(problem) + static_cast<int64_t>(seed % 5);
    SolveOptions solveOptions = optionsFor(GetParam());
    SCOPED_TRACE("seed " + std::to_string(seed));
    Plan plan = solveVerified(problem, solveOptions);
    Plan naive = solve(problem, optionsFor(Strategy::Naive));
    if (plan.hasOffsets() && naive.hasOffsets())
      EXPECT_LE(plan.arenaSize, naive.arenaSize);
  }
}

TEST_P(EveryStrategy, ReuseTakesPermittedOverlaps) {
  if (GetParam() == Strategy::Naive)
    GTEST_SKIP() << "naive reuses nothing";
  Plan plan = ProblemBuilder()
                  .add("a", 64, {{0, 2}})
                  .add("b", 64, {{1, 3}})
                  .permit("a", "b", 0, 0)
                  .solved(GetParam());
  EXPECT_EQ(plan.arenaSize, 64);
  EXPECT_EQ(plan.status, PlanStatus::Optimal);
}

TEST(Naive, ReusesNothingAndStepsOverPins) {
  // x does not fit below the pin at 8 and goes above it; y follows x.
  Plan plan = ProblemBuilder()
                  .add("p", 8, {{0, 1}})
                  .pin(8)
                  .add("x", 9, {{4, 5}})
                  .add("y", 1, {{6, 7}})
                  .solved(Strategy::Naive);
  EXPECT_EQ(plan.offsets, (std::vector<int64_t>{8, 16, 25}));
}

TEST(LinearScan, TakesTheLowestFreeAddressByStart) {
  Plan plan = ProblemBuilder()
                  .add("a", 32, {{0, 2}}) // 0: the first
                  .add("b", 16, {{1, 4}}) // 32: above a
                  .add("c", 16, {{2, 5}}) // 0: a has ended
                  .add("d", 16, {{3, 4}}) // 16: the rest of a's place
                  .solved(Strategy::LinearScan);
  EXPECT_EQ(plan.offsets, (std::vector<int64_t>{0, 32, 0, 16}));
}

TEST(BestFit, PrefersTheNarrowestGap) {
  // When d starts, [0, 32) and [40, 56) are free; both hold 16 bytes.
  ProblemBuilder builder;
  builder.add("a", 32, {{0, 2}})
      .add("b", 8, {{0, 9}})
      .add("c", 16, {{0, 2}})
      .add("e", 8, {{0, 9}})
      .add("d", 16, {{3, 5}});
  // By size at time 0: a 0, c 32, b 48, e 56; then d takes c's place exactly.
  EXPECT_EQ(builder.solved(Strategy::BestFit).offsets,
            (std::vector<int64_t>{0, 48, 32, 56, 0}));
  EXPECT_EQ(builder.solved(Strategy::LinearScan).offsets,
            (std::vector<int64_t>{0, 32, 40, 56, 0}));
}

TEST(GreedyBySize, LargestFirst) {
  Plan plan = ProblemBuilder()
                  .add("small", 8, {{0, 4}})  // 24: above both
                  .add("large", 16, {{0, 2}}) // 0: the largest
                  .add("mid", 8, {{1, 4}})    // 16 + 8
                  .solved(Strategy::GreedyBySize);
  EXPECT_EQ(plan.offsets, (std::vector<int64_t>{16, 0, 24}));
}

TEST(GreedyBySize, IsNotOptimal) {
  // The three buffers of 3 bytes come first, and 'c' gets offset 0. Then 'b'
  // has the bytes from 3 to 6 and 'c' those below 3, so 'd' must go on top:
  //
  //   greedy 7         d d .       optimum 6
  //          3   . b b . .                   . b b c c
  //          0   a a . c c                   a a d d .   d under c, c on 3
  //      time    0 1 2 3 4                   0 1 2 3 4
  ProblemBuilder builder;
  builder.add("a", 3, {{0, 2}})
      .add("b", 3, {{1, 3}})
      .add("c", 3, {{3, 5}})
      .add("d", 1, {{2, 4}});
  EXPECT_EQ(builder.solved(Strategy::GreedyBySize).arenaSize, 7);
  EXPECT_EQ(exhaustiveOptimum(builder.raw(), 20), 6);
}

TEST(Auto, IsNeverWorseThanAGreedyOrder) {
  RandomOptions options;
  options.maxBuffers = 30;
  options.maxSize = 50;
  options.maxTime = 40;
  options.pins = false;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    Problem problem = randomProblem(seed, options);
    int64_t best = solve(problem, optionsFor(Strategy::Auto)).arenaSize;
    for (Strategy strategy : allStrategies()) {
      if (strategy == Strategy::Exact || strategy == Strategy::HillClimb)
        continue;
      EXPECT_LE(best, solve(problem, optionsFor(strategy)).arenaSize)
          << "seed " << seed;
    }
  }
}

TEST(Auto, NamesAnOrderThatGivesTheArena) {
  int named = 0, apart = 0, unused = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    RandomOptions options;
    options.maxBuffers = 30;
    options.maxSize = 50;
    options.maxTime = 40;
    options.overlaps = seed % 2 != 0;
    if (options.overlaps)
      options.maxBuffers = 60;
    Problem problem = randomProblem(seed, options);
    for (Strategy strategy :
         {Strategy::Auto, Strategy::BestFit, Strategy::LinearScan}) {
      SolveOptions solving = optionsFor(strategy);
      // Too few nodes for a search to find what an order has missed.
      solving.nodeLimit = 1;
      Plan plan = solve(problem, solving);
      std::string name = plan.strategy;
      Problem own = problem;
      if (size_t end = name.rfind("/apart"); end != std::string::npos) {
        name.resize(end);
        own.overlaps.clear();
        EXPECT_NE(plan.message.find("without permitted overlaps"),
                  std::string::npos);
        ++apart;
      }
      std::optional<Strategy> order = parseStrategy(name);
      if (!order || *order == Strategy::HillClimb ||
          *order == Strategy::Exact || !plan.hasOffsets())
        continue;
      Plan again = solve(own, optionsFor(*order));
      EXPECT_EQ(again.arenaSize, plan.arenaSize) << name << ", seed " << seed;
      EXPECT_EQ(again.strategy, name) << "seed " << seed;
      ++named;
      unused += *order == Strategy::Naive;
    }
  }
  EXPECT_GT(named, 100);
  EXPECT_GT(apart, 0);
  EXPECT_GT(unused, 0);
}

TEST(Auto, NamesTheWinnerAndWhyItStopped) {
  Plan plan = ProblemBuilder().add("a", 7, {{3, 4}}).solved();
  EXPECT_EQ(plan.strategy, "greedy-by-breadth");
  EXPECT_EQ(plan.message,
            "1 greedy orders (7); stopped: the lower bound is met");
}

// The problem has one large buffer that is always live. The smaller the
// possible gain is in relation to the arena, the less effort the search spends.
TEST(Auto, SearchesForWhatIsWorthIt) {
  auto build = [](int64_t below) {
    Random random(3);
    ProblemBuilder builder;
    builder.add("below", below, {{0, 1000}});
    for (int i = 0; i < 1000; ++i) {
      int64_t begin = random.in(0, 900);
      builder.add("b" + std::to_string(i), random.in(500, 1000),
                  {{begin, begin + random.in(1, 100)}});
    }
    return builder.raw();
  };
  SolveOptions options;
  Plan some = solveVerified(build(20'000'000), options);
  EXPECT_GT(some.nodes, 5000) << some.message;
  EXPECT_LT(some.nodes, 20000) << some.message;
  Problem problem = build(1'000'000'000'000);
  Plan none = solveVerified(problem, options);
  EXPECT_LT(none.nodes, 3000) << none.message;
  const char *why = "what is left to gain is worth no more effort";
  EXPECT_NE(none.message.find(why), std::string::npos) << none.message;

  options.nodeLimit = 6000;
  EXPECT_GT(solveVerified(problem, options).nodes, 5000);
  options.nodeLimit.reset();
  options.effort = Effort::Low;
  problem.capacity = none.lowerBound;
  Plan capped = solveVerified(problem, options);
  EXPECT_EQ(capped.message.find(why), std::string::npos) << capped.message;
}

// The same for the sweeps of a problem with more buffers than complete search
// takes: each try is short, and all of them together spend what the gap earns.
TEST(Auto, SweepsForWhatIsWorthIt) {
  Random random(1);
  ProblemBuilder builder;
  constexpr int steps = 1500;
  builder.add("below", 200'000'000, {{0, 2 * steps + 3}});
  for (int i = 0; i < steps; ++i) {
    auto name = [&](const char *kind) { return kind + std::to_string(i); };
    builder.add(name("kept"), 4 * random.in(1, 4000), {{i, 2 * steps - i}});
    builder.add(name("used"), 4 * random.in(1, 40000),
                {{i, i + random.in(2, 4)}});
    builder.add(name("gradient"), 4 * random.in(1, 40000),
                {{2 * steps - i, 2 * steps - i + random.in(1, 3)}});
  }
  Plan plan = solveVerified(builder.raw(), SolveOptions());
  ASSERT_GT(plan.arenaSize, plan.lowerBound);
  EXPECT_LT(double(plan.arenaSize), 1.0002 * double(plan.lowerBound));
  EXPECT_LT(plan.nodes, 120000) << plan.message;
}
