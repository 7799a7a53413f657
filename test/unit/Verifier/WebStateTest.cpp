//===- WebStateTest.cpp - Webs that share rows, against plain tables ------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "State.h"

#include "gtest/gtest.h"

#include <random>

using memplan::verifier::Content;
using memplan::verifier::Relation;
using memplan::verifier::WebState;

namespace {

Relation pickRelation(std::mt19937 &random) {
  return {random() % 4 == 0, random() % 3 == 0};
}

/// A web and the relations that it should have, by the indices of two entries.
struct Pair {
  WebState web;
  std::vector<std::vector<Relation>> table;

  void set(unsigned name, std::mt19937 &random) {
    int known = web.find(name);
    size_t index = known < 0 ? table.size() : known;
    if (known < 0) {
      for (std::vector<Relation> &row : table)
        row.emplace_back();
      table.emplace_back(index + 1);
    }
    for (size_t other = 0; other != table.size(); ++other)
      table[index][other] = table[other][index] =
          other == index ? Relation{true, false} : pickRelation(random);
    web.set({name, Content::Intact},
            [&](unsigned other) { return table[index][other]; });
  }

  /// The pair behind an edge, whose entries come from those of this one.
  Pair follow(llvm::ArrayRef<int> origins) {
    std::vector<WebState::Entry> entries;
    Pair next;
    for (auto [i, origin] : llvm::enumerate(origins)) {
      entries.push_back({static_cast<unsigned>(i), Content::Intact});
      std::vector<Relation> &row = next.table.emplace_back();
      for (auto [k, other] : llvm::enumerate(origins))
        row.push_back(i == k                    ? Relation{true, false}
                      : origin < 0 || other < 0 ? Relation()
                                                : table[origin][other]);
    }
    next.web = WebState(std::move(entries), web, origins);
    return next;
  }

  bool join(const Pair &other) {
    bool changed = false;
    for (size_t a = 0; a != table.size(); ++a)
      for (size_t b = 0; b != table.size(); ++b) {
        Relation joined = table[a][b] | other.table[a][b];
        changed |= joined.same != table[a][b].same ||
                   joined.clash != table[a][b].clash;
        table[a][b] = joined;
      }
    return changed;
  }
};

void expectSame(const Pair &pair) {
  for (unsigned a = 0; a != pair.table.size(); ++a)
    for (unsigned b = 0; b != pair.table.size(); ++b) {
      Relation relation = pair.web.getRelation(a, b);
      ASSERT_EQ(relation.same, pair.table[a][b].same) << a << " " << b;
      ASSERT_EQ(relation.clash, pair.table[a][b].clash) << a << " " << b;
    }
}

/// For each entry behind an edge, one before it: mostly the one at the same
/// place, sometimes one of those further on, any, or none.
std::vector<int> pickOrigins(size_t size, std::mt19937 &random) {
  std::vector<int> origins(size);
  int shift = 0;
  for (size_t i = 0; i != size; ++i) {
    if (random() % 30 == 0)
      shift = static_cast<int>(random() % 3);
    unsigned kind = random() % 40;
    origins[i] = kind == 0   ? -1
                 : kind == 1 ? static_cast<int>(random() % size)
                             : static_cast<int>((i + shift) % size);
  }
  return origins;
}

TEST(WebState, HasTheRelationsOfATable) {
  std::mt19937 random(7);
  for (unsigned round = 0; round != 60; ++round) {
    Pair pair;
    // More than a word of bits for each row.
    for (unsigned name = 0; name != 20 + round; ++name)
      pair.set(name, random);
    for (unsigned step = 0; step != 12; ++step) {
      Pair before = pair;
      Pair one = pair.follow(pickOrigins(pair.table.size(), random));
      Pair other = pair.follow(pickOrigins(pair.table.size(), random));
      expectSame(one);
      expectSame(other);
      Pair joined = one;
      EXPECT_EQ(joined.web.join(other.web), joined.join(other));
      EXPECT_FALSE(joined.web.join(other.web));
      joined.set(random() % pair.table.size(), random);
      joined.set(pair.table.size(), random);
      // No change of a web changes those that it shares rows with.
      for (const Pair &checked : {before, pair, one, other, joined})
        expectSame(checked);
      pair = std::move(joined);
    }
  }
}

} // namespace
