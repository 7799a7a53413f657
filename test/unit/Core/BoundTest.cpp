//===- BoundTest.cpp - Lower bounds against the optimum -------------------===//
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

TEST(FindPeak, NamesTheFirstTimeAndTheBuffers) {
  Problem problem = ProblemBuilder()
                        .add("a", 10, {{0, 4}})
                        .add("b", 20, {{2, 6}})
                        .add("c", 10, {{5, 8}})
                        .add("zero", 0, {{2, 3}})
                        .raw();
  Peak peak = findPeak(problem);
  EXPECT_EQ(peak.bytes, 30);
  EXPECT_EQ(peak.time, 2);
  EXPECT_EQ(peak.buffers, (std::vector<BufferIndex>{1, 0}));
}

TEST(FindPeak, AnEndMakesRoomForAStartAtTheSameTime) {
  EXPECT_EQ(
      findPeak(
          ProblemBuilder().add("a", 10, {{0, 4}}).add("b", 10, {{4, 6}}).raw())
          .bytes,
      10);
  EXPECT_EQ(findPeak(Problem()).bytes, 0);
}

TEST(LowerBound, IsMaxLoadForPlainProblems) {
  EXPECT_EQ(lowerBound(ProblemBuilder()
                           .add("a", 10, {{0, 2}, {6, 8}})
                           .add("b", 20, {{2, 6}})
                           .add("c", 5, {{1, 7}})
                           .raw()),
            25);
  EXPECT_EQ(lowerBound(Problem()), 0);
}

TEST(LowerBound, CountsThePermittedPairOnce) {
  ProblemBuilder builder;
  builder.add("a", 10, {{0, 4}}).add("b", 30, {{2, 6}});
  EXPECT_EQ(lowerBound(builder.raw()), 40);
  builder.permit("a", "b", 0, 0);
  EXPECT_EQ(lowerBound(builder.raw()), 30);
}

TEST(LowerBound, CountsWhatADiagonalOverlapCannotCover) {
  // b starts at least 6 bytes above a, so b cannot cover the lowest 6 bytes of
  // a.
  ProblemBuilder builder;
  builder.add("a", 10, {{0, 4}}).add("b", 30, {{2, 6}});
  builder.permit("a", "b", 6, 8);
  EXPECT_EQ(lowerBound(builder.raw()), 36);
}

TEST(LowerBound, AChainOfPermittedPairsCountsItsEnds) {
  // b may share with a and with c, but a and c may not share.
  ProblemBuilder builder;
  builder.add("a", 10, {{0, 4}}).add("b", 10, {{0, 4}}).add("c", 10, {{0, 4}});
  builder.permit("a", "b", 0, 0).permit("b", "c", 0, 0);
  EXPECT_EQ(lowerBound(builder.raw()), 20);
}

TEST(LowerBound, GranulesOfAlignedBuffers) {
  // Three buffers of 40 bytes on multiples of 64: 64 + 64 + 40.
  EXPECT_EQ(lowerBound(ProblemBuilder()
                           .add("a", 40, {{0, 4}})
                           .align(64)
                           .add("b", 40, {{0, 4}})
                           .align(64)
                           .add("c", 40, {{0, 4}})
                           .align(64)
                           .raw()),
            168);
}

TEST(LowerBound, GranulesOfBuffersThatMayShare) {
  // a may share all its bytes with b, so b and c count: 64 + 64 bytes, less the
  // rounding of c, 24 bytes.
  ProblemBuilder builder;
  builder.add("a", 40, {{0, 4}}).align(64).add("b", 48, {{0, 4}}).align(64);
  builder.add("c", 40, {{0, 4}}).align(64).permit("a", "b", 0, 0);
  EXPECT_EQ(lowerBound(builder.raw()), 104);
}

TEST(LowerBound, GranulesThatADiagonalOverlapCannotCover) {
  // b starts one granule above a, so it cannot cover the first granule of a: 64
  // + 128 bytes, less the rounding of b, 28 bytes; a has no rounding.
  ProblemBuilder builder;
  builder.add("a", 128, {{0, 4}}).align(64).add("b", 100, {{0, 4}}).align(64);
  builder.permit("a", "b", 64, 64);
  EXPECT_EQ(lowerBound(builder.raw()), 164);
}

TEST(LowerBound, GranulesOnlyOfWhatIsLiveTogether) {
  // The largest rounding, 63 bytes of d, is at another time than the peak.
  EXPECT_EQ(lowerBound(ProblemBuilder()
                           .add("a", 40, {{0, 4}})
                           .align(64)
                           .add("b", 60, {{0, 4}})
                           .align(64)
                           .add("d", 1, {{4, 6}})
                           .align(64)
                           .raw()),
            104);
}

TEST(LowerBound, PinsAndConflicts) {
  EXPECT_EQ(lowerBound(ProblemBuilder().add("a", 8, {{0, 1}}).pin(64).raw()),
            72);
  EXPECT_EQ(lowerBound(ProblemBuilder()
                           .add("a", 8, {{0, 1}})
                           .add("b", 8, {{1, 2}})
                           .conflict("a", "b")
                           .raw()),
            16);
}

TEST(LowerBound, GapsBelowAPinThatNothingFits) {
  // Neither a nor b fits into [0, 4) below the pin: 4 + 8 + 5 + 6.
  ProblemBuilder builder;
  builder.add("pin", 8, {{0, 4}}).pin(4).add("a", 5, {{0, 4}});
  EXPECT_EQ(lowerBound(builder.add("b", 6, {{0, 4}}).raw()), 23);
  // c fits below the pin, so the bound does not increase.
  EXPECT_EQ(lowerBound(builder.add("c", 4, {{0, 4}}).raw()), 23);
}

