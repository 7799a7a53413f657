//===- PairTest.cpp - Pairs of forward and backward graphs ----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Graph/Pair.h"
#include "GraphBuilder.h"

using namespace memplan::graph;
using namespace memplan::graph::test;

namespace {

/// A forward graph that saves h, which it makes, pv, a view of the primal, and
/// p; loss is an output that is not saved.
OpGraph forwardGraph() {
  return GraphBuilder()
      .input("p", 100, InputRole::Primal)
      .parameter("w", 1000)
      .op("view", {"p"}, {{"pv", 50, "p", 50}})
      .cost(CostClass::Free)
      .op("f", {"p", "w"}, {{"h", 10}})
      .op("low", {"h"}, {{"h1", 4, "h", 0}})
      .cost(CostClass::Free)
      .op("high", {"h"}, {{"h2", 6, "h", 4}})
      .cost(CostClass::Free)
      .op("g", {"h"}, {{"loss", 1}})
      .outputs({"loss", "pv", "p", "h1", "h2", "w"}, 1)
      .build();
}

/// A backward graph that takes the values that forwardGraph saves, in other
/// storages.
GraphBuilder backwardGraph() {
  return GraphBuilder()
      .input("pv", 50)
      .input("p", 100)
      .input("h1", 4)
      .input("h2", 6)
      .input("w", 1000)
      .input("t", 1, InputRole::Tangent)
      .op("b1", {"h1", "t", "pv"}, {{"d1", 7}})
      .op("b2", {"h2", "d1", "p", "w"}, {{"d2", 5}})
      .op("b3", {"d2"}, {{"d3", 3}})
      .outputs({"d3"}, 0);
}

std::string issuesOf(const OpGraph &forward, const OpGraph &backward,
                     const std::vector<SavedValue> &saved, PairProfile &pair,
                     const MemoryOptions &options = {}) {
  return text(buildPairProfile(forward, programOrder(forward), backward,
                               programOrder(backward), saved, options, pair));
}

TEST(Pair, CountsByStorageAndHoldsForwardInputs) {
  OpGraph forward = forwardGraph(), backward = backwardGraph().build();
  PairProfile pair;
  ASSERT_EQ(issuesOf(forward, backward, matchSaved(forward, backward), pair),
            "");
  EXPECT_EQ(pair.forwardPeakBytes(), 1111);
  // p and pv share a storage of 100 bytes, h1 and h2 one of 10 bytes, which is
  // released after b2. w, p and the tangent are held; the loss is the baseline.
  EXPECT_EQ(pair.baselineBytes, 1);
  ASSERT_EQ(pair.baseline.size(), 1u);
  EXPECT_EQ(forward.storages[pair.baseline[0]].id, "loss");
  std::vector<int64_t> live;
  for (const ProfileEntry &entry : pair.backward.entries)
    live.push_back(entry.liveBytes);
  EXPECT_EQ(live, (std::vector<int64_t>{1111, 1118, 1123, 1106, 1109, 1104}));
  EXPECT_EQ(pair.backwardPeakBytes(), 1124);
  EXPECT_EQ(pair.peakBytes(), 1124);
  std::string held;
  for (const HeldInput &input : pair.held)
    held += backward.values[input.value].id + ": " +
            std::string(nameOf(input.reason)) + "\n";
  EXPECT_EQ(held, "pv: view of a forward input\np: view of a forward "
                  "input\nw: view of a forward input\nt: no forward output\n");
  EXPECT_EQ(text(checkGraph(pair.backwardGraph)), "");
}

TEST(Pair, DonatedTangentIsReleasedAndParametersMayBeLeftOut) {
  OpGraph forward = forwardGraph(), backward = backwardGraph().build();
  backward.inputs.back().isDonated = true;
  MemoryOptions options;
  options.excluded = {Origin::Parameter};
  PairProfile pair;
  ASSERT_EQ(
      issuesOf(forward, backward, matchSaved(forward, backward), pair, options),
      "");
  EXPECT_EQ(pair.forwardPeakBytes(), 111);
  EXPECT_EQ(pair.backward.entries[1].liveBytes, 118);
  EXPECT_EQ(pair.backward.entries[2].liveBytes, 117);
}

TEST(Pair, BackwardThatKnowsOnlyAPartOfAStorage) {
  // In the backward graph, the storage of h2 begins at h2; a view in it is at
  // offset 2.
  OpGraph forward = forwardGraph();
  OpGraph backward = GraphBuilder()
                         .input("h2", 6)
                         .op("v", {"h2"}, {{"inner", 2, "h2", 2}})
                         .op("b", {"inner"}, {{"d", 1}})
                         .outputs({"d"}, 0)
                         .build();
  PairProfile pair;
  ASSERT_EQ(issuesOf(forward, backward, matchSaved(forward, backward), pair),
            "");
  EXPECT_EQ(pair.backward.entries[0].liveBytes, 10);
  EXPECT_EQ(pair.backwardGraph.values[1].offset, 6);
  EXPECT_EQ(text(checkGraph(pair.backwardGraph)), "");
}

TEST(Pair, SavedValuesThatDoNotFit) {
  OpGraph forward = forwardGraph(), backward = backwardGraph().build();
  std::vector<SavedValue> saved = matchSaved(forward, backward);
  PairProfile pair;
  saved.push_back(saved[0]);
  EXPECT_EQ(issuesOf(forward, backward, saved, pair),
            "input 'pv' takes two values that the forward graph saves\n");
  saved = matchSaved(forward, backward);
  std::swap(saved[0].forward, saved[1].forward);
  EXPECT_EQ(issuesOf(forward, backward, saved, pair),
            "input 'pv' has 50 bytes, but the forward value 'p' that it takes "
            "has 100\ninput 'p' has 100 bytes, but the forward value 'pv' that "
            "it takes has 50\n");
  OpGraph shared = GraphBuilder()
                       .storage("s", 14)
                       .inputIn({"h1", 4, "s", 0})
                       .inputIn({"h2", 6, "s", 8})
                       .op("b", {"h1", "h2"}, {{"d", 1}})
                       .outputs({"d"}, 0)
                       .build();
  EXPECT_EQ(
      issuesOf(forward, shared, matchSaved(forward, shared), pair),
      "input 'h1' lies in storage 's', which does not fit into 'h' of the "
      "forward graph\ninput 'h2' shares storage 's' with another input that "
      "the forward graph saved elsewhere\n");
}

} // namespace
