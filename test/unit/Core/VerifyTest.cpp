//===- VerifyTest.cpp - The verifier against wrong plans ------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tests the verifier with hand-written plans, each of which has one error.
//
//===----------------------------------------------------------------------===//

#include "ProblemBuilder.h"

using namespace memplan;
using namespace memplan::test;

namespace {

Plan planOf(std::vector<int64_t> offsets, int64_t arenaSize) {
  Plan plan;
  plan.offsets = std::move(offsets);
  plan.arenaSize = arenaSize;
  plan.status = PlanStatus::Feasible;
  return plan;
}

/// a = [0, 64) and b = [0, 64), live together at 3 only.
ProblemBuilder twoBuffers() {
  return ProblemBuilder().add("a", 64, {{0, 4}}).add("b", 64, {{3, 7}});
}

} // namespace

TEST(Verify, AcceptsACorrectPlan) {
  EXPECT_EQ(text(verify(twoBuffers().raw(), planOf({0, 64}, 128))), "");
  // An arena that is larger than necessary is not an error.
  EXPECT_EQ(text(verify(twoBuffers().raw(), planOf({64, 0}, 1000))), "");
  EXPECT_EQ(text(verify(Problem(), planOf({}, 0))), "");
}

TEST(Verify, NamesTheTwoBuffersThatClash) {
  std::vector<Issue> issues = verify(twoBuffers().raw(), planOf({0, 32}, 128));
  ASSERT_EQ(issues.size(), 1u);
  EXPECT_EQ(issues[0].message,
            "buffers 'a' [0, 64) and 'b' [32, 96) share bytes [32, 64) while "
            "both are live at time 3");
  EXPECT_EQ(issues[0].buffers, (std::vector<BufferIndex>{0, 1}));
}

TEST(Verify, OneByteIsAClash) {
  EXPECT_EQ(verify(twoBuffers().raw(), planOf({0, 63}, 128)).size(), 1u);
  EXPECT_EQ(verify(twoBuffers().raw(), planOf({63, 0}, 128)).size(), 1u);
}

TEST(Verify, FindsAClashBehindALongerNeighbour) {
  // The clashing pair is not adjacent in address order: 'c' starts between.
  Problem problem = ProblemBuilder()
                        .add("long", 100, {{0, 9}})
                        .add("c", 10, {{0, 2}})
                        .add("late", 10, {{5, 6}})
                        .raw();
  EXPECT_EQ(text(verify(problem, planOf({0, 100, 80}, 110))),
            "buffers 'long' [0, 100) and 'late' [80, 90) share bytes [80, 90) "
            "while both are live at time 5\n");
}

TEST(Verify, ReportsAPairOnceAndEveryPair) {
  Problem problem = ProblemBuilder()
                        .add("a", 8, {{0, 2}, {4, 6}})
                        .add("b", 8, {{0, 2}, {4, 6}})
                        .add("c", 8, {{5, 6}})
                        .raw();
  EXPECT_EQ(verify(problem, planOf({0, 0, 0}, 8)).size(), 3u);
  EXPECT_EQ(verify(problem, planOf({0, 0, 0}, 8), 2).size(), 2u);
}

TEST(Verify, HolesMayBeUsed) {
  ProblemBuilder builder;
  builder.add("a", 8, {{0, 2}, {5, 7}}).add("b", 8, {{2, 5}});
  EXPECT_EQ(text(verify(builder.raw(), planOf({0, 0}, 8))), "");
  builder.add("c", 8, {{4, 6}});
  EXPECT_EQ(verify(builder.raw(), planOf({0, 0, 0}, 8)).size(), 2u);
}

TEST(Verify, CountsOffsets) {
  EXPECT_EQ(text(verify(twoBuffers().raw(), planOf({0}, 128))),
            "the plan has 1 offsets for 2 buffers\n");
}