TEST(LowerBound, CliquesOfConflicts) {
  ProblemBuilder builder;
  builder.add("a", 8, {{0, 1}})
      .add("b", 8, {{1, 2}})
      .add("c", 8, {{2, 3}})
      .conflict("a", "b")
      .conflict("b", "c");
  EXPECT_EQ(lowerBound(builder.raw()), 16);
  EXPECT_EQ(lowerBound(builder.conflict("a", "c").raw()), 24);
}

TEST(LowerBound, CliquesOfConflictsAndCommonTimes) {
  // Four pairs; the two of a pair are live together, and every two pairs are in
  // conflict. So no two of the eight share a byte.
  ProblemBuilder builder;
  for (int pair = 0; pair < 4; ++pair)
    for (const char *half : {"x", "y"})
      builder.add(half + std::to_string(pair), 8, {{2 * pair, 2 * pair + 2}});
  Problem problem = builder.raw();
  for (BufferIndex a = 0; a < 8; ++a)
    for (BufferIndex b = a + 1; b < 8; ++b)
      if (a / 2 != b / 2)
        problem.conflicts.push_back({a, b});
  EXPECT_EQ(lowerBound(problem), 64);
  Plan plan = solveVerified(problem, {});
  EXPECT_EQ(plan.status, PlanStatus::Optimal);
  EXPECT_EQ(plan.arenaSize, 64);
}

TEST(LowerBound, BuffersThatMeetInPairs) {
  ProblemBuilder builder;
  builder.add("a", 8, {{0, 2}, {4, 6}}).add("b", 8, {{0, 4}});
  builder.add("c", 8, {{2, 6}});
  EXPECT_EQ(lowerBound(builder.raw()), 24);
  // d meets only a.
  builder.add("d", 8, {{5, 7}});
  EXPECT_EQ(lowerBound(builder.raw()), 24);
  EXPECT_EQ(solveVerified(builder.raw(), {}).arenaSize, 24);
}

TEST(LowerBound, GranulesOfAClique) {
  // 64 + 64 + 40, as if the three were live at one time.
  ProblemBuilder builder;
  builder.add("a", 40, {{0, 4}}).align(64).add("b", 40, {{0, 2}}).align(64);
  builder.add("c", 40, {{4, 6}}).align(64);
  builder.conflict("a", "c").conflict("b", "c");
  EXPECT_EQ(lowerBound(builder.raw()), 168);
}

TEST(LowerBound, APermittedPairIsNoPartOfAClique) {
  ProblemBuilder builder;
  builder.add("a", 8, {{0, 4}}).add("b", 8, {{0, 4}}).add("c", 8, {{4, 6}});
  builder.permit("a", "b", 0, 0).conflict("a", "c").conflict("b", "c");
  EXPECT_EQ(lowerBound(builder.raw()), 16);
  EXPECT_EQ(solveVerified(builder.raw(), {}).arenaSize, 16);
}

TEST(LowerBound, NeverExceedsTheOptimumWithManyConflicts) {
  int compared = 0, met = 0;
  for (uint64_t seed = 0; seed < 400; ++seed) {
    RandomOptions options;
    options.maxBuffers = 6;
    options.pins = seed % 4 == 0;
    options.overlaps = seed % 3 == 0;
    Problem problem = randomProblem(seed, options);
    Random random(seed);
    auto count = static_cast<int64_t>(problem.buffers.size());
    for (int64_t pairs = random.in(0, 2 * count); pairs > 0; --pairs) {
      auto a = static_cast<BufferIndex>(random.in(0, count - 1));
      auto b = static_cast<BufferIndex>(random.in(0, count - 1));
      if (a != b)
        problem.conflicts.push_back({a, b});
    }
    std::optional<int64_t> optimum = exhaustiveOptimum(problem, 24);
    if (!optimum)
      continue;
    ++compared;
    met += lowerBound(problem) == *optimum;
    EXPECT_LE(lowerBound(problem), *optimum) << "seed " << seed;
    Plan plan = solveVerified(problem, {});
    EXPECT_EQ(plan.arenaSize, *optimum) << "seed " << seed;
    EXPECT_EQ(plan.status, PlanStatus::Optimal) << "seed " << seed;
  }
  EXPECT_GT(compared, 200);
  EXPECT_GT(met, compared * 3 / 4);
}

TEST(LowerBound, NeverExceedsTheOptimum) {
  int compared = 0;
  for (uint64_t seed = 0; seed < 1500; ++seed) {
    RandomOptions options;
    options.maxBuffers = 5;
    // Every other problem has no pins and conflicts, which would hide the
    // interaction of alignments and overlaps.
    options.pins = options.conflicts = seed % 2 == 0;
    Problem problem = randomProblem(seed, options);
    std::optional<int64_t> optimum = exhaustiveOptimum(problem, 24);
    if (!optimum)
      continue;
    ++compared;
    EXPECT_LE(lowerBound(problem), *optimum) << "seed " << seed;
  }
  EXPECT_GT(compared, 1000);
}

TEST(TotalSize, SumsEverySize) {
  EXPECT_EQ(
      totalSize(
          ProblemBuilder().add("a", 10, {{0, 4}}).add("b", 30, {{2, 6}}).raw()),
      40);
}
