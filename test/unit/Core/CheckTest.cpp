//===- CheckTest.cpp - Tests of the checks of problems --------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProblemBuilder.h"

using namespace memplan;
using namespace memplan::test;

namespace {

std::string firstIssue(const Problem &problem) {
  std::vector<Issue> issues = check(problem);
  return issues.empty() ? "" : issues.front().message;
}

} // namespace

TEST(Check, AcceptsTheBoundaries) {
  EXPECT_EQ(firstIssue(Problem()), "");
  EXPECT_EQ(firstIssue(ProblemBuilder()
                           .add("zero", 0, {{0, 1}})
                           .add("touching", 1, {{0, 2}, {2, 5}})
                           .add("aligned", 1, {{-5, 0}})
                           .align(64)
                           .pin(128)
                           .capacity(0)
                           .raw()),
            "");
}

TEST(Check, RefusesSizesAndAlignments) {
  EXPECT_EQ(firstIssue(ProblemBuilder().add("a", -1, {{0, 1}}).raw()),
            "buffer 'a' has the negative size -1");
  EXPECT_EQ(firstIssue(ProblemBuilder().add("a", 1, {{0, 1}}).align(0).raw()),
            "buffer 'a' has the alignment 0, which is not a power of two");
  EXPECT_EQ(firstIssue(ProblemBuilder().add("a", 1, {{0, 1}}).align(12).raw()),
            "buffer 'a' has the alignment 12, which is not a power of two");
  EXPECT_EQ(firstIssue(ProblemBuilder().add("a", 1, {{0, 1}}).align(128).raw()),
            "buffer 'a' has the alignment 128 but the arena is aligned to 64");
  EXPECT_EQ(firstIssue(ProblemBuilder().arenaAlign(48).raw()),
            "arena alignment 48 is not a power of two");
}

TEST(Check, RefusesSharingRules) {
  auto two = [] {
    return ProblemBuilder().add("a", 8, {{0, 1}}).add("b", 8, {{1, 2}});
  };
  EXPECT_EQ(firstIssue(two().soft("a", "b", 0).allOrNone("a", "b").raw()), "");
  EXPECT_EQ(firstIssue(two().soft("a", "b", -1).raw()),
            "soft conflict of buffer 'a' and buffer 'b' has the negative "
            "weight -1");
  EXPECT_EQ(firstIssue(two().soft("a", "a", 1).raw()),
            "soft conflict of buffer 'a' with itself");
  EXPECT_EQ(firstIssue(two().allOrNone("b", "b").raw()),
            "pair of all or none of buffer 'b' with itself");
  EXPECT_EQ(
      firstIssue(two().soft("a", "b", 1, SoftConflict::Kind::Bank).raw()),
      "soft conflict of buffer 'a' and buffer 'b' is about banks, and the "
      "problem has no bank size");
  EXPECT_EQ(
      firstIssue(
          two().soft("a", "b", INT64_MAX).soft("a", "b", INT64_MAX).raw()),
      "the sum of the weights overflows 64 bits at the soft conflict of "
      "buffer 'a' and buffer 'b'");
  EXPECT_EQ(firstIssue(two().banks(0).raw()), "bank size 0 is not positive");
  EXPECT_EQ(firstIssue(two().banks(7).raw()),
            "buffer 'a' of 8 bytes does not fit into a bank of 7");
  EXPECT_EQ(firstIssue(two().align(8).banks(12).raw()),
            "bank size 12 is no multiple of the alignment 8 of buffer 'b'");
}

TEST(Check, RefusesRanges) {
  EXPECT_EQ(firstIssue(ProblemBuilder().add("a", 1, {}).raw()),
            "buffer 'a' has no live range");
  EXPECT_EQ(firstIssue(ProblemBuilder().add("a", 1, {{3, 3}}).raw()),
            "buffer 'a' has the empty live range [3, 3)");
  EXPECT_EQ(firstIssue(ProblemBuilder().add("a", 1, {{0, 4}, {3, 5}}).raw()),
            "buffer 'a' has live ranges that overlap or are not sorted: "
            "[0, 4) and [3, 5)");
}

