//===- MaxFlowTest.cpp - Maximum flow and minimum cut ---------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Graph/MaxFlow.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <random>

using namespace memplan::graph;

namespace {

struct Edge {
  uint32_t from, to;
  int64_t capacity;
};

/// The least capacity of all 2^(n-2) cuts, and the most nodes on the source
/// side of a cut with this capacity.
std::pair<int64_t, int> smallestCut(uint32_t n,
                                    const std::vector<Edge> &edges) {
  int64_t best = INT64_MAX;
  int most = 0;
  for (uint32_t side = 0; side < 1u << n; ++side) {
    if (!(side & 1) || (side & 2))
      continue;
    int64_t capacity = 0;
    for (const Edge &edge : edges)
      if ((side >> edge.from & 1) && !(side >> edge.to & 1))
        capacity += edge.capacity;
    int nodes = __builtin_popcount(side);
    if (capacity < best || (capacity == best && nodes > most)) {
      best = capacity;
      most = nodes;
    }
  }
  return {best, most};
}

FlowNetwork networkOf(uint32_t n, const std::vector<Edge> &edges) {
  FlowNetwork network;
  for (uint32_t k = 0; k < n; ++k)
    network.addNode();
  for (const Edge &edge : edges)
    network.addArc(edge.from, edge.to, edge.capacity);
  return network;
}

TEST(MaxFlow, EqualsTheSmallestOfAllCutsAndIsNearestToTheSink) {
  std::mt19937 random(1);
  for (int round = 0; round < 500; ++round) {
    uint32_t n = 2 + random() % 8;
    std::vector<Edge> edges;
    for (uint32_t k = random() % 25; k-- > 0;)
      edges.push_back({static_cast<uint32_t>(random() % n),
                       static_cast<uint32_t>(random() % n),
                       static_cast<int64_t>(random() % 10)});
    FlowNetwork network = networkOf(n, edges);
    std::optional<int64_t> flow = network.maxFlow(0, 1);
    auto [capacity, nodes] = smallestCut(n, edges);
    ASSERT_TRUE(flow.has_value());
    EXPECT_EQ(*flow, capacity) << "round " << round;
    std::vector<bool> inSink = network.sinkSide(1);
    EXPECT_EQ(n - std::count(inSink.begin(), inSink.end(), true),
              static_cast<size_t>(nodes));
    // Flow is conserved at every node but source and sink, and no arc exceeds
    // its capacity.
    std::vector<int64_t> balance(n);
    for (FlowNetwork::Arc arc = 0; arc < network.numArcs(); ++arc) {
      EXPECT_GE(network.flow(arc), 0);
      EXPECT_LE(network.flow(arc), edges[arc].capacity);
      balance[network.tail(arc)] -= network.flow(arc);
      balance[network.head(arc)] += network.flow(arc);
    }
    for (uint32_t k = 2; k < n; ++k)
      EXPECT_EQ(balance[k], 0);
  }
}

TEST(MaxFlow, SaysWhereNoCutIsFinite) {
  constexpr int64_t unlimited = FlowNetwork::unlimited;
  EXPECT_FALSE(networkOf(3, {{0, 2, unlimited}, {2, 1, unlimited}})
                   .maxFlow(0, 1)
                   .has_value());
  EXPECT_EQ(networkOf(3, {{0, 2, unlimited}, {2, 1, 7}}).maxFlow(0, 1), 7);
  EXPECT_EQ(networkOf(2, {}).maxFlow(0, 1), 0);
}

TEST(MaxFlow, SlowMillionArcs) {
  // As in op graphs: one node in ten may not be recomputed, one in ten is used
  // by the backward function.
  std::mt19937 random(2);
  std::vector<Edge> edges;
  uint32_t n = 200000;
  for (uint32_t k = 2; k + 1 < n; ++k) {
    for (int i = 0; i < 5; ++i)
      edges.push_back(
          {k,
           k + 1 + static_cast<uint32_t>(random() % std::min(50u, n - 1 - k)),
           static_cast<int64_t>(random() % 1000)});
    if (random() % 10 == 0)
      edges.push_back({0, k, static_cast<int64_t>(random() % 100000)});
    if (random() % 10 == 0)
      edges.push_back({k, 1, static_cast<int64_t>(random() % 100000)});
  }
  FlowNetwork network = networkOf(n, edges);
  std::optional<int64_t> flow = network.maxFlow(0, 1);
  ASSERT_TRUE(flow.has_value());
  std::vector<bool> inSink = network.sinkSide(1);
  int64_t capacity = 0;
  for (FlowNetwork::Arc arc = 0; arc < network.numArcs(); ++arc)
    if (!inSink[network.tail(arc)] && inSink[network.head(arc)])
      capacity += network.capacity(arc);
  EXPECT_EQ(*flow, capacity);
  EXPECT_GT(*flow, 0);
}

} // namespace
