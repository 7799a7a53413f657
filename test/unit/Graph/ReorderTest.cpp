//===- ReorderTest.cpp - Orders with a low peak ---------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Graph/Reorder.h"

#include "GraphBuilder.h"
#include "Order/LiveModel.h"
#include "Order/Orders.h"
#include "RandomGraph.h"
#include "memplan/Graph/Profile.h"

#include <algorithm>
#include <numeric>
#include <random>

using namespace memplan::graph;
using namespace memplan::graph::test;

namespace {

/// If `numSizes` is not 0, the values have so many sizes, and ops have ties.
OpGraph randomDag(uint32_t seed, size_t numOps, size_t reach,
                  size_t numSizes = 0) {
  std::mt19937 random(seed);
  GraphBuilder builder;
  std::vector<std::string> names = {"x"}, outputs;
  builder.input("x", 1 + random() % 50);
  for (size_t k = 0; k < numOps; ++k) {
    std::vector<std::string> operands;
    for (size_t i = random() % 3; i-- > 0;)
      operands.push_back(
          names[names.size() - 1 - random() % std::min(names.size(), reach)]);
    std::string name = "v" + std::to_string(k);
    int64_t bytes = 1 + random() % 100;
    if (numSizes != 0)
      bytes = 50 * (1 + bytes % int64_t(numSizes));
    builder.op(name, operands, {{name, bytes}});
    for (uint32_t operand = 0; operand < operands.size(); ++operand)
      if (numSizes != 0 && random() % 3)
        builder.tie(0, operand);
    if (random() % 4 == 0)
      builder.scratch(random() % 60);
    names.push_back(name);
    if (random() % 5 == 0)
      outputs.push_back(name);
  }
  return builder.outputs(outputs).build();
}

/// The number of operands equal to `value` that are tied.
std::ptrdiff_t tiesOf(const Op &op, ValueId value) {
  return std::count_if(op.ties.begin(), op.ties.end(), [&](InPlaceTie tie) {
    return op.operands[tie.operand] == value;
  });
}

/// The least peak of all orders, by dynamic programming over sets of ops that
/// have run. Only for graphs of randomDag: each storage has one value, and
/// every input is held.
int64_t leastPeak(const OpGraph &graph) {
  size_t n = graph.ops.size();
  std::vector<uint32_t> users(graph.values.size()), needs(n);
  std::vector<bool> isOutput(graph.values.size());
  std::vector<OpId> maker = valueMakers(graph);
  int64_t inputs = 0;
  for (const Input &input : graph.inputs)
    inputs += graph.values[input.value].bytes;
  for (OpId op = 0; op < n; ++op)
    for (ValueId v : graph.ops[op].operands) {
      users[v] |= 1u << op;
      if (maker[v] != noOp)
        needs[op] |= 1u << maker[v];
    }
  for (ValueId v : graph.outputs)
    isOutput[v] = true;
  auto live = [&](uint32_t done) {
    int64_t bytes = inputs;
    for (ValueId v = 0; v < graph.values.size(); ++v)
      if (maker[v] != noOp && (done >> maker[v] & 1) &&
          (isOutput[v] || (users[v] & ~done)))
        bytes += graph.values[v].bytes;
    return bytes;
  };
  std::vector<int64_t> best(size_t(1) << n, INT64_MAX);
  best[0] = inputs;
  for (uint32_t done = 0; done < 1u << n; ++done) {
    if (best[done] == INT64_MAX)
      continue;
    int64_t now = live(done);
    for (OpId op = 0; op < n; ++op) {
      if ((done >> op & 1) || (needs[op] & ~done))
        continue;
      int64_t peak = now + graph.ops[op].scratchBytes +
                     graph.values[graph.ops[op].results[0]].bytes;
      // The result may reuse the memory of an operand that no other op needs
      // any more.
      for (InPlaceTie tie : graph.ops[op].ties) {
        ValueId v = graph.ops[op].operands[tie.operand];
        if (maker[v] == noOp || isOutput[v] || (users[v] & ~done) != 1u << op ||
            graph.values[v].bytes !=
                graph.values[graph.ops[op].results[0]].bytes ||
            std::count(graph.ops[op].operands.begin(),
                       graph.ops[op].operands.end(),
                       v) != tiesOf(graph.ops[op], v))
          continue;
        peak -= graph.values[v].bytes;
        break;
      }
      int64_t &next = best[done | 1u << op];
      next = std::min(next, std::max(best[done], peak));
    }
  }
  return best.back();
}

TEST(Reorder, FindsTheLeastPeakOfAllOrders) {
  for (uint32_t seed = 0; seed < 120; ++seed) {
    OpGraph graph = randomDag(seed, 2 + seed % 13, 2 + seed % 9);
    int64_t least = leastPeak(graph);
    for (OrderStrategy strategy :
         {OrderStrategy::Threshold, OrderStrategy::Auto}) {
      ReorderOptions options;
      options.strategy = strategy;
      options.judgeByArena = false;
      ReorderResult result = reorder(graph, programOrder(graph), options);
      EXPECT_EQ(result.peak, least) << "seed " << seed;
      EXPECT_TRUE(result.isOptimal) << "seed " << seed;
      EXPECT_EQ(result.bound, least) << "seed " << seed;
      EXPECT_EQ(buildProfile(graph, result.order).peakBytes(), result.peak);
    }
    LiveModel model(graph, programOrder(graph), {});
    EXPECT_LE(orderBound(model), least) << "seed " << seed;
    EXPECT_LE(orderBound(model, 0), least) << "seed " << seed;
  }
}

TEST(Reorder, FindsTheLeastPeakWithTies) {
  size_t saved = 0;
  for (uint32_t seed = 0; seed < 120; ++seed) {
    OpGraph graph = randomDag(700 + seed, 2 + seed % 11, 2 + seed % 9, 1);
    int64_t least = leastPeak(graph);
    ReorderOptions options;
    options.judgeByArena = false;
    options.memory.takeTies = true;
    ReorderResult result = reorder(graph, programOrder(graph), options);
    EXPECT_EQ(result.peak, least) << "seed " << seed;
    EXPECT_EQ(result.bound, least) << "seed " << seed;
    EXPECT_EQ(buildProfile(graph, result.order, options.memory).peakBytes(),
              result.peak);
    saved += least < buildProfile(graph, result.order).peakBytes();
  }
  EXPECT_GT(saved, 30u);
}

TEST(Reorder, ModelHasTheProfilesPeakInEveryOrder) {
  for (uint32_t seed = 0; seed < 400; ++seed) {
    RandomGraph random(seed);
    Schedule source = programOrder(random.graph);
    MemoryOptions memory;
    if (seed % 2)
      memory.held.insert(Origin::Donated);
    LiveModel model(random.graph, source, memory);
    for (const Schedule &order :
         {lpmfOrder(model), dfsOrder(model), bfsOrder(model)}) {
      Schedule schedule = model.toSchedule(order);
      ASSERT_EQ(text(checkSchedule(random.graph, schedule)), "") << seed;
      EXPECT_EQ(model.peakOf(order),
                buildProfile(random.graph, schedule, memory).peakBytes())
          << "seed " << seed;
      MemoryOptions ties = memory;
      ties.takeTies = true;
      LiveModel tied(random.graph, source, ties);
      int64_t peak = buildProfile(random.graph, schedule, ties).peakBytes();
      EXPECT_LE(orderBound(tied), peak) << "seed " << seed;
      if (!tied.hasOtherTies)
        EXPECT_EQ(tied.peakOf(order), peak) << "seed " << seed;
    }
  }
}

TEST(Reorder, IsNeverWorseThanTheSource) {
  for (uint32_t seed = 0; seed < 60; ++seed) {
    RandomGraph random(1000 + seed);
    Schedule source = programOrder(random.graph);
    ReorderOptions options;
    options.steps = seed % 3 == 0 ? 0 : 3000;
    options.memory.takeTies = seed % 4 == 0;
    for (OrderStrategy strategy :
         {OrderStrategy::Source, OrderStrategy::Threshold,
          OrderStrategy::Anneal, OrderStrategy::Auto}) {
      options.strategy = strategy;
      ReorderResult result = reorder(random.graph, source, options);
      EXPECT_EQ(text(checkSchedule(random.graph, result.order)), "") << seed;
      EXPECT_LE(result.peak, result.sourcePeak) << "seed " << seed;
      EXPECT_GE(result.peak, result.bound) << "seed " << seed;
      EXPECT_EQ(
          result.peak,
          buildProfile(random.graph, result.order, options.memory).peakBytes());
      ReorderResult again = reorder(random.graph, source, options);
      EXPECT_EQ(result.order, again.order);
    }
  }
}

TEST(Reorder, JudgesArenasOfTheBestOrders) {
  OpGraph graph = randomDag(7, 30, 12);
  ReorderResult result = reorder(graph, programOrder(graph));
  ASSERT_FALSE(result.candidates.empty());
  ASSERT_TRUE(result.candidates[0].arena.has_value());
  for (const OrderCandidate &candidate : result.candidates)
    if (candidate.strategy == result.strategy) {
      ASSERT_TRUE(candidate.arena.has_value());
      EXPECT_LE(*candidate.arena, *result.candidates[0].arena);
    }
}

TEST(Reorder, EffectsAndRandomOpsKeepTheirOrder) {
  GraphBuilder builder;
  builder.input("x", 8);
  // Running "late" first would save memory.
  builder.op("early", {"x"}, {{"a", 1000}});
  builder.op("late", {"x"}, {{"b", 10}}).after({"early"});
  builder.op("draw1", {"a"}, {{"c", 500}}).random(Randomness::ImplicitState);
  builder.op("draw2", {"x"}, {{"d", 10}}).random(Randomness::ImplicitState);
  OpGraph graph = builder.outputs({"b", "c", "d"}).build();
  for (OrderStrategy strategy :
       {OrderStrategy::Lpmf, OrderStrategy::Dfs, OrderStrategy::Bfs,
        OrderStrategy::Anneal, OrderStrategy::Auto}) {
    ReorderOptions options;
    options.strategy = strategy;
    ReorderResult result = reorder(graph, programOrder(graph), options);
    EXPECT_EQ(text(checkSchedule(graph, result.order)), "");
  }
}

TEST(Reorder, LargeGraphsAreImprovedInWindows) {
  // The same ops many times; in the source order two large values are live at
  // once.
  GraphBuilder builder;
  builder.input("v", 10);
  std::string last = "v";
  for (int k = 0; k < 2500; ++k) {
    std::string n = std::to_string(k);
    builder.op("a" + n, {last}, {{"a" + n, 1000}});
    builder.op("b" + n, {last}, {{"b" + n, 1000}});
    builder.op("c" + n, {"a" + n}, {{"c" + n, 10}});
    builder.op("d" + n, {"b" + n, "c" + n}, {{"d" + n, 10}});
    last = "d" + n;
  }
  OpGraph graph = builder.outputs({last}).build();
  ReorderOptions options;
  options.strategy = OrderStrategy::Threshold;
  ReorderResult result = reorder(graph, programOrder(graph), options);
  EXPECT_EQ(result.sourcePeak, 2020);
  EXPECT_EQ(result.peak, 1030);
  EXPECT_TRUE(result.isOptimal);
}

} // namespace