TEST(Verify, RefusesBadPlaces) {
  EXPECT_EQ(text(verify(twoBuffers().raw(), planOf({0, 65}, 128))),
            "buffer 'b' [65, 129) exceeds the arena of 128 bytes\n");
  EXPECT_EQ(text(verify(twoBuffers().raw(), planOf({0, -64}, 128))),
            "buffer 'b' has the negative offset -64\n");
  EXPECT_EQ(text(verify(twoBuffers().raw(), planOf({0, INT64_MAX}, INT64_MAX))),
            "buffer 'b' at offset 9223372036854775807 ends beyond 64 bits\n");
  ProblemBuilder aligned = twoBuffers().align(16);
  EXPECT_EQ(text(verify(aligned.raw(), planOf({0, 72}, 200))),
            "buffer 'b' at offset 72 is not aligned to 16\n");
  ProblemBuilder pinned = twoBuffers().pin(128);
  EXPECT_EQ(text(verify(pinned.raw(), planOf({0, 64}, 200))),
            "buffer 'b' is pinned at offset 128 but placed at 64\n");
}

TEST(Verify, HoldsThePlanToItsCapacityAndItsClaims) {
  ProblemBuilder builder = twoBuffers().capacity(100);
  Plan plan = planOf({0, 64}, 128);
  EXPECT_EQ(text(verify(builder.raw(), plan)),
            "the arena of 128 bytes exceeds the capacity of 100 bytes by 28\n");
  plan.status = PlanStatus::Limit;
  EXPECT_EQ(text(verify(builder.raw(), plan)), "");
  plan.lowerBound = 129;
  EXPECT_EQ(text(verify(builder.raw(), plan)),
            "the arena of 128 bytes is below the lower bound of 129 bytes\n");
}

TEST(Verify, ConflictsHoldWhateverTheTimes) {
  ProblemBuilder builder;
  builder.add("a", 64, {{0, 1}}).add("b", 64, {{5, 6}});
  EXPECT_EQ(text(verify(builder.raw(), planOf({0, 0}, 64))), "");
  builder.conflict("b", "a");
  EXPECT_EQ(text(verify(builder.raw(), planOf({0, 8}, 72))),
            "buffers 'a' [0, 64) and 'b' [8, 72) share bytes [8, 64) although "
            "they are declared to conflict\n");
  EXPECT_EQ(text(verify(builder.raw(), planOf({0, 64}, 128))), "");
}

TEST(Verify, PermittedOverlapsHoldInTheirRangeOnly) {
  ProblemBuilder builder = twoBuffers().permit("a", "b", 0, 16);
  EXPECT_EQ(text(verify(builder.raw(), planOf({0, 0}, 64))), "");
  EXPECT_EQ(text(verify(builder.raw(), planOf({0, 16}, 80))), "");
  EXPECT_EQ(text(verify(builder.raw(), planOf({0, 17}, 81))),
            "buffers 'a' [0, 64) and 'b' [17, 81) share bytes [17, 64) while "
            "both are live at time 3, outside the permitted range of their "
            "offsets\n");
  // The delta is second - first: the other direction is not permitted.
  EXPECT_EQ(verify(builder.raw(), planOf({16, 0}, 80)).size(), 1u);
  EXPECT_EQ(text(verify(builder.raw(), planOf({0, 64}, 128))), "");
  // A conflict of the same pair wins.
  builder.conflict("a", "b");
  EXPECT_EQ(verify(builder.raw(), planOf({0, 0}, 64)).size(), 1u);
}

TEST(Verify, APermitOfOnePairIsNoneOfAnother) {
  ProblemBuilder builder = twoBuffers().permit("a", "b", 0, 0);
  builder.add("c", 64, {{3, 4}});
  EXPECT_EQ(verify(builder.raw(), planOf({0, 0, 0}, 64)).size(), 2u);
}

TEST(Verify, EmptyBuffersNeverClash) {
  Problem problem =
      ProblemBuilder().add("a", 64, {{0, 4}}).add("zero", 0, {{0, 4}}).raw();
  EXPECT_EQ(text(verify(problem, planOf({0, 32}, 64))), "");
  EXPECT_EQ(text(verify(problem, planOf({0, 65}, 64))),
            "buffer 'zero' [65, 65) exceeds the arena of 64 bytes\n");
}
