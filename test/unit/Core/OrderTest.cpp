//===- OrderTest.cpp - One plan for all sizes -----------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Core/Order.h"

#include "ProblemBuilder.h"
#include "memplan/Core/CheckedMath.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <random>

using namespace memplan;
using namespace memplan::test;

namespace {

Formula formulaOf(std::string_view text) {
  std::string error;
  std::optional<Formula> formula = parseFormula(text, error);
  EXPECT_TRUE(formula) << error;
  return formula.value_or(Formula());
}

/// A problem with formulas. Sizes that are constant are written so, too.
class SymbolicBuilder {
public:
  SymbolicBuilder(std::initializer_list<const char *> symbols) {
    for (const char *name : symbols)
      problem.symbols.push_back({name, 0, std::nullopt, 1});
  }
  SymbolicBuilder &add(std::string id, std::string_view size, LiveRanges ranges,
                       int64_t alignment = 64) {
    Buffer buffer;
    buffer.id = std::move(id);
    Formula formula = formulaOf(size);
    if (std::optional<int64_t> constant = formula.getConstant())
      buffer.size = *constant;
    else
      buffer.formula = formula;
    buffer.ranges = std::move(ranges);
    buffer.alignment = alignment;
    problem.buffers.push_back(std::move(buffer));
    return *this;
  }
  SymbolicBuilder &hint(std::vector<int64_t> values) {
    problem.hints.push_back(std::move(values));
    return *this;
  }

