//===- PlacerTest.cpp - The placer against a simple one -------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tests the segment-tree placer against a placement that checks every pair, and
// the parts of the placer.
//
//===----------------------------------------------------------------------===//

#include "Strategies/Placer.h"
#include "Model/Components.h"
#include "Model/Neighbours.h"
#include "ProblemBuilder.h"
#include "Reference.h"
#include "Search/WindowSearch.h"
#include "Strategies/AddressTree.h"
#include "Strategies/LocalOrder.h"
#include "Strategies/Orders.h"
#include "Strategies/StartOrder.h"

#include <algorithm>
#include <set>

using namespace memplan;
using namespace memplan::detail;

namespace {

/// True if `b` may be at offset `at`, given the placed buffers. Follows the
/// definition of the problem.
bool isFree(const Model &model, const std::vector<int64_t> &offsets,
            BufferIndex b, int64_t at) {
  for (BufferIndex p = 0; p < model.size(); ++p) {
    if (p == b || offsets[p] < 0 || model.sizeOf(p) == 0 ||
        at >= offsets[p] + model.sizeOf(p) ||
        offsets[p] >= at + model.sizeOf(b))
      continue;
    bool mayShare = !model.liveTogether(b, p);
    for (const Relation &r : model.relations(b)) {
      if (r.other != p)
        continue;
      if (r.isConflict)
        mayShare = false;
      else if (r.minDelta <= at - offsets[p] && at - offsets[p] <= r.maxDelta)
        mayShare = true;
    }
    if (!mayShare)
      return false;
  }
  return true;
}

/// The offset by first or best fit, found by trying every offset.
int64_t slowPlace(const Model &model, const std::vector<int64_t> &offsets,
                  BufferIndex b, Fit fit, int64_t limit) {
  if (model.sizeOf(b) == 0)
    return 0;
  int64_t best = -1, bestWidth = INT64_MAX;
  for (int64_t at = 0; at <= limit;) {
    if (!isFree(model, offsets, b, at)) {
      ++at;
      continue;
    }
    int64_t end = at;
    while (end <= limit && isFree(model, offsets, b, end))
      ++end;
    int64_t aligned = (at + model.alignOf(b) - 1) & -model.alignOf(b);
    int64_t width = end > limit ? INT64_MAX : end - aligned;
    if (aligned < end) {
      if (fit == Fit::First || best < 0 || width < bestWidth) {
        best = aligned;
        bestWidth = width;
      }
      if (fit == Fit::First)
        return best;
    }
    at = end;
  }
  return best;
}

} // namespace

TEST(Placer, EqualsTheSlowPlacement) {
  for (uint64_t seed = 0; seed < 600; ++seed) {
    test::RandomOptions options;
    options.maxBuffers = 14;
    options.pins = false;
    Problem problem = test::randomProblem(seed, options);
    Model model(problem);
    for (Fit fit : {Fit::First, Fit::Best}) {
      Placer placer(model);
      std::vector<int64_t> offsets(model.size(), -1);
      for (BufferIndex b : orderOf(model, Order::Size)) {
        offsets[b] = slowPlace(model, offsets, b, fit, /*limit=*/150);
        ASSERT_EQ(placer.place(b, fit), offsets[b])
            << "seed " << seed << " buffer " << b;
      }
    }
  }
}

TEST(AddressSet, MergesWhatTouches) {
  AddressSet set;
  set.insert({10, 20});
  set.insert({30, 40});
  set.insert({0, 5});
  EXPECT_EQ(set.ranges().size(), 3u);
  set.insert({20, 30});
  ASSERT_EQ(set.ranges().size(), 2u);
  EXPECT_EQ(set.ranges()[1].low, 10);
  EXPECT_EQ(set.ranges()[1].high, 40);
  set.insert({2, 50});
  ASSERT_EQ(set.ranges().size(), 1u);
  EXPECT_EQ(set.ranges()[0].high, 50);
}

