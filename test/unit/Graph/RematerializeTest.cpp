//===- RematerializeTest.cpp - Repeats within a budget --------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Graph/Rematerialize.h"

#include "GraphBuilder.h"
#include "RandomGraph.h"
#include "Recompute/RepeatModel.h"
#include "Recompute/Searches.h"
#include "SearchExactly.h"
#include "SmallDags.h"
#include "memplan/Graph/Partition.h"
#include "memplan/Graph/Profile.h"
#include <chrono>

using namespace memplan::graph;
using namespace memplan::graph::test;

namespace {

TEST(Rematerialize, CostsNoMoreThanAnyScheduleWithinTheBudget) {
  size_t repeated = 0, infeasible = 0;
  for (uint32_t seed = 0; seed < 24; ++seed) {
    OpGraph graph = randomDag(seed, seed % 8 == 0 ? 5 : 3 + seed % 2);
    Schedule source = programOrder(graph);
    RematerializeFrontier frontier(graph, source);
    int64_t peak = buildProfile(graph, source, budgetMemory()).peakBytes();
    for (int part = 100; part >= 40; part -= 6) {
      int64_t budget = peak * part / 100;
      RematerializeResult result = frontier.within(budget);
      int64_t best = EverySchedule(graph, budget, graph.ops.size() + 2).best;
      if (best == INT64_MAX) {
        if (result.status == RematerializeStatus::Infeasible)
          ++infeasible;
        continue;
      }
      ASSERT_EQ(result.status, RematerializeStatus::Optimal)
          << "seed " << seed << " budget " << budget;
      EXPECT_LE(result.point.extraFlops, best) << "seed " << seed;
      if (result.point.repeats <= 2)
        EXPECT_EQ(result.point.extraFlops, best) << "seed " << seed;
      repeated += result.point.repeats > 0;
    }
  }
  EXPECT_GT(repeated, 3u);
  EXPECT_GT(infeasible, 10u);
}

TEST(Rematerialize, TiesCountInSearchesAndProofs) {
  size_t saved = 0, infeasible = 0, feasible = 0;
  for (uint32_t seed = 0; seed < 60; ++seed) {
    OpGraph graph = randomTiedDag(500 + seed, 4 + seed % 2);
    Schedule source = programOrder(graph);
    RematerializeOptions options;
    options.memory = tiedMemory();
    RematerializeFrontier frontier(graph, source, options);
    int64_t peak = buildProfile(graph, source, options.memory).peakBytes();
    saved += peak < buildProfile(graph, source, budgetMemory()).peakBytes();
    for (int part = 100; part >= 40; part -= 12) {
      int64_t budget = peak * part / 100;
      RematerializeResult result = frontier.within(budget);
      int64_t best =
          EverySchedule(graph, budget, graph.ops.size() + 2, options.memory)
              .best;
      if (best == INT64_MAX) {
        infeasible += result.status == RematerializeStatus::Infeasible;
        continue;
      }
      ++feasible;
      ASSERT_EQ(result.status, RematerializeStatus::Optimal)
          << "seed " << seed << " budget " << budget;
      EXPECT_LE(result.point.extraFlops, best) << "seed " << seed;
      EXPECT_LE(result.point.peak, budget) << "seed " << seed;
    }
  }
  EXPECT_GT(saved, 20u);
  EXPECT_GT(feasible, 60u);
  EXPECT_GT(infeasible, 50u);
}

/// Expects that the figures of a result agree with the profile.
void expectTrue(const OpGraph &graph, const RematerializeResult &result,
                int64_t budget) {
  EXPECT_EQ(text(checkSchedule(graph, result.point.schedule)), "");
  EXPECT_EQ(
      buildProfile(graph, result.point.schedule, budgetMemory()).peakBytes(),
      result.point.peak);
  EXPECT_EQ(extraFlops(graph, result.point.schedule), result.point.extraFlops);
  EXPECT_LE(result.flopsBound, result.point.extraFlops);
  EXPECT_GE(result.point.peak, result.peakBound);
  if (result.status == RematerializeStatus::Optimal ||
      result.status == RematerializeStatus::Feasible)
    EXPECT_LE(result.point.peak, budget);
}

TEST(Rematerialize, PeakAndFlopsAreTrueAndMonotone) {
  for (uint32_t seed = 0; seed < 12; ++seed) {
    OpGraph graph = randomDag(100 + seed, seed % 2 ? 12 : 40);
    Schedule source = programOrder(graph);
    RematerializeOptions options;
    options.steps = 300000;
    RematerializeFrontier frontier(graph, source, options);
    int64_t peak = buildProfile(graph, source, budgetMemory()).peakBytes();
    int64_t flops = -1, lastPeak = INT64_MAX;
    bool isInfeasible = false;
    for (int part = 100; part >= 30; part -= 2) {
      int64_t budget = peak * part / 100;
      RematerializeResult result = frontier.within(budget);
      if (result.status == RematerializeStatus::Infeasible) {
        isInfeasible = true;
        EXPECT_NE(result.reason, "");
        continue;
      }
      EXPECT_FALSE(isInfeasible) << "a smaller budget was feasible";
      expectTrue(graph, result, budget);
      if (result.status == RematerializeStatus::Unknown)
        continue;
      EXPECT_GE(result.point.extraFlops, flops) << "seed " << seed;
      EXPECT_LE(result.point.peak, lastPeak) << "seed " << seed;
      flops = result.point.extraFlops;
      lastPeak = result.point.peak;
    }
  }
}

TEST(Rematerialize, SmallGraphsAreSolvedAsByTheExactSearch) {
  size_t found = 0, infeasible = 0, open = 0;
  for (uint32_t seed = 0; seed < 16; ++seed) {
    OpGraph graph = randomDag(900 + seed, 6 + seed % 5);
    Schedule source = programOrder(graph);
    RematerializeOptions options;
    options.steps = 1000000;
    RematerializeFrontier frontier(graph, source, options);
    RepeatModel model(graph, source, budgetMemory());
    int64_t peak = buildProfile(graph, source, budgetMemory()).peakBytes();
    for (int part = 95; part >= 40; part -= 8) {
      int64_t budget = peak * part / 100;
      RematerializeResult result = frontier.within(budget);
      ExactResult exact = searchExactly(model, budget, 4000000);
      ASSERT_NE(exact.status, ExactStatus::Limit);
      bool isFound = exact.status == ExactStatus::Found;
      if (isFound && result.status == RematerializeStatus::Optimal)
        EXPECT_EQ(result.point.extraFlops, model.extraFlops(exact.sequence))
            << "seed " << seed << " budget " << budget;
      found += isFound;
      infeasible += !isFound;
      open += result.status != (isFound ? RematerializeStatus::Optimal
                                        : RematerializeStatus::Infeasible);
    }
  }
  EXPECT_GT(found, 10u);
  EXPECT_GT(infeasible, 20u);
  EXPECT_EQ(open, 0u);
}

TEST(Rematerialize, GreedyDropsComeCloseToTheExactSearch) {
  // Sums over all graphs, as a single graph of a dozen ops leaves a greedy rule
  // little choice.
  double greedy = 0, exact = 0;
  for (uint32_t seed = 0; seed < 25; ++seed) {
    OpGraph graph = randomDag(200 + seed, 11);
    Schedule source = programOrder(graph);
    RematerializeOptions options;
    options.steps = 400000;
    RematerializeFrontier frontier(graph, source, options);
    RepeatModel model(graph, source, options.memory);
    for (const RematerializePoint &point : frontier.points()) {
      ExactResult best = searchExactly(model, point.peak, 4000000);
      ASSERT_EQ(best.status, ExactStatus::Found);
      EXPECT_LE(model.extraFlops(best.sequence), point.extraFlops);
      greedy += static_cast<double>(point.extraFlops);
      exact += static_cast<double>(model.extraFlops(best.sequence));
      EXPECT_LE(RepeatBounds(model).flopsWithin(point.peak),
                model.extraFlops(best.sequence));
    }
  }
  EXPECT_LE(greedy, 1.35 * exact);
  RecordProperty("greedy_flops", std::to_string(greedy));
  RecordProperty("exact_flops", std::to_string(exact));
}

TEST(Rematerialize, ModelHasTheProfilesPeakOfEveryRepeat) {
  size_t repeats = 0, complete = 0;
  for (uint32_t seed = 0; seed < 500; ++seed) {
    RandomGraph random(seed);
    const OpGraph &graph = random.graph;
    RepeatModel model(graph, programOrder(graph), budgetMemory());
    // The repeats of the random schedule that are legal.
    Sequence sequence;
    std::vector<bool> hasRun(model.nodes.size());
    for (uint32_t n : model.toSequence(random.schedule)) {
      if (hasRun[n] && !model.nodes[n].canRepeat)
        continue;
      repeats += hasRun[n];
      hasRun[n] = true;
      sequence.push_back(n);
    }
    Schedule schedule = model.toSchedule(sequence);
    ASSERT_EQ(text(checkSchedule(graph, schedule)), "") << "seed " << seed;
    int64_t peak = buildProfile(graph, schedule, budgetMemory()).peakBytes();
    EXPECT_EQ(model.peakOf(sequence), peak) << "seed " << seed;
    complete += model.isComplete;
    EXPECT_LE(RepeatBounds(model).peak, peak) << "seed " << seed;
    RepeatModel tied(graph, programOrder(graph), tiedMemory());
    peak = buildProfile(graph, schedule, tiedMemory()).peakBytes();
    EXPECT_LE(RepeatBounds(tied).peak, peak) << "seed " << seed;
    if (!tied.hasOtherTies)
      EXPECT_EQ(tied.peakOf(sequence), peak) << "seed " << seed;
  }
  EXPECT_GT(complete, 50u);
  EXPECT_GT(repeats, 300u);
}

TEST(Rematerialize, NothingIllegalIsRepeated) {
  for (uint32_t seed = 0; seed < 60; ++seed) {
    RandomGraph random(3000 + seed);
    RematerializeOptions options;
    options.steps = 30000;
    options.orderSteps = 2000;
    RematerializeFrontier frontier(random.graph, programOrder(random.graph),
                                   options);
    for (const RematerializePoint &point : frontier.points()) {
      EXPECT_EQ(text(checkSchedule(random.graph, point.schedule)), "");
      EXPECT_EQ(buildProfile(random.graph, point.schedule, budgetMemory())
                    .peakBytes(),
                point.peak)
          << "seed " << seed;
      std::vector<bool> hasRun(random.graph.ops.size());
      for (OpId op : point.schedule) {
        EXPECT_TRUE(!hasRun[op] || whyNotRepeatable(random.graph, op).empty());
        hasRun[op] = true;
      }
    }
  }
}

/// A view of the first value is read at the begin and at the end.
static OpGraph readThroughAView(GraphBuilder &builder, int64_t flopsOfView) {
  builder.input("x", 10);
  builder.op("a", {"x"}, {{"a", 1000}}).flops(1);
  builder.op("half", {"a"}, {{"h", 500, "a"}})
      .cost(CostClass::Free)
      .flops(flopsOfView);
  builder.op("b", {"h"}, {{"b", 1000}}).flops(100);
  builder.op("c", {"b"}, {{"c", 1000}}).flops(100);
  builder.op("d", {"c"}, {{"d", 10}}).flops(100);
  builder.op("e", {"d", "h"}, {{"e", 10}}).flops(100);
  return builder.outputs({"e"}).build();
}

TEST(Rematerialize, ViewsAreDerivedAgainFromWhatWasMadeAgain) {
  GraphBuilder builder;
  OpGraph graph = readThroughAView(builder, 0);
  RematerializeResult result = rematerialize(graph, programOrder(graph), 2100);
  EXPECT_EQ(result.status, RematerializeStatus::Optimal);
  EXPECT_EQ(result.point.extraFlops, 1);
  EXPECT_EQ(result.point.schedule,
            builder.schedule({"a", "half", "b", "c", "d", "a", "half", "e"}));
  EXPECT_EQ(rematerialize(graph, programOrder(graph), 2009).status,
            RematerializeStatus::Infeasible);
}

TEST(Rematerialize, FlopsOfViewsCountWhenTheyAreDerivedAgain) {
  GraphBuilder builder;
  OpGraph graph = readThroughAView(builder, 7);
  RematerializeResult result = rematerialize(graph, programOrder(graph), 2100);
  EXPECT_EQ(result.status, RematerializeStatus::Feasible);
  EXPECT_EQ(result.point.extraFlops, 8);
  EXPECT_EQ(extraFlops(graph, result.point.schedule), 8);
  EXPECT_EQ(result.point.schedule,
            builder.schedule({"a", "half", "b", "c", "d", "a", "half", "e"}));
}

// w overwrites the result of m, so w must not run again, and m may run again
// only before w.
TEST(Rematerialize, WhatWillBeWrittenIntoIsMadeAgainBefore) {
  GraphBuilder builder;
  builder.input("x", 10);
  builder.op("m", {"x"}, {{"s", 100}}).flops(1);
  builder.op("c", {"s"}, {{"t", 1}}).flops(1);
  builder.op("k", {"t"}, {{"u", 150}}).flops(1);
  builder.op("l", {"u"}, {{"v", 1}}).flops(1);
  builder.op("w", {"s", "v"}, {{"r", 100, "s"}}).flops(1);
  OpGraph graph = builder.outputs({"r"}).build();
  EXPECT_EQ(EverySchedule(graph, 200, 6).best, 1);
  RematerializeResult result = rematerialize(graph, programOrder(graph), 200);
  EXPECT_NE(result.status, RematerializeStatus::Infeasible);
  EXPECT_LE(result.peakBound, 162);
  // After w has run, m cannot run again.
  builder = GraphBuilder();
  builder.input("x", 10);
  builder.op("m", {"x"}, {{"s", 100}}).flops(1);
  builder.op("w", {"s"}, {{"r", 100, "s"}}).flops(1);
  builder.op("c", {"r"}, {{"t", 1}}).flops(1);
  builder.op("k", {"t"}, {{"u", 150}}).flops(1);
  builder.op("l", {"u", "r"}, {{"v", 1}}).flops(1);
  graph = builder.outputs({"v"}).build();
  EXPECT_EQ(EverySchedule(graph, 200, 7).best, INT64_MAX);
  EXPECT_EQ(rematerialize(graph, programOrder(graph), 200).status,
            RematerializeStatus::Infeasible);
}

// square reads p before update overwrites it, so it must not run again behind
// update, whether an effect edge or an operand orders them.
TEST(Rematerialize, WhatReadsOverwrittenMemoryRunsOnce) {
  for (bool isEdge : {false, true}) {
    GraphBuilder builder;
    builder.input("p", 100);
    builder.op("square", {"p"}, {{"s", 100}}).flops(1);
    if (isEdge)
      builder.op("update", {"p"}, {{"p2", 100, "p"}}).after({"square"});
    else
      builder.op("update", {"p", "s"}, {{"p2", 100, "p"}});
    builder.op("wide", {"p2"}, {{"t", 200}});
    builder.op("sum", {"t"}, {{"u", 1}});
    builder.op("last", {"u", "s"}, {{"v", 1}});
    OpGraph graph = builder.outputs({"v", "p2"}).build();
    RematerializeResult result = rematerialize(graph, programOrder(graph), 350);
    EXPECT_EQ(result.status, RematerializeStatus::Infeasible);
    EXPECT_EQ(whyNotRepeatable(graph, 0),
              "is ordered by effects with other ops, reads memory that is "
              "overwritten later, or writes in place (views have cost free)");
  }
}

TEST(Rematerialize, ABudgetThatHoldsTakesNoTime) {
  // A chain, and a graph whose last op reads the results of all others.
  constexpr int numOps = 60000;
  GraphBuilder chain, wide;
  chain.input("v0", 64);
  wide.input("v0", 64);
  std::vector<std::string> all;
  for (int k = 1; k <= numOps; ++k) {
    std::string name = "v" + std::to_string(k);
    chain.op(name, {"v" + std::to_string(k - 1)}, {{name, 64 + k % 7}});
    wide.op(name, {"v0"}, {{name, 64 + k % 7}});
    all.push_back(name);
  }
  chain.outputs({all.back()});
  wide.op("last", all, {{"sum", 8}}).outputs({"sum"});
  for (GraphBuilder *builder : {&chain, &wide}) {
    OpGraph graph = builder->build();
    auto begin = std::chrono::steady_clock::now();
    RematerializeResult result =
        rematerialize(graph, programOrder(graph), 1 << 30);
    std::chrono::duration<double> seconds =
        std::chrono::steady_clock::now() - begin;
    EXPECT_EQ(result.status, RematerializeStatus::Optimal);
    EXPECT_EQ(result.point.schedule, programOrder(graph));
    // This takes a tenth of a second; a quadratic algorithm would take a
    // minute.
    EXPECT_LT(seconds.count(), 10);
  }
}

TEST(Rematerialize, AViewThatIsNotFreeIsAWriteAndIsNotMadeAgain) {
  for (CostClass cost : {CostClass::Free, CostClass::Cheap}) {
    GraphBuilder builder;
    builder.input("x", 1).op("a", {"x"}, {{"a", 100}});
    builder.op("view", {"a"}, {{"v", 100, "a"}}).cost(cost);
    builder.op("b", {"v"}, {{"b", 1}}).op("c", {"b"}, {{"c", 100}});
    builder.op("d", {"c", "b"}, {{"d", 1}}).op("e", {"d", "v"}, {{"e", 1}});
    OpGraph graph = builder.outputs({"e"}).build();
    RematerializeResult result = rematerialize(graph, programOrder(graph), 110);
    if (cost == CostClass::Free) {
      EXPECT_EQ(result.status, RematerializeStatus::Optimal);
      continue;
    }
    EXPECT_EQ(whyNotRepeatable(graph, 1),
              "is ordered by effects with other ops, reads memory that is "
              "overwritten later, or writes in place (views have cost free)");
    EXPECT_EQ(result.status, RematerializeStatus::Infeasible);
  }
}

} // namespace