  Problem problem;
};

/// Solves the problem, and expects a correct order, and a correct plan at each
/// of the values.
Plan solveAndCheck(const Problem &problem,
                   const std::vector<std::vector<int64_t>> &values) {
  EXPECT_EQ(text(check(problem)), "");
  Plan plan = solve(problem, optionsFor(Strategy::GreedyBySize));
  EXPECT_TRUE(plan.order) << plan.message;
  if (!plan.order)
    return plan;
  EXPECT_EQ(text(verifyOrder(problem, *plan.order)), "");
  MaybeFormula arena = getArenaFormula(problem, *plan.order);
  MaybeFormula bound = getBoundFormula(problem);
  for (const std::vector<int64_t> &each : values) {
    std::optional<Problem> constant = evaluateAt(problem, each);
    EXPECT_TRUE(constant);
    Plan at;
    at.status = PlanStatus::Feasible;
    at.offsets = computeOffsets(*constant, *plan.order);
    at.arenaSize = getArenaSize(*constant, at.offsets);
    EXPECT_EQ(text(verify(*constant, at)), "");
    SymbolValues named;
    for (size_t i = 0; i < each.size(); ++i)
      named[problem.symbols[i].name] = each[i];
    if (arena)
      EXPECT_EQ(arena->evaluate(named), at.arenaSize) << arena->print();
    if (bound)
      EXPECT_LE(bound->evaluate(named).value_or(INT64_MAX), at.arenaSize)
          << bound->print();
  }
  for (const HintResult &at : plan.atHints)
    EXPECT_GE(at.arenaSize, at.lowerBound);
  return plan;
}

std::string arenaOf(const Problem &problem, const Plan &plan) {
  MaybeFormula arena = getArenaFormula(problem, *plan.order);
  return arena ? arena->print() : "absent";
}

TEST(Order, DisjointBuffersShareTheGreaterOfTwoSizes) {
  Problem problem = SymbolicBuilder({"d0", "d1"})
                        .add("a", "32768 * d0", {{0, 2}})
                        .add("b", "16384 * d1", {{2, 4}})
                        .problem;
  Plan plan = solveAndCheck(problem, {{1, 1}, {0, 0}, {5, 100}, {100, 5}});
  EXPECT_EQ(arenaOf(problem, plan), "max(32768 * d0, 16384 * d1)");
  EXPECT_EQ(getBoundFormula(problem)->print(), "max(32768 * d0, 16384 * d1)");
  EXPECT_EQ(plan.status, PlanStatus::Optimal);
}

TEST(Order, HalvesLieInsideADeadWhole) {
  Problem problem = SymbolicBuilder({"d"})
                        .add("whole", "32768 * d", {{0, 2}})
                        .add("half", "16384 * d", {{2, 4}})
                        .add("other", "16384 * d", {{3, 5}})
                        .problem;
  Plan plan = solveAndCheck(problem, {{0}, {1}, {7}, {1000}});
  EXPECT_EQ(arenaOf(problem, plan), "32768 * d");
}

TEST(Order, ConstantAndSymbolicSizesShareOneRegion) {
  Problem problem = SymbolicBuilder({"n"})
                        .add("a", "40000", {{0, 2}})
                        .add("b", "4 * n", {{2, 4}})
                        .problem;
  Plan plan = solveAndCheck(problem, {{0}, {1}, {10000}, {10001}});
  EXPECT_EQ(arenaOf(problem, plan), "max(4 * n, 40000)");
}

TEST(Order, ASizeThatIsNeverGreaterNeedsNoMore) {
  Problem problem = SymbolicBuilder({"m"})
                        .add("a", "4 * min(m, 100)", {{0, 2}})
                        .add("b", "4 * m", {{2, 4}})
                        .problem;
  EXPECT_EQ(arenaOf(problem, solveAndCheck(problem, {{0}, {99}, {200}})),
            "4 * m");
}

TEST(Order, ConstantPlacesStayConstant) {
  Problem problem = SymbolicBuilder({"n"})
                        .add("a", "128", {{0, 4}})
                        .add("b", "64", {{0, 4}})
                        .add("c", "4 * n", {{0, 4}})
                        .hint({1024})
                        .problem;
  Plan plan = solveAndCheck(problem, {{0}, {1}, {1000}});
  // The largest is at the bottom.
  EXPECT_FALSE(plan.order->places[plan.order->placeOf[0]].offset);
  problem.hints = {{1}};
  plan = solveAndCheck(problem, {{0}, {1}, {1000}});
  EXPECT_EQ(plan.order->places[plan.order->placeOf[0]].offset, 0);
  EXPECT_EQ(plan.order->places[plan.order->placeOf[1]].offset, 128);
  EXPECT_EQ(plan.order->places[plan.order->placeOf[2]].from, 192);
  EXPECT_EQ(arenaOf(problem, plan), "4 * n + 192");
}

TEST(Order, BuffersInPlaceOfEqualSizeAreOnePlace) {
  Problem problem = SymbolicBuilder({"n"})
                        .add("a", "4 * n", {{0, 3}})
                        .add("b", "4 * n", {{2, 5}})
                        .add("c", "8 * n", {{2, 5}})
                        .problem;
  problem.overlaps = {{0, 1, 0, 0}, {0, 2, 0, 0}};
  Plan plan = solveAndCheck(problem, {{0}, {1}, {1000}});
  EXPECT_EQ(plan.order->placeOf[0], plan.order->placeOf[1]);
  EXPECT_NE(plan.order->placeOf[0], plan.order->placeOf[2]);
}

TEST(Order, BuffersThatAreEmptyAtTheHintAreOrdered) {
  Problem problem = SymbolicBuilder({"n"})
                        .add("a", "4 * n", {{0, 3}})
                        .add("b", "8 * n", {{1, 4}})
                        .hint({0})
                        .problem;
  Plan plan = solveAndCheck(problem, {{0}, {1}, {1000}});
  EXPECT_EQ(plan.atHints.front().arenaSize, 0);
}

TEST(Order, SeveralHintsGetTheOrderThatIsBestForAll) {
  // At n = 1 it is best to have c on the bytes of a, at n = 100 on those of b.
  Problem problem = SymbolicBuilder({"n"})
                        .add("a", "1000", {{0, 2}}, 1)
                        .add("b", "64 * n", {{0, 2}}, 1)
                        .add("c", "64 * n", {{2, 4}}, 1)
                        .add("d", "1000", {{2, 4}}, 1)
                        .hint({1})
                        .hint({100})
                        .problem;
  Plan plan = solveAndCheck(problem, {{0}, {1}, {100}});
  ASSERT_EQ(plan.atHints.size(), 2U);
  EXPECT_EQ(plan.atHints[0].arenaSize, 1064);
  EXPECT_EQ(plan.atHints[1].arenaSize, 7400);
}

TEST(Order, TheGreatestSizesAreAHint) {
  Problem problem = SymbolicBuilder({"n"})
                        .add("a", "1000", {{0, 2}}, 1)
                        .add("b", "64 * n", {{0, 2}}, 1)
                        .add("c", "64 * n", {{2, 4}}, 1)
                        .add("d", "1000", {{2, 4}}, 1)
                        .hint({1})
                        .problem;
  EXPECT_EQ(getHints(problem), (std::vector<std::vector<int64_t>>{{1}}));
  problem.symbols[0] = {"n", 0, 103, 4};
  EXPECT_EQ(getHints(problem), (std::vector<std::vector<int64_t>>{{1}, {100}}));
  Plan plan = solveAndCheck(problem, {{0}, {4}, {100}});
  EXPECT_EQ(plan.atHints[1].arenaSize, 7400);
  // Not twice, and not where the sizes are too large to count.
  problem.hints = {{100}};
  EXPECT_EQ(getHints(problem).size(), 1U);
  problem.symbols[0].greatest = int64_t(1) << 50;
  EXPECT_EQ(getHints(problem).size(), 1U);
}

TEST(Order, WithoutHintsEachSizeIsLargeAlone) {
  Problem problem =
      SymbolicBuilder({"n", "m"}).add("a", "4 * n * m", {{0, 2}}).problem;
  using Hints = std::vector<std::vector<int64_t>>;
  EXPECT_EQ(getHints(problem),
            (Hints{{1, 1}, {1024, 1024}, {1024, 1}, {1, 1024}}));
  problem.symbols[1] = {"m", 8, 64, 8};
  EXPECT_EQ(getHints(problem), (Hints{{1, 8}, {1024, 64}, {1024, 8}, {1, 64}}));
}

TEST(Order, AProblemOfUnknownSymbolsIsRejected) {
  Problem problem = SymbolicBuilder({"n"}).add("a", "4 * m", {{0, 3}}).problem;
  EXPECT_EQ(text(check(problem)),
            "buffer 'a' has the size 4 * m, and 'm' is no symbol\n");
  problem.symbols = {{"m", 4, 3, 1}};
  problem.hints = {{1, 2}};
  EXPECT_EQ(text(check(problem)),
            "symbol 'm' is at least 4 and at most 3\n"
            "a hint has 2 values, and there are 1 symbols\n");
}

//===----------------------------------------------------------------------===//
// Random problems
//===----------------------------------------------------------------------===//

Problem makeRandom(uint64_t seed) {
  std::mt19937_64 random(seed);
  auto pick = [&](int64_t least, int64_t most) {
    return least + int64_t(random() % uint64_t(most - least + 1));
  };
  SymbolicBuilder builder({"b", "s"});
  int64_t count = pick(1, 40);
  for (int64_t i = 0; i < count; ++i) {
    std::string size = std::to_string(pick(0, 40) * 16);
    switch (pick(0, 5)) {
    case 0:
      break;
    case 1:
      size += " * b";
      break;
    case 2:
      size += " * s";
      break;
    case 3:
      size += " * b * s";
      break;
    case 4:
      size = "4 * ceildiv(s, " + std::to_string(pick(2, 5)) + ")";
      break;
    default:
      size = "max(" + size + " * b, 4 * s)";
    }
    LiveRanges ranges;
    int64_t at = pick(0, 30);
    for (int64_t r = pick(1, 2); r > 0; --r) {
      int64_t end = at + pick(1, 10);
      ranges.push_back({at, end});
      at = end + pick(0, 5);
    }
    builder.add("x" + std::to_string(i), size, std::move(ranges),
                int64_t(1) << pick(0, 6));
  }
  Problem &problem = builder.problem;
  for (int64_t i = pick(0, 3); i > 0 && count > 1; --i) {
    auto a = BufferIndex(pick(0, count - 2));
    problem.conflicts.push_back({a, BufferIndex(pick(a + 1, count - 1))});
  }
  for (int64_t i = pick(0, 20); i > 0 && count > 1; --i) {
    auto a = BufferIndex(pick(0, count - 2));
    int64_t delta = pick(0, 3) == 0 ? 64 * pick(-2, 2) : 0;
    problem.overlaps.push_back(
        {a, BufferIndex(pick(a + 1, count - 1)), delta, delta});
  }
  for (int64_t i = pick(0, 3); i > 0; --i)
    problem.hints.push_back({pick(0, 8), pick(1, 300)});
  return problem;
}

TEST(RandomOrders, AreCorrectAtAllSizes) {
  std::vector<std::vector<int64_t>> values;
  for (int64_t b : {0, 1, 3, 17})
    for (int64_t s : {0, 1, 64, 1000})
      values.push_back({b, s});
  for (uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    Problem problem = makeRandom(seed);
    if (hasFormulas(problem))
      solveAndCheck(problem, values);
  }
}

/// What verifyOrder answers, from its definition: of each two buffers that are
/// live together or in conflict, one lies above the other. The offsets of the
/// constant places are taken for right.
bool areApartPairwise(const Problem &problem, const PlaceOrder &order) {
  size_t count = order.places.size();
  std::vector<std::vector<bool>> reached(count, std::vector<bool>(count));
  std::vector<int64_t> from(count);
  for (size_t i = 0; i < count; ++i) {
    reached[i][i] = true;
    from[i] = order.places[i].from;
    for (unsigned lower : order.places[i].above) {
      from[i] = std::max(from[i], from[lower]);
      for (size_t j = 0; j < count; ++j)
        reached[i][j] = reached[i][j] || reached[lower][j];
    }
  }
  auto liesAbove = [&](unsigned upper, unsigned lower) {
    const Place &below = order.places[lower];
    if (order.places[upper].offset)
      return false;
    return below.offset
               ? *below.offset + problem.buffers[below.members[0]].size <=
                     from[upper]
               : bool(reached[upper][lower]);
  };
  auto isEmpty = [&](BufferIndex b) {
    return !problem.buffers[b].formula && problem.buffers[b].size == 0;
  };
  for (BufferIndex a = 0; a < problem.buffers.size(); ++a)
    for (BufferIndex b = a + 1; b < problem.buffers.size(); ++b) {
      bool isConflict = std::any_of(
          problem.conflicts.begin(), problem.conflicts.end(),
          [&](const Conflict &c) { return c.first == a && c.second == b; });
      bool isPermitted =
          std::any_of(problem.overlaps.begin(), problem.overlaps.end(),
                      [&](const PermittedOverlap &o) {
                        return o.first == a && o.second == b &&
                               o.minDelta <= 0 && o.maxDelta >= 0;
                      });
      unsigned x = order.placeOf[a], y = order.placeOf[b];
      bool isLive = rangesIntersect(problem.buffers[a].ranges,
                                    problem.buffers[b].ranges) &&
                    !(x == y && isPermitted);
      if ((isConflict || isLive) && !isEmpty(a) && !isEmpty(b) &&
          !(order.places[x].offset && order.places[y].offset) &&
          (x == y || (!liesAbove(x, y) && !liesAbove(y, x))))
        return false;
    }
  return true;
}

TEST(RandomOrders, AreVerifiedLikePairByPair) {
  unsigned wrong = 0, right = 0;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    Problem problem = makeRandom(seed);
    Plan plan = solve(problem, optionsFor(Strategy::GreedyBySize));
    if (!plan.order)
      continue;
    auto compare = [&](const PlaceOrder &order) {
      bool expected = areApartPairwise(problem, order);
      EXPECT_EQ(verifyOrder(problem, order).empty(), expected);
      ++(expected ? right : wrong);
    };
    compare(*plan.order);
    for (size_t i = 0; i < plan.order->places.size(); ++i) {
      PlaceOrder mutant = *plan.order;
      std::vector<unsigned> &above = mutant.places[i].above;
      mutant.places[i].from /= 2;
      compare(mutant);
      while (!above.empty()) {
        above.erase(above.begin() + long(seed % above.size()));
        compare(mutant);
      }
    }
  }
  EXPECT_GT(right, 300U);
  EXPECT_GT(wrong, 300U);
}

