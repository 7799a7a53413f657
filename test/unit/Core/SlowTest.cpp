//===- SlowTest.cpp - Large numbers of random problems --------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tests the properties of the quick tests on so many problems that rare
// interactions of the model's features occur.
//
//===----------------------------------------------------------------------===//

#include "ExactReference.h"
#include "memplan/Core/Spaces.h"

using namespace memplan;
using namespace memplan::test;

namespace {

class EveryStrategy : public testing::TestWithParam<Strategy> {};

} // namespace

INSTANTIATE_TEST_SUITE_P(Strategies, EveryStrategy,
                         testing::ValuesIn(allStrategies()),
                         [](const auto &info) {
                           std::string name(strategyName(info.param));
                           for (char &c : name)
                             if (c == '-')
                               c = '_';
                           return name;
                         });

TEST_P(EveryStrategy, HundredThousandRandomProblemsVerify) {
  SolveOptions solveOptions = optionsFor(GetParam());
  for (uint64_t seed = 0; seed < 100000; ++seed) {
    RandomOptions options;
    options.maxBuffers = seed % 2 ? 8 : 24;
    options.maxSize = seed % 3 ? 6 : 64;
    options.maxTime = seed % 5 ? 12 : 60;
    options.pins = seed % 4 == 0;
    Problem problem = randomProblem(seed, options);
    if (seed % 7 == 0)
      problem.capacity = lowerBound(problem) + static_cast<int64_t>(seed % 5);
    SCOPED_TRACE("seed " + std::to_string(seed));
    if (solveOptions.nodeLimit && *solveOptions.nodeLimit > 300)
      solveOptions.nodeLimit = 300;
    solveVerified(problem, solveOptions);
    if (HasFailure())
      return;
  }
}

TEST(Exact, EqualsExhaustiveSearchOnTenThousandProblems) {
  int compared = 0;
  for (uint64_t seed = 1000; seed < 11000 && !testing::Test::HasFailure();
       ++seed)
    compared += compareWithExhaustive(seed);
  EXPECT_GT(compared, 7000);
}

TEST(LowerBound, NeverExceedsTheOptimumOnThirtyThousandProblems) {
  for (uint64_t seed = 0; seed < 30000; ++seed) {
    RandomOptions options;
    options.maxBuffers = 5;
    Problem problem = randomProblem(seed, options);
    if (std::optional<int64_t> optimum = exhaustiveOptimum(problem, 24))
      EXPECT_LE(lowerBound(problem), *optimum) << "seed " << seed;
  }
}

/// Buffers that are all written before any is read.
static SpaceProblem makeWide(int64_t numBuffers) {
  SpaceProblem problem;
  problem.capacity = 4096;
  for (int64_t i = 0; i < numBuffers; ++i) {
    SpaceBuffer buffer;
    buffer.id = "b" + std::to_string(i);
    buffer.size = 64;
    SpaceAccess written, read;
    written.span = {i, i + 1};
    written.bytesWritten = 64;
    written.writes = true;
    written.needsContents = false;
    read.span = {numBuffers + i, numBuffers + i + 1};
    read.bytesRead = 64;
    buffer.accesses = {written, read};
    problem.buffers.push_back(std::move(buffer));
  }
  return problem;
}

// Where the work of the search would grow with the third power of the buffers,
// several of them give way at once, and there are fewer exchanges.
TEST(SlowSpaces, ThousandsOfBuffersAreSearched) {
  SpaceProblem problem = makeWide(2000);
  SpaceAssignment assignment = assignSpaces(problem);
  ASSERT_TRUE(assignment.hasSteps()) << assignment.message;
  EXPECT_EQ(assignment.message, "");
  EXPECT_LE(assignment.cost, farthestLastUse(problem).cost);
  EXPECT_GE(assignment.lowerBound, assignment.cost * 95 / 100);
}

TEST(SlowSpaces, VeryManyAreAssignedByFarthestLastUse) {
  SpaceProblem problem = makeWide(15000);
  SpaceAssignment assignment = assignSpaces(problem);
  ASSERT_TRUE(assignment.hasSteps()) << assignment.message;
  EXPECT_EQ(assignment.message, "too many buffers are live together for a "
                                "search: by farthest last use");
  EXPECT_LE(assignment.lowerBound, assignment.cost);
}