TEST(LocalOrder, GivesTheSamePlan) {
  Problem problem;
  uint64_t random = 7;
  auto below = [&](uint64_t limit) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    return static_cast<int64_t>((random >> 33) % limit);
  };
  // Enough time for several chunks. One buffer in fifty lives through many of
  // them; some buffers have two ranges, some have size 0.
  for (int64_t i = 0; i < 30000; ++i) {
    int64_t end = i + 1 + below(below(50) == 0 ? 9000 : 40);
    LiveRanges ranges = {{i, end}};
    if (below(10) == 0)
      ranges.push_back({end + 5, end + 6 + below(3000)});
    Buffer buffer;
    buffer.id = std::to_string(i);
    buffer.size = below(100) == 0 ? 0 : 1 + below(5000);
    buffer.alignment = int64_t(1) << below(4);
    buffer.ranges = ranges;
    problem.buffers.push_back(buffer);
  }
  problem.buffers[77].pinnedOffset = 4096;
  Model model(problem);
  for (Order byWhat : {Order::Size, Order::Breadth, Order::Start}) {
    std::vector<BufferIndex> order = orderOf(model, byWhat);
    std::vector<BufferIndex> local = localOrder(model, order);
    EXPECT_EQ(local == order, byWhat == Order::Start);
    EXPECT_EQ(std::set<BufferIndex>(local.begin(), local.end()),
              std::set<BufferIndex>(order.begin(), order.end()));
    EXPECT_EQ(local.size(), order.size());
    Placer placer(model);
    for (BufferIndex b : order)
      placer.place(b, Fit::First);
    EXPECT_EQ(placeInOrder(model, order, Fit::First).offsets, placer.offsets());
  }
}

TEST(StartOrder, PlacesAsThePlacerDoes) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    uint64_t random = seed;
    auto below = [&](uint64_t limit) {
      random = random * 6364136223846793005u + 1442695040888963407u;
      return static_cast<int64_t>((random >> 33) % limit);
    };
    // Short and long lives, equal starts, equal widths, empty buffers.
    Problem problem;
    int64_t length = 2 + below(600), alignment = int64_t(1) << below(4);
    for (int64_t i = 0; i < length; ++i) {
      Buffer buffer;
      buffer.id = std::to_string(i);
      buffer.size = below(40) == 0 ? 0 : 1 + below(seed % 2 == 0 ? 9 : 5000);
      buffer.alignment = alignment;
      int64_t start = below(length);
      buffer.ranges = {{start, start + 1 + below(below(3) == 0 ? length : 9)}};
      problem.buffers.push_back(buffer);
    }
    Model model(problem);
    std::vector<BufferIndex> order = orderOf(model, Order::Start);
    for (Fit fit : {Fit::First, Fit::Best}) {
      std::optional<Placement> placement =
          placeByStart(model, order, fit, INT64_MAX);
      ASSERT_TRUE(placement);
      Placer placer(model);
      for (BufferIndex b : order)
        placer.place(b, fit);
      EXPECT_EQ(placement->offsets, placer.offsets()) << "seed " << seed;
      EXPECT_EQ(placement->height, placer.height());
    }
  }
}

TEST(PlaceInOrder, GivesUpAtTheLimit) {
  test::ProblemBuilder builder;
  builder.add("a", 4, {{0, 2}}).add("b", 4, {{1, 3}});
  Problem problem = builder.raw();
  Model model(problem);
  // a ends at 4 and b at 8.
  // The second order is not by start.
  for (const std::vector<BufferIndex> &order :
       {std::vector<BufferIndex>{0, 1}, std::vector<BufferIndex>{1, 0}}) {
    EXPECT_EQ(placeInOrder(model, order, Fit::First, 9).height, 8);
    Placement refused = placeInOrder(model, order, Fit::First, 8);
    EXPECT_EQ(refused.height, INT64_MAX);
    EXPECT_TRUE(refused.offsets.empty());
  }
}

TEST(PooledSet, HoldsWhatAnAddressSetHolds) {
  RangePool pool;
  for (uint64_t seed = 1; seed < 200; ++seed) {
    AddressSet expected;
    PooledSet<1> one = {};
    PooledSet<2> two = {};
    uint64_t random = seed;
    for (int i = 0; i < 60; ++i) {
      random = random * 6364136223846793005u + 1442695040888963407u;
      auto low = static_cast<int64_t>(random >> 33) % 1000;
      AddressRange range{low, low + 1 + static_cast<int64_t>(random >> 60)};
      bool isNew =
          std::none_of(expected.ranges().begin(), expected.ranges().end(),
                       [&](const AddressRange &r) {
                         return r.low <= range.low && range.high <= r.high;
                       });
      expected.insert(range);
      EXPECT_EQ(one.insert(range, pool), isNew);
      EXPECT_EQ(two.insert(range, pool), isNew);
      auto isSame = [](const AddressRange &a, const AddressRange &b) {
        return a.low == b.low && a.high == b.high;
      };
      for (Slice<AddressRange> ranges : {one.ranges(), two.ranges()})
        ASSERT_TRUE(std::equal(ranges.begin(), ranges.end(),
                               expected.ranges().begin(),
                               expected.ranges().end(), isSame));
    }
  }
}

