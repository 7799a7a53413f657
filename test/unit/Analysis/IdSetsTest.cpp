//===- IdSetsTest.cpp - Sets of numbers that share ------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../../lib/Analysis/PlanVerifier/PlanVerifierIdSets.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <random>
#include <set>
#include <vector>

using namespace memplan::planverifier;

namespace {

using Numbers = std::set<unsigned>;

std::vector<unsigned> listOf(IdSet set) { return {set.begin(), set.end()}; }

IdSet make(IdSets &sets, const Numbers &numbers) {
  return sets.get(std::vector<unsigned>(numbers.begin(), numbers.end()));
}

/// The set is that of the numbers, and the very one that they make.
void expectIs(IdSets &sets, IdSet set, const Numbers &numbers) {
  ASSERT_EQ(listOf(set), std::vector<unsigned>(numbers.begin(), numbers.end()));
  EXPECT_EQ(set.size(), numbers.size());
  EXPECT_EQ(set.empty(), numbers.empty());
  EXPECT_EQ(set.isOne(), numbers.size() == 1);
  EXPECT_TRUE(set == make(sets, numbers));
  if (numbers.empty())
    return;
  EXPECT_EQ(set.front(), *numbers.begin());
  EXPECT_EQ(set.back(), *numbers.rbegin());
}

/// Few numbers, of few digits or of many, so that sets meet in all ways.
Numbers draw(std::mt19937 &random) {
  Numbers numbers;
  unsigned limit = 1u << (1 + random() % 12), count = random() % 24;
  for (unsigned i = 0; i < count; ++i)
    numbers.insert(random() % limit);
  return numbers;
}

TEST(IdSetsTest, AgreesWithSortedSets) {
  std::mt19937 random(1);
  IdSets sets;
  for (unsigned round = 0; round < 4000; ++round) {
    Numbers a = draw(random), b = draw(random), both, all, rest, later;
    auto into = [](Numbers &numbers) {
      return std::inserter(numbers, numbers.end());
    };
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), into(both));
    std::set_union(a.begin(), a.end(), b.begin(), b.end(), into(all));
    std::set_difference(a.begin(), a.end(), b.begin(), b.end(), into(rest));
    unsigned bound = random() % 64;
    std::copy(a.upper_bound(bound), a.end(), into(later));

    IdSet first = make(sets, a), second = make(sets, b);
    expectIs(sets, first, a);
    expectIs(sets, sets.unite(first, second), all);
    expectIs(sets, sets.subtract(first, second), rest);
    expectIs(sets, sets.after(first, bound), later);
    std::optional<unsigned> common = IdSet::findCommon(first, second);
    ASSERT_EQ(common.has_value(), !both.empty());
    if (common)
      EXPECT_EQ(*common, *both.begin());
    for (unsigned i = 0; i < 64; ++i)
      EXPECT_EQ(first.contains(i), a.count(i) != 0);
  }
}

/// What the verifier of a chain of conditionals rests on.
TEST(IdSetsTest, KeepsTheSameSetOnce) {
  IdSets sets;
  IdSet grown;
  for (unsigned i = 0; i < 1000; ++i)
    grown = sets.unite(grown, IdSet(i));
  IdSet again;
  for (unsigned i = 1000; i-- > 0;)
    again = sets.unite(IdSet(i), again);
  EXPECT_TRUE(grown == again);
  EXPECT_TRUE(sets.subtract(grown, again).empty());
}

} // namespace