// Pair by pair this would be 2 * 10^8 of them.
TEST(VerifyOrder, TakesLittleTimeForManyLiveBuffers) {
  SymbolicBuilder builder({"n"});
  PlaceOrder order;
  for (unsigned i = 0; i < 20000; ++i) {
    builder.add("b" + std::to_string(i), "4 * n", {{0, 4}});
    order.placeOf.push_back(i);
    order.places.push_back({std::nullopt, 0, {}, 64, {i}});
    if (i != 0)
      order.places.back().above.push_back(i - 1);
  }
  EXPECT_EQ(text(verifyOrder(builder.problem, order)), "");
}

TEST(RandomOrders, WithoutAnEdgeAreRejected) {
  unsigned mutants = 0, rejected = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    Problem problem = makeRandom(seed);
    Plan plan = solve(problem, optionsFor(Strategy::GreedyBySize));
    if (!plan.order)
      continue;
    for (size_t i = 0; i < plan.order->places.size(); ++i)
      for (size_t e = 0; e < plan.order->places[i].above.size(); ++e) {
        PlaceOrder mutant = *plan.order;
        mutant.places[i].above.erase(mutant.places[i].above.begin() + long(e));
        ++mutants;
        rejected += !verifyOrder(problem, mutant, 1).empty();
      }
  }
  // The others are between places that are reached another way.
  EXPECT_GT(mutants, 300U);
  EXPECT_GT(rejected * 10, mutants * 8);
}