TEST(GapFinder, LeapsOverSeveralSets) {
  AddressSet a, b;
  a.insert({0, 10});
  a.insert({20, 30});
  b.insert({12, 18});
  GapFinder finder;
  finder.sets = {a.slice(), b.slice()};
  EXPECT_EQ(finder.first(2, 1), 10);
  EXPECT_EQ(finder.first(3, 1), 30);
  EXPECT_EQ(finder.first(2, 4), 32);
  // [10, 12) and [18, 20) are equally narrow; the lower one is chosen.
  EXPECT_EQ(finder.best(1, 1), 10);
}

TEST(NeighbourIndex, ListsWhoIsLiveTogether) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    test::RandomOptions options;
    options.maxBuffers = 20;
    Problem problem = test::randomProblem(seed, options);
    Model model(problem);
    NeighbourIndex index(model);
    for (BufferIndex a = 0; a < model.size(); ++a) {
      std::vector<BufferIndex> found, expected;
      index.collect(a, found);
      std::sort(found.begin(), found.end());
      for (BufferIndex b = 0; b < model.size(); ++b) {
        bool inConflict = false;
        for (const Relation &r : model.relations(a))
          inConflict |= r.other == b && r.isConflict;
        if (a != b && (model.liveTogether(a, b) || inConflict))
          expected.push_back(b);
      }
      EXPECT_EQ(found, expected) << "seed " << seed;
    }
  }
}

TEST(Model, SectionsSayWhoIsLiveTogether) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    Problem problem = test::randomProblem(seed, test::RandomOptions());
    Model model(problem);
    for (BufferIndex a = 0; a < model.size(); ++a)
      for (BufferIndex b = 0; b < model.size(); ++b)
        if (a != b && model.sizeOf(a) > 0 && model.sizeOf(b) > 0)
          EXPECT_EQ(model.liveTogether(a, b),
                    rangesIntersect(problem.buffers[a].ranges,
                                    problem.buffers[b].ranges))
              << "seed " << seed;
  }
}

TEST(FindComponents, SplitsWhereNothingIsLive) {
  test::ProblemBuilder builder;
  builder.add("a", 1, {{0, 3}}).add("b", 1, {{2, 5}}).add("c", 1, {{5, 8}});
  EXPECT_EQ(findComponents(Model(builder.raw())),
            (std::vector<std::vector<BufferIndex>>{{0, 1}, {2}}));
  // A conflict joins the two components.
  builder.conflict("a", "c");
  EXPECT_EQ(findComponents(Model(builder.raw())).size(), 1u);
}

TEST(SearchWindows, LowersAPlanThatOverflowsAtOneTime) {
  // The plan has a gap of two bytes below 'high'; only 'a' and 'high' need to
  // move.
  test::ProblemBuilder builder;
  builder.add("a", 2, {{0, 3}})
      .add("high", 3, {{2, 4}})
      .add("base", 4, {{0, 9}});
  Problem problem = builder.raw();
  Model model(problem);
  Placement placement{{4, 8, 0}, 11};
  SolveOptions options;
  SearchControl control(options, 100000);
  EXPECT_EQ(searchWindows(model, 9, 0, control, placement), 1);
  EXPECT_EQ(placement.height, 9);
  EXPECT_EQ(placement.offsets[2], 0);
}

TEST(SearchWindows, ComesAsNearToAnUnreachableGoalAsItCan) {
  // As above, but 8 bytes are less than 'a', 'high' and 'base' need at time 2.
  test::ProblemBuilder builder;
  builder.add("a", 2, {{0, 3}})
      .add("high", 3, {{2, 4}})
      .add("base", 4, {{0, 9}});
  Problem problem = builder.raw();
  Model model(problem);
  Placement placement{{4, 8, 0}, 11};
  SolveOptions options;
  SearchControl control(options, 100000);
  EXPECT_EQ(searchWindows(model, 8, 0, control, placement), 1);
  EXPECT_EQ(placement.height, 9);
}
