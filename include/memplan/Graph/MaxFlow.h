//===- MaxFlow.h - Maximum flow and minimum cut -----------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dinic's algorithm (E. A. Dinic, "Algorithm for solution of a problem of
// maximum flow in networks with power estimation", 1970): each phase augments
// along shortest paths, with distances computed from the sink.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_GRAPH_MAXFLOW_H
#define MEMPLAN_GRAPH_MAXFLOW_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace memplan::graph {

/// A directed network with integer capacities. Add nodes and arcs, call maxFlow
/// once, then query the cut. Deterministic.
class FlowNetwork {
public:
  using Node = uint32_t;
  using Arc = uint32_t;

  /// The capacity of an arc that no cut may contain.
  static constexpr int64_t unlimited = INT64_MAX / 4;

  Node addNode();
  size_t numNodes() const { return nodeCount; }

  /// `capacity` is 0 to `unlimited`. The sum of all capacities other than
  /// `unlimited` must be less than `unlimited` / 2.
  Arc addArc(Node from, Node to, int64_t capacity);
  size_t numArcs() const { return heads.size() / 2; }

  /// The maximum flow, or std::nullopt if a path of unlimited arcs leads from
  /// the source to the sink. O(nodes^2 * arcs) in the worst case; about linear
  /// on the networks of op graphs.
  std::optional<int64_t> maxFlow(Node source, Node sink);

  /// After maxFlow: for each node, whether a path with residual capacity leads
  /// from it to the sink. Among all minimum cuts (not sinkSide, sinkSide) is
  /// the nearest to the sink. Of all minimum cuts (not sinkSide, sinkSide) is
  /// the nearest to the sink.
  std::vector<bool> sinkSide(Node sink) const;

  /// After maxFlow: the flow that the arc can carry in addition, and the flow
  /// that it carries.
  int64_t residual(Arc arc) const { return capacities[2 * arc]; }
  int64_t flow(Arc arc) const { return capacities[2 * arc + 1]; }
  int64_t capacity(Arc arc) const { return residual(arc) + flow(arc); }
  Node tail(Arc arc) const { return heads[2 * arc + 1]; }
  Node head(Arc arc) const { return heads[2 * arc]; }

private:
  void indexArcs();

  size_t nodeCount = 0;
  // Half arcs: 2a runs along arc a, 2a + 1 against it.
  std::vector<Node> heads;
  std::vector<int64_t> capacities;
  // The half arcs that leave node n are leaving[k] for k from first[n] to
  // first[n + 1] - 1.
  std::vector<uint32_t> first, leaving;
};

} // namespace memplan::graph

#endif // MEMPLAN_GRAPH_MAXFLOW_H