// What others solve is right only with a right order.
TEST(VerifyOrder, IsAPartOfVerify) {
  Problem problem = SymbolicBuilder({"n"})
                        .add("a", "4 * n", {{0, 4}})
                        .add("b", "8 * n", {{0, 4}})
                        .hint({16})
                        .problem;
  Plan plan = solve(problem, optionsFor(Strategy::GreedyBySize));
  ASSERT_TRUE(plan.order) << plan.message;
  auto messageOf = [&](const Problem &own, auto change) {
    Plan mutant = plan;
    change(mutant);
    return acceptVerified(own, mutant, "wrong").message;
  };
  EXPECT_EQ(messageOf(problem, [](Plan &) {}), plan.message);
  EXPECT_EQ(messageOf(problem, [](Plan &p) { p.order.reset(); }),
            "wrong: there is no order for sizes that are formulas");
  EXPECT_EQ(messageOf(problem,
                      [](Plan &p) {
                        for (Place &place : p.order->places)
                          place.above.clear();
                      }),
            "wrong: buffers 'b' and 'a' are live together at time 0, and "
            "neither lies above the other");
  EXPECT_EQ(messageOf(problem, [](Plan &p) { p.offsets.clear(); }),
            "wrong: the plan has 0 offsets for 2 buffers");
  std::optional<Problem> constant = evaluateAt(problem, {16});
  ASSERT_TRUE(constant);
  EXPECT_EQ(messageOf(*constant, [](Plan &) {}),
            "wrong: the plan has an order, but all sizes are constants");
}

