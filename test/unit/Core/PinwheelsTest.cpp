//===- PinwheelsTest.cpp - Five rectangles that make one ------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tests which rectangles form a pinwheel, with all pieces or with one missing.
//
//===----------------------------------------------------------------------===//

#include "Search/Pinwheels.h"

#include "gtest/gtest.h"

using namespace memplan::detail;

namespace {

/// The pieces of a pinwheel in the order of Pinwheel::Piece. They cover the
/// times [0, 9) and 5 bytes:
///
///      +----+------------+
///      |    |   fourth   |   2 bytes
///      |first+------+----+
///      |    | middle|    |   1 byte
///      +----+-------+third|
///      |   second   |    |   2 bytes
///      +------------+----+
///      0    2       5    9
const std::vector<Rectangle> pinwheel = {
    {0, 2, 3}, {0, 5, 2}, {5, 9, 3}, {2, 9, 2}, {2, 5, 1}};

void expectLayout(const Pinwheel &found) {
  EXPECT_EQ(found.whole.begin, 0);
  EXPECT_EQ(found.whole.end, 9);
  EXPECT_EQ(found.whole.size, 5);
  EXPECT_EQ(found.offsets, (std::array<int64_t, 5>{2, 0, 0, 3, 2}));
}

/// The pinwheel without one piece.
std::vector<Rectangle> without(size_t piece) {
  std::vector<Rectangle> rest = pinwheel;
  rest.erase(rest.begin() + piece);
  return rest;
}

} // namespace

TEST(Pinwheels, FivePiecesAreFound) {
  std::vector<Pinwheel> found = findPinwheels(pinwheel);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].pieces, (std::array<uint32_t, 5>{0, 1, 2, 3, 4}));
  expectLayout(found[0]);
}

TEST(Pinwheels, EveryEqualityCounts) {
  for (size_t piece = 0; piece < 5; ++piece)
    for (int64_t Rectangle::*what :
         {&Rectangle::begin, &Rectangle::end, &Rectangle::size}) {
      std::vector<Rectangle> changed = pinwheel;
      changed[piece].*what += what == &Rectangle::begin ? -1 : 1;
      EXPECT_TRUE(findPinwheels(changed).empty()) << piece;
    }
}

TEST(Pinwheels, FourOfFiveAreBroken) {
  for (uint32_t piece = 0; piece < 5; ++piece) {
    EXPECT_TRUE(findPinwheels(without(piece)).empty());
    std::vector<Pinwheel> found = findBrokenPinwheels(without(piece));
    ASSERT_EQ(found.size(), 1u) << piece;
    for (uint32_t i = 0; i < 5; ++i)
      EXPECT_EQ(found[0].pieces[i], i == piece  ? Pinwheel::missing
                                    : i < piece ? i
                                                : i - 1);
    expectLayout(found[0]);
  }
}

TEST(Pinwheels, AHoleForSomethingIsNotBroken) {
  // Part of the missing piece is there, at its beginning or its end.
  for (size_t piece = 0; piece < 5; ++piece)
    for (bool isEarly : {false, true}) {
      std::vector<Rectangle> rest = without(piece);
      Rectangle part = pinwheel[piece];
      (isEarly ? part.end : part.begin) += isEarly ? -1 : 1;
      rest.push_back(part);
      EXPECT_TRUE(findBrokenPinwheels(rest).empty()) << piece;
      // A rectangle larger than the missing piece does not fit into its place.
      rest.back().size = 10;
      EXPECT_EQ(findBrokenPinwheels(rest).size(), 1u) << piece;
    }
}

TEST(Pinwheels, WhatIsAmbiguousIsLeftOut) {
  std::vector<Rectangle> twice = pinwheel;
  twice.push_back(pinwheel[Pinwheel::Middle]);
  EXPECT_TRUE(findPinwheels(twice).empty());
  // Two pinwheels without a common rectangle are not ambiguous.
  std::vector<Rectangle> both = pinwheel;
  for (const Rectangle &r : pinwheel)
    both.push_back({r.begin + 9, r.end + 9, r.size});
  EXPECT_EQ(findPinwheels(both).size(), 2u);
}
