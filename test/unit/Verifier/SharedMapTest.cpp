//===- SharedMapTest.cpp - Maps that share, against maps that do not ------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedMap.h"

#include "gtest/gtest.h"

#include <map>
#include <random>
#include <set>
#include <vector>

using memplan::verifier::SharedMap;

namespace {

struct Value {
  uint64_t key = 0;
  int64_t reach = 0;
  int change = 0;
};

/// A map and its expected entries.
struct Pair {
  SharedMap<Value> shared;
  std::map<uint64_t, Value> plain;

  void change(std::mt19937 &random, uint64_t keys, int number) {
    // Keys are also far apart, up to the highest bit in use.
    uint64_t key = random() % keys;
    if (key % 3 == 0)
      key <<= 32;
    if (random() % 3 == 0) {
      shared.erase(key);
      plain.erase(key);
      return;
    }
    Value value{key, static_cast<int64_t>(random() % 50), number};
    shared.set(key, value, value.reach);
    plain[key] = value;
  }
};

void expectSame(const Pair &pair, std::mt19937 &random) {
  for (uint64_t low = 0; low != 40; ++low)
    for (uint64_t key : {low, low << 32}) {
      const Value *found = pair.shared.find(key);
      auto known = pair.plain.find(key);
      ASSERT_EQ(found != nullptr, known != pair.plain.end());
      if (found) {
        EXPECT_EQ(found->change, known->second.change);
      }
    }
  uint64_t begin = random() % 40, end = uint64_t(random() % 40)
                                        << (random() % 33);
  int64_t reach = static_cast<int64_t>(random() % 50) - 1;
  std::vector<uint64_t> visited, expected;
  pair.shared.visit(begin, end, reach,
                    [&](const Value &value) { visited.push_back(value.key); });
  for (const auto &[key, value] : pair.plain)
    if (key >= begin && key < end && value.reach > reach)
      expected.push_back(key);
  EXPECT_EQ(visited, expected);
}

void expectComparison(const Pair &a, const Pair &b) {
  std::set<uint64_t> found, expected;
  a.shared.compare(b.shared, [&](const Value *own, const Value *others) {
    ASSERT_TRUE(own || others);
    uint64_t key = own ? own->key : others->key;
    EXPECT_TRUE(found.insert(key).second) << key;
    EXPECT_EQ(own != nullptr, a.plain.count(key) == 1);
    EXPECT_EQ(others != nullptr, b.plain.count(key) == 1);
  });
  auto note = [&](const Pair &one, const Pair &other) {
    for (const auto &[key, value] : one.plain) {
      auto same = other.plain.find(key);
      if (same == other.plain.end() || same->second.change != value.change)
        expected.insert(key);
    }
  };
  note(a, b);
  note(b, a);
  EXPECT_EQ(found, expected);
}

TEST(SharedMap, IsAMapWhateverSharesWithIt) {
  for (unsigned seed = 0; seed != 200; ++seed) {
    std::mt19937 random(seed);
    uint64_t keys = 1 + random() % 40;
    std::vector<Pair> pairs(1);
    for (int number = 0; number != 120; ++number) {
      if (random() % 8 == 0)
        pairs.push_back(pairs[random() % pairs.size()]);
      pairs[random() % pairs.size()].change(random, keys, number);
    }
    for (const Pair &pair : pairs)
      expectSame(pair, random);
    for (size_t i = 0; i < pairs.size() && i != 6; ++i)
      for (size_t j = 0; j < pairs.size() && j != 6; ++j)
        expectComparison(pairs[i], pairs[j]);
  }
}

TEST(SharedMap, ComparesWhatHasChangedAlone) {
  SharedMap<Value> many;
  for (uint64_t key = 0; key != 1000; ++key)
    many.set(key, {key, 0, 0});
  SharedMap<Value> other = many;
  other.set(500, {500, 0, 1});
  int visits = 0;
  many.compare(other, [&](const Value *own, const Value *others) {
    ++visits;
    EXPECT_EQ(own->change, 0);
    EXPECT_EQ(others->change, 1);
  });
  EXPECT_EQ(visits, 1);
}

} // namespace
