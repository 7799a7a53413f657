//===- ProblemTest.cpp - Ranges, arithmetic, names ------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Core/Problem.h"
#include "memplan/Core/CheckedMath.h"
#include "memplan/Core/Solver.h"

#include "gtest/gtest.h"

using namespace memplan;

TEST(NormalizeRanges, SortsMergesAndDropsEmptyOnes) {
  LiveRanges ranges = {{5, 7}, {0, 2}, {2, 3}, {9, 9}, {6, 8}, {4, 3}};
  normalizeRanges(ranges);
  EXPECT_EQ(ranges, (LiveRanges{{0, 3}, {5, 8}}));
}

TEST(NormalizeRanges, KeepsAContainingRange) {
  LiveRanges ranges = {{0, 9}, {2, 3}};
  normalizeRanges(ranges);
  EXPECT_EQ(ranges, (LiveRanges{{0, 9}}));
}

TEST(NormalizeRanges, EmptyStaysEmpty) {
  LiveRanges ranges;
  normalizeRanges(ranges);
  EXPECT_TRUE(ranges.empty());
}

/// Changes a value of any kind of field.
static void change(std::string &text) { text += "x"; }
static void change(int64_t &number) { number = 128; }
static void change(std::optional<int64_t> &number) { number = 128; }
static void change(std::optional<Formula> &formula) { formula = Formula(8); }
static void change(LiveRanges &ranges) { ranges.push_back({3, 5}); }
static void change(std::vector<int64_t> &numbers) { numbers.push_back(64); }
static void change(BufferIndex &buffer) { ++buffer; }
static void change(SoftConflict::Kind &kind) {
  kind = SoftConflict::Kind::Bank;
}
template <typename Pair> static void change(std::vector<Pair> &pairs) {
  pairs.push_back({0, 1});
}

template <typename Record> static void expectEachFieldCounts() {
  forEachField<Record>([](const auto &field) {
    const Record record = {};
    Record other = record;
    EXPECT_TRUE(other == record) << field.name;
    EXPECT_TRUE(field.hasDefault(other)) << field.name;
    change(other.*field.member);
    EXPECT_FALSE(other == record) << field.name;
    EXPECT_TRUE(field.isWritten(other)) << field.name;
  });
}

TEST(Fields, EachCountsInEqualityAndIsWritten) {
  expectEachFieldCounts<Buffer>();
  expectEachFieldCounts<Conflict>();
  expectEachFieldCounts<PermittedOverlap>();
  expectEachFieldCounts<SoftConflict>();
  expectEachFieldCounts<AllOrNone>();
  expectEachFieldCounts<Problem>();
}

TEST(SelectBuffers, KeepsWhatIsAboutThem) {
  Problem problem;
  for (const char *id : {"a", "b", "c"})
    problem.buffers.emplace_back().id = id;
  problem.bankSize = 64;
  problem.capacity = 100;
  problem.conflicts = {{0, 1}, {2, 0}};
  problem.overlaps = {{0, 2, -8, 4}, {1, 2, 0, 0}};
  problem.softConflicts = {{2, 0, 5, SoftConflict::Kind::Bank}};
  problem.allOrNone = {{1, 0}};
  Problem selected = selectBuffers(problem, {2, 0});
  ASSERT_EQ(selected.buffers.size(), 2u);
  EXPECT_EQ(selected.buffers[0].id, "c");
  EXPECT_EQ(selected.bankSize, 64);
  EXPECT_EQ(selected.capacity, std::nullopt);
  EXPECT_TRUE(selected.conflicts == (std::vector<Conflict>{{0, 1}}));
  EXPECT_TRUE(selected.overlaps ==
              (std::vector<PermittedOverlap>{{1, 0, -8, 4}}));
  EXPECT_TRUE(selected.softConflicts ==
              (std::vector<SoftConflict>{{0, 1, 5, SoftConflict::Kind::Bank}}));
  EXPECT_TRUE(selected.allOrNone.empty());
}

TEST(RangesIntersect, TouchingRangesDoNot) {
  EXPECT_FALSE(rangesIntersect({{0, 2}}, {{2, 4}}));
  EXPECT_TRUE(rangesIntersect({{0, 3}}, {{2, 4}}));
}

TEST(RangesIntersect, AHoleHidesAnother) {
  EXPECT_FALSE(rangesIntersect({{0, 2}, {5, 7}}, {{2, 5}, {7, 8}}));
  EXPECT_TRUE(rangesIntersect({{0, 2}, {5, 7}}, {{3, 4}, {6, 8}}));
}

TEST(CheckedMath, AlignToRoundsUpAndFailsAtTheEnd) {
  EXPECT_EQ(checkedAlignTo(0, 64), 0);
  EXPECT_EQ(checkedAlignTo(1, 64), 64);
  EXPECT_EQ(checkedAlignTo(64, 64), 64);
  EXPECT_EQ(checkedAlignTo(INT64_MAX, 1), INT64_MAX);
  EXPECT_EQ(checkedAlignTo(INT64_MAX, 2), std::nullopt);
}

TEST(StrategyNames, RoundTripAndAliases) {
  for (Strategy strategy : allStrategies())
    EXPECT_EQ(parseStrategy(strategyName(strategy)), strategy);
  EXPECT_EQ(parseStrategy("greedy"), Strategy::GreedyBySize);
  EXPECT_EQ(parseStrategy("Greedy"), std::nullopt);
  EXPECT_EQ(parseStrategy(""), std::nullopt);
}
