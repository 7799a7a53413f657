//===- PartitionTest.cpp - Partitions of joint graphs ---------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Graph/Partition.h"

#include "GraphBuilder.h"
#include "RandomGraph.h"
#include "memplan/Graph/Pair.h"
#include "memplan/Graph/Profile.h"

#include <algorithm>
#include <random>

using namespace memplan::graph;
using namespace memplan::graph::test;

namespace {

std::vector<std::string> savedIds(const OpGraph &graph,
                                  const Partition &partition) {
  std::vector<std::string> ids;
  for (ValueId v : partition.saved)
    ids.push_back(graph.values[v].id);
  return ids;
}
std::vector<std::string> opIds(const OpGraph &graph,
                               const std::vector<OpId> &ops) {
  std::vector<std::string> ids;
  for (OpId op : ops)
    ids.push_back(graph.ops[op].id);
  return ids;
}
using Ids = std::vector<std::string>;

/// Expects that both functions can run: each op has its operands, and all
/// outputs are made.
void expectRuns(const OpGraph &graph, const Partition &partition) {
  for (const PartGraph &part :
       {forwardPart(graph, partition), backwardPart(graph, partition)}) {
    EXPECT_EQ(text(checkGraph(part.graph)), "");
    EXPECT_EQ(text(checkSchedule(part.graph, programOrder(part.graph))), "");
  }
}

/// A forward chain with side branches, and backward ops for some of the forward
/// values.
OpGraph randomJoint(uint32_t seed) {
  std::mt19937 random(seed);
  GraphBuilder builder;
  builder.input("x", 1 + random() % 40, InputRole::Primal);
  builder.parameter("w", 1 + random() % 40);
  builder.input("dy", 5, InputRole::Tangent);
  std::vector<std::string> names = {"x", "w"};
  size_t numForward = 2 + random() % 7;
  for (size_t k = 0; k < numForward; ++k) {
    std::string name = "f" + std::to_string(k);
    std::vector<std::string> operands = {names.back()};
    if (random() % 2)
      operands.push_back(names[random() % names.size()]);
    builder.op(name, operands, {{name, int64_t(1 + random() % 40)}});
    builder.flops(1 + random() % 9);
    builder.cost(random() % 5 == 0 ? CostClass::Expensive : CostClass::Cheap);
    names.push_back(name);
  }
  std::string gradient = "dy";
  std::vector<std::string> outputs = {names.back()};
  for (size_t k = numForward; k-- > 0;) {
    if (random() % 3 == 0)
      continue;
    std::string name = "g" + std::to_string(k);
    builder.op(name, {gradient, names[2 + k]}, {{name, 8}});
    gradient = name;
  }
  outputs.push_back(gradient);
  return builder.outputs(outputs, 1).build();
}

/// The fewest saved bytes, then FLOPs, over all sets of recomputed ops.
std::pair<int64_t, int64_t> leastSaved(const OpGraph &graph) {
  std::vector<OpId> maker = valueMakers(graph);
  std::vector<bool> isBackward(graph.ops.size());
  std::vector<bool> fromTangent(graph.values.size());
  std::vector<bool> isFree(graph.values.size());
  for (const Input &input : graph.inputs) {
    fromTangent[input.value] = input.role == InputRole::Tangent;
    isFree[input.value] = input.isStatic;
  }
  // The caller holds the forward outputs.
  for (size_t i = 0; i < graph.numForwardOutputs; ++i)
    isFree[graph.outputs[i]] = true;
  std::vector<OpId> forward;
  for (OpId op = 0; op < graph.ops.size(); ++op) {
    for (ValueId v : graph.ops[op].operands)
      isBackward[op] = isBackward[op] || fromTangent[v];
    for (ValueId v : graph.ops[op].results)
      fromTangent[v] = isBackward[op];
    if (!isBackward[op])
      forward.push_back(op);
  }
  std::pair<int64_t, int64_t> best = {INT64_MAX, INT64_MAX};
  for (uint32_t set = 0; set < 1u << forward.size(); ++set) {
    std::vector<bool> again(graph.ops.size());
    bool isLegal = true;
    for (size_t k = 0; k < forward.size(); ++k)
      if (set >> k & 1) {
        again[forward[k]] = true;
        isLegal &= graph.ops[forward[k]].cost != CostClass::Expensive;
      }
    if (!isLegal)
      continue;
    std::vector<bool> isSaved(graph.values.size());
    int64_t bytes = 0, flops = 0;
    for (OpId op = 0; op < graph.ops.size(); ++op) {
      if (!isBackward[op] && !again[op])
        continue;
      flops += again[op] ? graph.ops[op].flops : 0;
      for (ValueId v : graph.ops[op].operands) {
        bool isHere = fromTangent[v] || (maker[v] != noOp && again[maker[v]]);
        if (isHere || isSaved[v])
          continue;
        isSaved[v] = true;
        bytes += isFree[v] ? 0 : graph.values[v].bytes;
      }
    }
    best = std::min(best, {bytes, flops});
  }
  return best;
}

TEST(Partition, SavesTheFewestBytesAndThenRecomputesTheFewestFlops) {
  size_t recomputed = 0;
  for (uint32_t seed = 0; seed < 300; ++seed) {
    OpGraph graph = randomJoint(seed);
    ASSERT_EQ(whyNotJoint(graph), "");
    PartitionOptions options;
    options.orderSteps = 100;
    Partition result = partition(graph, options);
    auto [bytes, flops] = leastSaved(graph);
    EXPECT_EQ(result.cutCapacity, bytes) << "seed " << seed;
    EXPECT_EQ(result.flow, bytes) << "seed " << seed;
    EXPECT_EQ(result.recomputedFlops, flops) << "seed " << seed;
    int64_t counted = result.savedUniqueBytes;
    for (ValueId v : result.saved)
      if (graph.values[v].id == "x")
        counted += graph.values[v].bytes;
    EXPECT_EQ(counted, bytes) << "seed " << seed;
    recomputed += result.recomputed.size();
    expectRuns(graph, result);
    options.strategy = PartitionStrategy::Default;
    Partition whole = partition(graph, options);
    EXPECT_TRUE(whole.recomputed.empty());
    expectRuns(graph, whole);
  }
  EXPECT_GT(recomputed, 100u);
}

/// Compares the peaks of the partition with those of its two graphs.
void expectPairPeaks(const OpGraph &graph, const Partition &result) {
  PartGraph forward = forwardPart(graph, result);
  PartGraph backward = backwardPart(graph, result);
  PairProfile pair;
  EXPECT_EQ(text(buildPairProfile(forward.graph, programOrder(forward.graph),
                                  backward.graph, programOrder(backward.graph),
                                  matchSaved(forward.graph, backward.graph), {},
                                  pair)),
            "");
  EXPECT_EQ(pair.forwardPeakBytes(), result.peaks.forward);
  // The pair's profile does not know which primals the caller holds.
  EXPECT_LE(pair.baselineBytes, result.heldBytes);
  int64_t backwardPeak = pair.backward.peakBytes() + result.heldBytes;
  EXPECT_LE(backwardPeak, result.peaks.backward);
  // It also releases saved forward outputs.
  EXPECT_LE(result.peaks.backward, backwardPeak + result.savedOutputBytes);
  EXPECT_EQ(std::max(result.peaks.forward, result.peaks.backward),
            result.peaks.pair);
}

TEST(Partition, PeaksAreThoseOfThePairProfile) {
  for (uint32_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    OpGraph graph = randomJoint(seed);
    expectPairPeaks(graph, partition(graph));
  }
}

TEST(Partition, WhatTheCallerHoldsIsFreeAndCountsInBothPeaks) {
  for (bool primalsAreHeld : {false, true}) {
    OpGraph graph = GraphBuilder()
                        .input("x", 100, InputRole::Primal)
                        .parameter("w", 1000)
                        .input("dy", 1, InputRole::Tangent)
                        .op("f", {"x", "w"}, {{"y", 50}})
                        .op("g", {"y"}, {{"z", 10}})
                        .op("dz", {"dy", "z"}, {{"a", 10}})
                        .op("dx", {"a", "y"}, {{"b", 20}})
                        .outputs({"y", "b"}, 1)
                        .build();
    PartitionOptions options;
    options.primalsAreHeld = primalsAreHeld;
    Partition result = partition(graph, options);
    // y is a forward output: z is made again from it, and nothing is kept.
    EXPECT_EQ(savedIds(graph, result), Ids({"y"}));
    EXPECT_EQ(result.cutCapacity, 0);
    EXPECT_EQ(result.savedUniqueBytes, 0);
    EXPECT_EQ(result.keptBytes, 0);
    EXPECT_EQ(result.savedOutputBytes, 50);
    // w and, if the caller holds it, x are live in the backward function, which
    // does not take them; y is live to its end.
    EXPECT_EQ(result.heldBytes, primalsAreHeld ? 1100 : 1000);
    EXPECT_EQ(result.peaks.forward, 100 + 1000 + 50);
    EXPECT_EQ(result.peaks.backward, result.heldBytes + 50 + 1 + 10 + 20);
    expectPairPeaks(graph, result);
    expectRuns(graph, result);
  }
}

TEST(Partition, WhoSavesAPartKeepsTheWhole) {
  OpGraph graph = GraphBuilder()
                      .input("x", 8, InputRole::Primal)
                      .input("dy", 8, InputRole::Tangent)
                      .op("mm", {"x"}, {{"a", 100}})
                      .cost(CostClass::Expensive)
                      .op("slice", {"a"}, {{"v", 50, "a"}})
                      .cost(CostClass::Free)
                      .op("loss", {"v"}, {{"y", 8}})
                      .op("g", {"dy", "v"}, {{"dx", 8}})
                      .outputs({"y", "dx"}, 1)
                      .build();
  Partition result = partition(graph);
  EXPECT_EQ(savedIds(graph, result), Ids({"v"}));
  EXPECT_EQ(result.peaks.backward, 100 + 8 + 8 + 8);
  expectPairPeaks(graph, result);
}

TEST(Partition, ADonatedInputIsReleasedUnderTheNameOfAViewToo) {
  OpGraph graph = GraphBuilder()
                      .donated("x", 100)
                      .input("dy", 8, InputRole::Tangent)
                      .op("view", {"x"}, {{"v", 100, "x"}})
                      .cost(CostClass::Free)
                      .op("loss", {"v"}, {{"y", 8}})
                      .op("g", {"dy", "v"}, {{"a", 8}})
                      .op("h", {"a"}, {{"dx", 200}})
                      .outputs({"y", "dx"}, 1)
                      .build();
  PartitionOptions options;
  options.strategy = PartitionStrategy::Default;
  for (bool isDefault : {false, true}) {
    Partition result =
        partition(graph, isDefault ? options : PartitionOptions());
    EXPECT_EQ(result.peaks.backward, 200 + 8 + 8 + 8);
    expectPairPeaks(graph, result);
  }
}

/// An op that must not run twice returns a view of its operand and a new value.
TEST(Partition, AViewByAnOpThatRunsOnceIsSaved) {
  for (bool needsWhole : {false, true}) {
    GraphBuilder builder;
    builder.input("x", 8, InputRole::Primal);
    builder.input("dy", 8, InputRole::Tangent);
    builder.op("mm", {"x"}, {{"a", 100}});
    builder.op("draw", {"a"}, {{"v", 100, "a"}, {"mask", 1}})
        .random(Randomness::ImplicitState);
    builder.op("loss", {"v"}, {{"y", 8}});
    if (needsWhole)
      builder.op("g", {"dy", "v", "a"}, {{"dx", 8}});
    else
      builder.op("g", {"dy", "v"}, {{"dx", 8}});
    OpGraph graph = builder.outputs({"y", "dx"}, 1).build();
    Partition result = partition(graph);
    // Both values are in one storage, which counts once.
    EXPECT_EQ(result.cutCapacity, 100);
    EXPECT_EQ(result.savedUniqueBytes, 100);
    EXPECT_TRUE(result.recomputed.empty());
    EXPECT_EQ(savedIds(graph, result),
              needsWhole ? Ids({"a", "v"}) : Ids({"v"}));
    expectRuns(graph, result);
  }
}

TEST(Partition, WhatOnlyTheBackwardFunctionNeedsMayRunThere) {
  for (bool isSavedToo : {false, true}) {
    GraphBuilder builder;
    builder.input("x", 8, InputRole::Primal);
    builder.input("dy", 8, InputRole::Tangent);
    builder.op("div", {"x"}, {{"a", 100}}).notSpeculatable();
    builder.op("sum", {"a"}, {{"b", 1}}).cost(CostClass::Expensive);
    builder.op("g",
               isSavedToo ? std::vector<std::string>{"dy", "b"}
                          : std::vector<std::string>{"dy", "a", "b"},
               {{"dx", 8}});
    OpGraph graph = builder.outputs({"dx"}, 0).build();
    Partition result = partition(graph);
    // If g needs only the sum, it is saved, and both ops run in the forward
    // function; otherwise saving x is cheaper.
    EXPECT_EQ(savedIds(graph, result), isSavedToo ? Ids({"b"}) : Ids({"x"}));
    EXPECT_EQ(result.cutCapacity, isSavedToo ? 1 : 8);
    EXPECT_TRUE(result.recomputed.empty());
    expectRuns(graph, result);
  }
}

/// x -> big -> (views, parts) -> backward.
GraphBuilder views() {
  GraphBuilder builder;
  builder.input("x", 5000, InputRole::Primal);
  builder.input("dy", 8, InputRole::Tangent);
  builder.op("mm", {"x"}, {{"a", 1000}}).cost(CostClass::Expensive).flops(9);
  return builder;
}

TEST(Partition, AStorageIsPaidOnceHoweverManyOfItsViewsAreUsed) {
  GraphBuilder builder = views();
  builder.op("t1", {"a"}, {{"v1", 1000, "a"}}).cost(CostClass::Free);
  builder.op("t2", {"v1"}, {{"v2", 1000, "a"}}).cost(CostClass::Free);
  builder.op("loss", {"v2"}, {{"y", 8}});
  builder.op("g", {"dy", "v1", "v2", "a"}, {{"dx", 8}});
  OpGraph graph = builder.outputs({"y", "dx"}, 1).build();
  Partition result = partition(graph);
  EXPECT_EQ(savedIds(graph, result), Ids({"a"}));
  EXPECT_EQ(result.cutCapacity, 1000);
  EXPECT_EQ(result.savedUniqueBytes, 1000);
  expectRuns(graph, result);
  // The default strategy saves each view, but the storage counts once.
  PartitionOptions options;
  options.strategy = PartitionStrategy::Default;
  result = partition(graph, options);
  EXPECT_EQ(savedIds(graph, result), Ids({"a", "v1", "v2"}));
  EXPECT_EQ(result.savedBytes, 3000);
  EXPECT_EQ(result.savedUniqueBytes, 1000);
  expectRuns(graph, result);
}

TEST(Partition, AStrictPartCostsItsOwnBytesUnlessTheWholeCostsLess) {
  GraphBuilder builder = views();
  builder.op("s1", {"a"}, {{"p1", 300, "a"}}).cost(CostClass::Free);
  builder.op("s2", {"a"}, {{"p2", 300, "a", 500}}).cost(CostClass::Free);
  // The same range as p1, by another op.
  builder.op("s3", {"a"}, {{"p3", 300, "a"}}).cost(CostClass::Free);
  builder.op("loss", {"a"}, {{"y", 8}});
  GraphBuilder few = builder;
  few.op("g", {"dy", "p1", "p2", "p3"}, {{"dx", 8}});
  OpGraph graph = few.outputs({"y", "dx"}, 1).build();
  Partition result = partition(graph);
  EXPECT_EQ(result.cutCapacity, 600);
  EXPECT_EQ(result.savedUniqueBytes, 600);
  EXPECT_EQ(savedIds(graph, result), Ids({"p1", "p2", "p3"}));
  expectRuns(graph, result);

  builder.op("s4", {"a"}, {{"p4", 500, "a", 400}}).cost(CostClass::Free);
  builder.op("g", {"dy", "p1", "p2", "p4"}, {{"dx", 8}});
  graph = builder.outputs({"y", "dx"}, 1).build();
  result = partition(graph);
  EXPECT_EQ(result.cutCapacity, 1000);
  EXPECT_EQ(savedIds(graph, result), Ids({"a"}));
  expectRuns(graph, result);
}

TEST(Partition, RandomOpsAreRepeatedOnlyWithTheirStateAsAnOperand) {
  for (RecomputeTag tag : {RecomputeTag::None, RecomputeTag::PreferRecompute,
                           RecomputeTag::MustRecompute}) {
    for (Randomness randomness :
         {Randomness::ExplicitState, Randomness::ImplicitState}) {
      GraphBuilder builder;
      builder.input("x", 10, InputRole::Primal);
      builder.input("seed", 4, InputRole::ForwardRng);
      builder.input("dy", 8, InputRole::Tangent);
      builder.op("dropout", {"x", "seed"}, {{"a", 1000}}).random(randomness);
      builder.lastOp().tag = tag;
      builder.op("exp", {"a"}, {{"b", 1000}});
      builder.op("loss", {"b"}, {{"y", 8}});
      builder.op("g", {"dy", "b"}, {{"dx", 8}});
      OpGraph graph = builder.outputs({"y", "dx"}, 1).build();
      PartitionOptions options;
      options.recompute = CostClass::Expensive;
      Partition result = partition(graph, options);
      bool isExplicit = randomness == Randomness::ExplicitState;
      EXPECT_EQ(opIds(graph, result.recomputed),
                isExplicit ? Ids({"dropout", "exp"}) : Ids());
      EXPECT_EQ(result.remarks.size(),
                size_t(!isExplicit && tag != RecomputeTag::None));
      expectRuns(graph, result);
    }
  }
}

TEST(Partition, ThePairNeverPeaksHigherThanByDefault) {
  size_t lower = 0, higher = 0;
  for (uint32_t seed = 0; seed < 200; ++seed) {
    OpGraph graph = randomJoint(seed);
    PartitionOptions options;
    options.orderSteps = 1000;
    options.keepPeak = true;
    int64_t peak = partition(graph, options).peaks.pair;
    options.keepPeak = false;
    higher += partition(graph, options).peaks.pair > peak;
    options.strategy = PartitionStrategy::Default;
    int64_t byDefault = partition(graph, options).peaks.pair;
    EXPECT_LE(peak, byDefault) << "seed " << seed;
    lower += peak < byDefault;
  }
  // Both cases occur: the peak is below the default's, and it would be above it
  // without keepPeak.
  EXPECT_GT(lower, 10u);
  EXPECT_GT(higher, 3u);
}

TEST(Partition, ALargerBudgetNeverKeepsLessOrCostsMore) {
  size_t between = 0, infeasible = 0;
  for (uint32_t seed = 0; seed < 100; ++seed) {
    OpGraph graph = randomJoint(seed);
    for (Op &op : graph.ops) {
      op.bytesRead = op.flops * 100000;
      if (op.name.empty())
        op.name = op.id;
    }
    PartitionOptions options;
    options.orderSteps = 0;
    options.budget = 0;
    Partition least = partition(graph, options);
    options.budget = INT64_MAX;
    Partition most = partition(graph, options);
    EXPECT_EQ(least.keptBytes, least.leastKeptBytes);
    EXPECT_EQ(most.recomputeCost, 0) << "seed " << seed;
    infeasible += least.keptBytes > 0;
    EXPECT_EQ(least.remarks.size(), least.keptBytes > 0 ? 1u : 0u);
    int64_t kept = least.keptBytes, cost = least.recomputeCost;
    for (int64_t bytes = least.keptBytes; bytes <= most.keptBytes; ++bytes) {
      options.budget = bytes;
      Partition result = partition(graph, options);
      ASSERT_LE(result.keptBytes, bytes) << "seed " << seed;
      EXPECT_GE(result.keptBytes, kept);
      EXPECT_LE(result.recomputeCost, cost);
      between += result.keptBytes > kept && bytes < most.keptBytes;
      kept = result.keptBytes;
      cost = result.recomputeCost;
    }
  }
  EXPECT_GT(between, 50u);
  EXPECT_GT(infeasible, 10u);
}

TEST(Partition, ScratchCountsAndOpsThatMustNotRunAgainRunOnce) {
  size_t recomputed = 0, atScratch = 0;
  for (uint32_t seed = 0; seed < 120; ++seed) {
    OpGraph graph = randomJoint(seed);
    std::mt19937 random(seed);
    for (Op &op : graph.ops) {
      op.scratchBytes = random() % 3 == 0 ? int64_t(random() % 60) : 0;
      op.speculatable = random() % 4 != 0;
    }
    for (std::optional<int64_t> budget : {std::optional<int64_t>(), {20}}) {
      PartitionOptions options;
      options.orderSteps = 200;
      options.recompute = CostClass::Expensive;
      options.keepPeak = true;
      options.primalsAreHeld = seed % 2;
      options.budget = budget;
      Partition result = partition(graph, options);
      expectRuns(graph, result);
      expectPairPeaks(graph, result);
      for (OpId op : result.recomputed)
        EXPECT_TRUE(graph.ops[op].speculatable) << "seed " << seed;
      recomputed += result.recomputed.size();
      OpGraph without = graph;
      for (Op &op : without.ops)
        op.scratchBytes = 0;
      atScratch += partition(without, options).peaks.pair < result.peaks.pair;
      if (budget)
        continue;
      options.strategy = PartitionStrategy::Default;
      EXPECT_LE(result.peaks.pair, partition(graph, options).peaks.pair)
          << "seed " << seed;
    }
  }
  EXPECT_GT(recomputed, 50u);
  EXPECT_GT(atScratch, 50u);
}

TEST(Partition, TagsAreObeyed) {
  auto recomputedWith = [](RecomputeTag first, RecomputeTag second,
                           const std::string &scope1,
                           const std::string &scope2) {
    GraphBuilder builder;
    builder.input("x", 10, InputRole::Primal);
    builder.input("dy", 8, InputRole::Tangent);
    builder.op("m1", {"x"}, {{"a", 1000}}).cost(CostClass::Expensive);
    builder.scope(scope1).lastOp().tag = first;
    builder.op("m2", {"a"}, {{"b", 900}}).cost(CostClass::Expensive);
    builder.scope(scope2).lastOp().tag = second;
    builder.op("loss", {"b"}, {{"y", 8}});
    builder.op("g", {"dy", "b"}, {{"dx", 8}});
    OpGraph graph = builder.outputs({"y", "dx"}, 1).build();
    Partition result = partition(graph);
    EXPECT_EQ(result.cutCapacity, result.flow);
    return opIds(graph, result.recomputed);
  };
  constexpr RecomputeTag none = RecomputeTag::None;
  constexpr RecomputeTag must = RecomputeTag::MustRecompute;
  EXPECT_EQ(recomputedWith(none, none, "", ""), Ids());
  EXPECT_EQ(recomputedWith(must, must, "", ""), Ids({"m1", "m2"}));
  EXPECT_EQ(recomputedWith(none, must, "", ""), Ids({"m2"}));
  EXPECT_EQ(recomputedWith(RecomputeTag::PreferRecompute,
                           RecomputeTag::PreferRecompute, "", ""),
            Ids({"m1", "m2"}));
  EXPECT_EQ(recomputedWith(RecomputeTag::MustSave, must, "", ""), Ids({"m2"}));
  // Two adjacent regions: the value between them is saved.
  EXPECT_EQ(recomputedWith(must, must, "block1", "block2"), Ids({"m2"}));
}

TEST(Partition, StaticArgumentsAreFreeToKeepAndSizesAreSaved) {
  GraphBuilder builder;
  builder.input("x", 4000, InputRole::Primal);
  builder.parameter("w", 100000);
  builder.input("dy", 8, InputRole::Tangent);
  builder.op("size", {"x"}, {{"n", 8}}).cost(CostClass::Free);
  builder.op("exp", {"x", "w"}, {{"a", 3000}});
  builder.op("loss", {"a"}, {{"y", 8}});
  // g needs the weight and the size of x, but not x.
  builder.op("g", {"dy", "w", "n"}, {{"dx", 8}});
  OpGraph graph = builder.outputs({"y", "dx"}, 1).build();
  Partition result = partition(graph);
  EXPECT_EQ(savedIds(graph, result), Ids({"w", "n"}));
  EXPECT_EQ(result.cutCapacity, 8);
  PartitionOptions options;
  options.primalsAreHeld = true;
  EXPECT_EQ(partition(graph, options).cutCapacity, 0);
}

TEST(Partition, EffectsRunOnceAndKeepTheirSide) {
  GraphBuilder builder;
  builder.input("x", 10, InputRole::Primal);
  builder.input("dy", 8, InputRole::Tangent);
  builder.op("log", {"x"}, {}).impure();
  builder.op("read", {"x"}, {{"a", 1000}}).after({"log"});
  builder.op("loss", {"a"}, {{"y", 8}});
  builder.op("g", {"dy", "a"}, {{"dx", 8}});
  builder.op("logBackward", {"dx"}, {}).impure().after({"log"});
  OpGraph graph = builder.outputs({"y", "dx"}, 1).build();
  Partition result = partition(graph);
  EXPECT_EQ(opIds(graph, result.forward), Ids({"log", "read", "loss"}));
  EXPECT_EQ(opIds(graph, result.backward), Ids({"g", "logBackward"}));
  EXPECT_EQ(savedIds(graph, result), Ids({"a"}));
  EXPECT_NE(whyNotRepeatable(graph, 1), "");
  expectRuns(graph, result);
}

TEST(Partition, WhatIsOverwrittenIsReadBefore) {
  // Only the backward function needs the result of `read`, whose operand a
  // backward op overwrites.
  GraphBuilder builder;
  builder.input("x", 64, InputRole::Primal);
  builder.input("dy", 64, InputRole::Tangent);
  builder.op("loss", {"x"}, {{"y", 64}});
  builder.op("read", {"x"}, {{"t", 64}});
  builder.op("write", {"x", "dy"}, {{"x2", 64, "x"}});
  builder.impure().after({"loss", "read"});
  builder.op("g", {"t", "dy"}, {{"dx", 64}});
  OpGraph graph = builder.outputs({"y", "dx"}, 1).build();
  PartitionOptions options;
  options.strategy = PartitionStrategy::Default;
  for (int64_t steps : {0, 1000}) {
    options.orderSteps = steps;
    Partition result = partition(graph, options);
    EXPECT_EQ(opIds(graph, result.backward), Ids({"read", "write", "g"}));
    EXPECT_EQ(backwardPart(graph, result).graph.ops[1].after, Schedule({0}));
    expectRuns(graph, result);
  }
}

TEST(Partition, WhatMayNotRunTwiceIsSaved) {
  // Gradients that do not depend on a tangent, made by ops that have effects,
  // draw random numbers, or are ordered with an op of the forward function.
  GraphBuilder builder;
  builder.input("x", 64, InputRole::Primal);
  builder.input("dy", 64, InputRole::Tangent);
  builder.op("call", {"x"}, {{"a", 64}}).impure();
  builder.op("draw", {}, {{"b", 64}}).random(Randomness::ImplicitState);
  builder.op("copy", {"b"}, {{"c", 64}});
  builder.op("read", {"x"}, {{"d", 64}}).after({"call"});
  builder.op("late", {"d"}, {{"e", 64}, {"f", 8}}).impure();
  builder.op("loss", {"x"}, {{"y", 64}});
  builder.op("g", {"x", "dy"}, {{"dx", 64}});
  OpGraph graph = builder.outputs({"y", "dx", "a", "c", "d", "e"}, 1).build();
  Partition result = partition(graph);
  EXPECT_EQ(result.recomputed, std::vector<OpId>());
  EXPECT_EQ(result.cutCapacity, result.flow);
  Ids saved = savedIds(graph, result);
  for (const char *id : {"a", "d", "e"})
    EXPECT_TRUE(std::count(saved.begin(), saved.end(), id)) << id;
  expectRuns(graph, result);
}

TEST(Partition, AResultOfNoBytesIsNotSavedBesideItsOpThatRunsAgain) {
  GraphBuilder builder;
  builder.input("x", 8, InputRole::Primal);
  builder.input("dy", 64, InputRole::Tangent);
  builder.op("split", {"x"}, {{"a", 1000}, {"nothing", 0}});
  builder.op("loss", {"a", "nothing"}, {{"y", 64}});
  builder.op("g", {"a", "nothing", "dy"}, {{"dx", 64}});
  OpGraph graph = builder.outputs({"y", "dx"}, 1).build();
  Partition result = partition(graph);
  EXPECT_EQ(savedIds(graph, result), Ids({"x"}));
  EXPECT_EQ(opIds(graph, result.recomputed), Ids({"split"}));
  expectRuns(graph, result);
}

TEST(Partition, ASavedViewOfAConstantIsTheConstant) {
  GraphBuilder builder;
  builder.input("x", 8, InputRole::Primal);
  builder.input("dy", 64, InputRole::Tangent);
  builder.constant("table", 1000);
  builder.op("row", {"table"}, {{"r", 100, "table", 300}}).impure();
  builder.op("loss", {"x", "r"}, {{"y", 64}});
  builder.op("g", {"r", "table", "dy"}, {{"dx", 64}});
  OpGraph graph = builder.outputs({"y", "dx"}, 1).build();
  Partition result = partition(graph);
  EXPECT_EQ(savedIds(graph, result), Ids({"r"}));
  expectRuns(graph, result);
  EXPECT_EQ(forwardPart(graph, result).graph.outputs.size(), 1u);
  EXPECT_EQ(backwardPart(graph, result).graph.inputs.size(), 1u);
  // The table's memory counts once.
  EXPECT_EQ(result.peaks.backward, 1000 + 64 + 64 + 64);
}

TEST(Partition, WhatNoForwardOutputNeedsCountsWhereItRunsTwice) {
  // Saving x and b costs as much as saving x and w, but runs `first` in both
  // functions.
  GraphBuilder builder;
  builder.input("x", 4, InputRole::Primal);
  builder.input("w", 4, InputRole::Primal);
  builder.input("dy", 8, InputRole::Tangent);
  builder.op("loss", {"x"}, {{"y", 8}});
  builder.op("first", {"x"}, {{"a", 100}}).flops(5).cost(CostClass::Free);
  builder.op("second", {"a", "w"}, {{"b", 4}}).flops(7);
  builder.op("g", {"dy", "a", "b"}, {{"dx", 8}});
  OpGraph graph = builder.outputs({"y", "dx"}, 1).build();
  Partition result = partition(graph);
  EXPECT_EQ(savedIds(graph, result), Ids({"x", "w"}));
  EXPECT_EQ(result.recomputedFlops, 0);
  expectRuns(graph, result);
  // If b must be saved, `first` runs in both functions and is listed.
  graph.ops[2].tag = RecomputeTag::MustSave;
  result = partition(graph);
  EXPECT_EQ(savedIds(graph, result), Ids({"x", "b"}));
  EXPECT_EQ(result.recomputedFlops, 5);
  EXPECT_EQ(opIds(graph, result.recomputed), Ids({"first"}));
}

TEST(Partition, LateRecomputationLowersThePeak) {
  // Each backward step needs one recomputed value; together they would be
  // large.
  GraphBuilder builder;
  builder.input("x", 8, InputRole::Primal);
  builder.input("dy", 8, InputRole::Tangent);
  std::vector<std::string> large;
  for (int k = 0; k < 6; ++k) {
    std::string name = "a" + std::to_string(k);
    builder.op(name, {"x"}, {{name, 1000}});
    large.push_back(name);
  }
  builder.op("loss", large, {{"y", 8}});
  std::string gradient = "dy";
  for (int k = 6; k-- > 0;) {
    std::string name = "g" + std::to_string(k);
    builder.op(name, {gradient, large[k]}, {{name, 8}});
    gradient = name;
  }
  OpGraph graph = builder.outputs({"y", gradient}, 1).build();
  PartitionOptions options;
  options.orderSteps = 0;
  Partition result = partition(graph, options);
  EXPECT_EQ(result.recomputed.size(), 6u);
  // The sum of x, dy, y, two gradients and one large value.
  EXPECT_EQ(result.peaks.backward, 8 + 8 + 8 + 8 + 8 + 1000);
}

TEST(Partition, SlowHundredThousandValuesTakeSeconds) {
  GraphBuilder builder;
  builder.input("v", 64, InputRole::Primal);
  builder.input("dy", 8, InputRole::Tangent);
  std::vector<std::string> names = {"v"};
  std::mt19937 random(3);
  for (int k = 0; k < 50000; ++k) {
    std::string name = "f" + std::to_string(k);
    builder.op(
        name,
        {names.back(), names[names.size() - 1 -
                             random() % std::min<size_t>(names.size(), 8)]},
        {{name, int64_t(1 + random() % 1000)}});
    builder.flops(1 + random() % 100);
    builder.cost(k % 10 == 0 ? CostClass::Expensive : CostClass::Cheap);
    names.push_back(name);
  }
  std::string gradient = "dy";
  for (int k = 50000; k-- > 0;) {
    std::string name = "g" + std::to_string(k);
    builder.op(name, {gradient, names[k + 1]}, {{name, 64}});
    gradient = name;
  }
  OpGraph graph = builder.outputs({names.back(), gradient}, 1).build();
  PartitionOptions options;
  options.orderSteps = 1000;
  Partition result = partition(graph, options);
  EXPECT_EQ(result.flow, result.cutCapacity);
  EXPECT_GT(result.recomputed.size(), 10000u);
}

TEST(Partition, WhatIsNoJointGraphIsRefused) {
  GraphBuilder builder;
  builder.input("dy", 8, InputRole::Tangent);
  builder.op("g", {"dy"}, {{"dx", 8}});
  builder.op("h", {"dy"}, {{"dz", 8}});
  EXPECT_EQ(whyNotJoint(builder.outputs({"dx", "dz"}, 1).build()),
            "forward output 'dx' depends on a tangent or a backward random "
            "state");
  EXPECT_EQ(whyNotJoint(builder.outputs({"dx"}, 1).build()),
            "all 1 outputs are forward outputs: there is no backward function "
            "(the first forward_outputs ones are those of the forward "
            "function)");
  GraphBuilder large;
  large.input("dy", INT64_MAX / 4, InputRole::Tangent);
  large.op("g", {"dy"}, {{"dx", INT64_MAX / 4}});
  EXPECT_EQ(whyNotJoint(large.outputs({"dx"}, 0).build()),
            "the sum of the bytes of all storages is 2^60 or more");
}

} // namespace
