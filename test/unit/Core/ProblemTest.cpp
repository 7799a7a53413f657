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