TEST(Check, RefusesPins) {
  EXPECT_EQ(firstIssue(ProblemBuilder().add("a", 1, {{0, 1}}).pin(-8).raw()),
            "buffer 'a' is pinned at the negative offset -8");
  EXPECT_EQ(
      firstIssue(ProblemBuilder().add("a", 1, {{0, 1}}).align(8).pin(12).raw()),
      "buffer 'a' is pinned at offset 12, which is not a multiple of its "
      "alignment 8");
}

TEST(Check, RefusesPairs) {
  Problem problem = ProblemBuilder().add("a", 1, {{0, 1}}).raw();
  problem.conflicts = {{0, 0}};
  EXPECT_EQ(firstIssue(problem), "conflict of buffer 'a' with itself");
  problem.conflicts = {{0, 7}};
  EXPECT_EQ(firstIssue(problem), "conflict names buffer #7 but there are 1 "
                                 "buffers");
  problem.conflicts.clear();
  problem.overlaps = {{0, 0, 0, 0}};
  EXPECT_EQ(firstIssue(problem), "permitted overlap of buffer 'a' with itself");
  EXPECT_EQ(firstIssue(ProblemBuilder()
                           .add("a", 1, {{0, 1}})
                           .add("b", 1, {{0, 1}})
                           .permit("a", "b", 1, 0)
                           .raw()),
            "permitted overlap of buffer 'a' and buffer 'b' has the empty "
            "range [1, 0]");
}

TEST(Check, RefusesANegativeCapacity) {
  EXPECT_EQ(firstIssue(ProblemBuilder().capacity(-1).raw()),
            "capacity -1 is negative");
}

TEST(Check, RefusesTimesThatAreTooFarApart) {
  constexpr int64_t most = int64_t(1) << 62;
  EXPECT_EQ(firstIssue(ProblemBuilder().add("a", 1, {{-most, most}}).raw()),
            "");
  EXPECT_EQ(firstIssue(ProblemBuilder().add("a", 1, {{0, most + 1}}).raw()),
            "buffer 'a' has the live range [0, 4611686018427387905), which is "
            "not within [-2^62, 2^62]");
  EXPECT_NE(firstIssue(ProblemBuilder().add("a", 1, {{-most - 1, 0}}).raw()),
            "");
}

TEST(Check, RefusesSumsThatOverflow) {
  EXPECT_EQ(firstIssue(ProblemBuilder()
                           .add("a", INT64_MAX - 1, {{0, 1}})
                           .add("b", 1, {{5, 6}})
                           .raw()),
            "the sum of the buffer sizes overflows 64 bits at buffer 'b'");
  // The last address plus one must fit into int64 as well.
  EXPECT_NE(firstIssue(ProblemBuilder().add("a", INT64_MAX, {{0, 1}}).raw()),
            "");
  EXPECT_EQ(
      firstIssue(ProblemBuilder().add("a", INT64_MAX - 1, {{0, 1}}).raw()), "");
  // Padding for alignment counts as well.
  EXPECT_NE(
      firstIssue(
          ProblemBuilder().add("a", INT64_MAX - 1, {{0, 1}}).align(2).raw()),
      "");
  EXPECT_NE(
      firstIssue(
          ProblemBuilder().add("a", 2, {{0, 1}}).pin(INT64_MAX - 1).raw()),
      "");
}

TEST(Check, StopsAtTheIssuesAskedFor) {
  Problem problem;
  for (int i = 0; i < 40; ++i)
    problem.buffers.push_back({"x", -1, 1, {{0, 1}}, std::nullopt});
  EXPECT_EQ(check(problem, 3).size(), 3u);
  EXPECT_EQ(check(problem).size(), 16u);
}

TEST(Check, NamesTheBuffersConcerned) {
  std::vector<Issue> issues = check(
      ProblemBuilder().add("a", 1, {{0, 1}}).add("b", -2, {{0, 1}}).raw());
  ASSERT_EQ(issues.size(), 1u);
  EXPECT_EQ(issues[0].buffers, std::vector<BufferIndex>{1});
}

TEST(Solve, SaysWhatCheckRefused) {
  Plan plan = solve(ProblemBuilder().add("a", -1, {{0, 1}}).raw());
  EXPECT_EQ(plan.status, PlanStatus::Invalid);
  EXPECT_EQ(plan.message, "buffer 'a' has the negative size -1");
  EXPECT_FALSE(plan.hasOffsets());
}