TEST(VerifyOrder, RejectsWhatIsWrong) {
  Problem problem = SymbolicBuilder({"n"})
                        .add("a", "128", {{0, 4}})
                        .add("b", "4 * n", {{0, 4}})
                        .add("c", "8 * n", {{0, 4}})
                        .hint({1})
                        .problem;
  PlaceOrder order;
  order.placeOf = {0, 1, 2};
  order.places = {{0, 0, {}, 64, {0}},
                  {std::nullopt, 128, {}, 64, {1}},
                  {std::nullopt, 0, {1}, 64, {2}}};
  EXPECT_EQ(text(verifyOrder(problem, order)), "");
  auto errorOf = [&](auto change) {
    PlaceOrder mutant = order;
    change(mutant);
    return text(verifyOrder(problem, mutant, 1));
  };
  EXPECT_EQ(errorOf([](PlaceOrder &o) { o.places[2].above.clear(); }),
            "buffers 'c' and 'a' are live together at time 0, and neither lies "
            "above the other\n");
  EXPECT_EQ(errorOf([](PlaceOrder &o) { o.places[1].from = 64; }),
            "buffers 'b' and 'a' are live together at time 0, and neither lies "
            "above the other\n");
  EXPECT_EQ(errorOf([](PlaceOrder &o) { o.places[1].above = {2}; }),
            "buffer 'b' lies above place 2, which does not come before it or "
            "is constant\n");
  EXPECT_EQ(errorOf([](PlaceOrder &o) { o.places[1].alignment = 16; }),
            "buffer 'b' has the alignment 64 but its place has 16\n");
  EXPECT_EQ(errorOf([](PlaceOrder &o) { o.places[1].offset = 128; }),
            "buffer 'b' has a constant place but no constant size\n");
  EXPECT_EQ(errorOf([](PlaceOrder &o) {
              o.placeOf[2] = 1;
              o.places[1].members = {1, 2};
              o.places.pop_back();
            }),
            "buffers 'b' and 'c' are in one place but differ in size\n");
  problem.buffers[2].formula = problem.buffers[1].formula;
  EXPECT_EQ(errorOf([](PlaceOrder &o) {
              o.placeOf[2] = 1;
              o.places[1].members = {1, 2};
              o.places.pop_back();
            }),
            "buffers 'c' and 'b' are live together at time 0, and neither lies "
            "above the other\n");
}

} // namespace
