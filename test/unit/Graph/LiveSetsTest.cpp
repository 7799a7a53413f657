//===- LiveSetsTest.cpp - Sets of live pieces, from the end ---------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomGraph.h"
#include "Recompute/Searches.h"
#include "SearchExactly.h"
#include "SmallDags.h"

using namespace memplan::graph;
using namespace memplan::graph::test;

namespace {

constexpr int64_t manySteps = 4000000;

/// The lowest peak of all sequences, with any repeats, by bisection with the
/// exhaustive search.
int64_t leastPeak(const RepeatModel &model, const Sequence &source) {
  int64_t low = 0, high = model.peakOf(source);
  while (low < high) {
    int64_t middle = low + (high - low) / 2;
    ExactStatus status = searchExactly(model, middle, manySteps).status;
    EXPECT_NE(status, ExactStatus::Limit);
    if (status == ExactStatus::Found)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

/// A graph in which all ops may run again and an output needs each op.
OpGraph randomBushyDag(uint32_t seed, size_t numOps) {
  std::mt19937 random(seed);
  GraphBuilder builder;
  std::vector<std::string> names = {"x"};
  std::vector<bool> isUsed = {true};
  builder.input("x", 1);
  for (size_t k = 0; k < numOps; ++k) {
    std::vector<std::string> operands;
    for (size_t left = 1 + random() % 3; left-- > 0;) {
      size_t value = random() % names.size();
      operands.push_back(names[value]);
      isUsed[value] = true;
    }
    names.push_back("v" + std::to_string(k));
    isUsed.push_back(false);
    builder.op(names.back(), operands,
               {{names.back(), int64_t(1 + random() % 3 * 40)}});
    builder.flops(1 + random() % 50);
  }
  std::vector<std::string> outputs;
  for (size_t k = 0; k < names.size(); ++k)
    if (!isUsed[k])
      outputs.push_back(names[k]);
  return builder.outputs(outputs).build();
}

/// Counts how often each bound is equal to the lowest peak.
struct Tightness {
  size_t graphs = 0, byOp = 0, byThrees = 0, bySearch = 0;

  void add(const RepeatModel &model, const Sequence &source,
           size_t maxPieces = TriplePeaks::maxPieces) {
    int64_t least = leastPeak(model, source);
    int64_t single = RepeatBounds(model).peak;
    TriplePeaks triples(model, maxPieces);
    TogetherBound none = boundTogether(triples, 0, 0);
    TogetherBound bound = boundTogether(triples, single, manySteps);
    EXPECT_LE(single, least);
    EXPECT_LE(bound.byThrees, bound.bySearch);
    EXPECT_LE(bound.bySearch, least);
    EXPECT_LE(none.bySearch, bound.bySearch);
    ++graphs;
    byOp += single == least;
    byThrees += bound.byThrees == least;
    bySearch += bound.bySearch == least;
  }
};

TEST(LiveSets, BoundsReachTheLowestPeakWhereAllMayRunAgain) {
  Tightness tightness;
  for (uint32_t seed = 0; seed < 300; ++seed) {
    OpGraph graph = randomBushyDag(7000 + seed, 5 + seed % 5);
    RepeatModel model(graph, programOrder(graph), budgetMemory());
    ASSERT_TRUE(model.isComplete);
    SCOPED_TRACE(seed);
    tightness.add(model, model.toSequence(programOrder(graph)));
  }
  RecordProperty("by_op", std::to_string(tightness.byOp));
  RecordProperty("by_threes", std::to_string(tightness.byThrees));
  EXPECT_LT(tightness.byOp, 200u);
  EXPECT_GT(tightness.byThrees, 250u);
  EXPECT_EQ(tightness.bySearch, tightness.graphs);
}

TEST(LiveSets, BoundsHoldWhereSomeRunOnce) {
  Tightness tightness;
  for (uint32_t seed = 0; seed < 300; ++seed) {
    OpGraph graph = randomDag(7000 + seed, 5 + seed % 5);
    RepeatModel model(graph, programOrder(graph), budgetMemory());
    SCOPED_TRACE(seed);
    tightness.add(model, model.toSequence(programOrder(graph)));
  }
  // Ops that no output needs are left out of the bounds.
  EXPECT_GT(tightness.bySearch, 250u);
}

TEST(LiveSets, BoundsHoldWithTies) {
  Tightness tightness;
  for (uint32_t seed = 0; seed < 200; ++seed) {
    OpGraph graph = randomTiedDag(7500 + seed, 4 + seed % 5);
    RepeatModel model(graph, programOrder(graph), tiedMemory());
    if (!model.isComplete)
      continue;
    SCOPED_TRACE(seed);
    tightness.add(model, model.toSequence(programOrder(graph)));
  }
  EXPECT_GT(tightness.graphs, 150u);
  EXPECT_GT(2 * tightness.bySearch, tightness.graphs);
}

TEST(LiveSets, BoundsHoldOfFewPieces) {
  Tightness tightness;
  for (uint32_t seed = 0; seed < 200; ++seed) {
    OpGraph graph = randomDag(8000 + seed, 9);
    RepeatModel model(graph, programOrder(graph), budgetMemory());
    SCOPED_TRACE(seed);
    tightness.add(model, model.toSequence(programOrder(graph)), 2 + seed % 5);
  }
  EXPECT_GT(tightness.bySearch, 20u);
}

/// Compares with the profiles of all schedules, which share no code with the
/// model.
TEST(LiveSets, NoScheduleIsBelowABound) {
  size_t schedules = 0;
  for (uint32_t seed = 0; seed < 40; ++seed) {
    OpGraph graph = randomDag(8500 + seed, 3 + seed % 3);
    RepeatModel model(graph, programOrder(graph), budgetMemory());
    TriplePeaks triples(model);
    int64_t bound = boundTogether(triples, 0, manySteps).bySearch;
    EXPECT_EQ(EverySchedule(graph, bound - 1, graph.ops.size() + 2).best,
              INT64_MAX)
        << "seed " << seed;
    schedules +=
        EverySchedule(graph, bound, graph.ops.size() + 2).best != INT64_MAX;
  }
  EXPECT_GT(schedules, 25u);
}

/// Bounds hold for graphs with all features: for the repeats of random
/// schedules and for the results of the searches.
TEST(LiveSets, BoundsHoldOfAnyGraph) {
  size_t found = 0, repeated = 0;
  for (uint32_t seed = 0; seed < 300; ++seed) {
    RandomGraph random(seed);
    const OpGraph &graph = random.graph;
    Schedule source = programOrder(graph);
    for (const MemoryOptions &memory : {budgetMemory(), tiedMemory()}) {
      RepeatModel model(graph, source, memory);
      TriplePeaks triples(model);
      int64_t bound = boundTogether(triples, 0, 20000).bySearch;
      int64_t peak = buildProfile(graph, source, memory).peakBytes();
      EXPECT_LE(bound, peak) << "seed " << seed;
      LiveSets sets(model, LiveSets::Follow::All, 0);
      for (int part : {100, 90, 80, 70}) {
        int64_t budget = bound + (peak - bound) * (part - 70) / 30;
        int64_t steps = 20000;
        std::optional<Sequence> sequence = searchBackward(
            model, sets, triples, budget, 8,
            part == 90 ? BackwardRule::LeastPeak : BackwardRule::Lightest,
            steps);
        if (!sequence)
          continue;
        ++found;
        repeated += sequence->size() > model.nodes.size();
        Schedule schedule = model.toSchedule(*sequence);
        EXPECT_EQ(text(checkSchedule(graph, schedule)), "") << "seed " << seed;
        EXPECT_LE(model.peakOf(*sequence), budget) << "seed " << seed;
        if (!model.hasOtherTies)
          EXPECT_LE(buildProfile(graph, schedule, memory).peakBytes(), budget)
              << "seed " << seed;
        for (const RepeatModel::Node &node : model.nodes) {
          size_t times = std::count(schedule.begin(), schedule.end(), node.op);
          EXPECT_GE(times, 1u) << "seed " << seed;
          EXPECT_TRUE(times == 1 || node.canRepeat) << "seed " << seed;
        }
      }
    }
  }
  EXPECT_GT(found, 900u);
  EXPECT_GT(repeated, 50u);
}

TEST(LiveSets, TheSearchFindsTheLowestPeak) {
  size_t graphs = 0, found = 0;
  for (uint32_t seed = 0; seed < 100; ++seed) {
    OpGraph graph = randomDag(9000 + seed, 9);
    RepeatModel model(graph, programOrder(graph), budgetMemory());
    int64_t least = leastPeak(model, model.toSequence(programOrder(graph)));
    TriplePeaks triples(model);
    LiveSets sets(model, LiveSets::Follow::All, 0);
    for (BackwardRule rule :
         {BackwardRule::Lightest, BackwardRule::LeastPeak}) {
      int64_t steps = 100000, none = 100000;
      std::optional<Sequence> sequence =
          searchBackward(model, sets, triples, least, 32, rule, steps);
      ++graphs;
      found += sequence.has_value();
      EXPECT_LT(steps, 100000);
      EXPECT_FALSE(
          searchBackward(model, sets, triples, least - 1, 32, rule, none));
    }
  }
  EXPECT_GT(10 * found, 9 * graphs);
}

// p and q are large, and making each takes more memory than it has. Whichever
// is made last, the other one is live.
//
//     x -> a (30) -> p (40) --+
//                             +-> out (10)
//     x -> b (30) -> q (40) --+
TEST(LiveSets, WhatIsMadeLastFindsTheOtherThere) {
  GraphBuilder builder;
  builder.input("x", 1);
  builder.op("a", {"x"}, {{"a", 30}}).flops(1);
  builder.op("p", {"a"}, {{"p", 40}}).flops(1);
  builder.op("b", {"x"}, {{"b", 30}}).flops(1);
  builder.op("q", {"b"}, {{"q", 40}}).flops(1);
  builder.op("out", {"p", "q"}, {{"out", 10}}).flops(1);
  OpGraph graph = builder.outputs({"out"}).build();
  RepeatModel model(graph, programOrder(graph), budgetMemory());
  // No op needs more than x, p, q and out.
  EXPECT_EQ(RepeatBounds(model).peak, 91);
  TriplePeaks triples(model);
  EXPECT_EQ(boundTogether(triples, 0, 0).byThrees, 111);
  EXPECT_EQ(boundTogether(triples, 0, 1000).bySearch, 111);
  RematerializeOptions options;
  options.steps = 10000;
  RematerializeFrontier frontier(graph, programOrder(graph), options);
  RematerializeResult result = frontier.within(110);
  EXPECT_EQ(result.status, RematerializeStatus::Infeasible);
  EXPECT_EQ(result.peakBound, 111);
  EXPECT_TRUE(result.needsTogether);
  EXPECT_EQ(result.boundOp, noOp);
  EXPECT_EQ(frontier.within(111).status, RematerializeStatus::Optimal);
}

} // namespace
