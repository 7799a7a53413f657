//===- MaxFlow.cpp - Maximum flow and minimum cut -------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Graph/MaxFlow.h"

#include <algorithm>

using namespace memplan::graph;

FlowNetwork::Node FlowNetwork::addNode() {
  return static_cast<Node>(nodeCount++);
}

FlowNetwork::Arc FlowNetwork::addArc(Node from, Node to, int64_t capacity) {
  Arc arc = static_cast<Arc>(heads.size() / 2);
  heads.push_back(to);
  heads.push_back(from);
  capacities.push_back(capacity);
  capacities.push_back(0);
  return arc;
}

void FlowNetwork::indexArcs() {
  first.assign(nodeCount + 1, 0);
  for (size_t half = 0; half < heads.size(); ++half)
    ++first[heads[half ^ 1] + 1];
  for (size_t n = 0; n < nodeCount; ++n)
    first[n + 1] += first[n];
  leaving.resize(heads.size());
  std::vector<uint32_t> next(first.begin(), first.end() - 1);
  for (uint32_t half = 0; half < heads.size(); ++half)
    leaving[next[heads[half ^ 1]]++] = half;
}

std::optional<int64_t> FlowNetwork::maxFlow(Node source, Node sink) {
  indexArcs();
  constexpr uint32_t unreached = UINT32_MAX;
  std::vector<uint32_t> distance(nodeCount), next(nodeCount);
  std::vector<Node> queue;
  std::vector<uint32_t>
      path; // The half arcs of the current path from the source.
  int64_t total = 0;
  while (true) {
    // Distances to the sink along arcs with residual capacity.
    std::fill(distance.begin(), distance.end(), unreached);
    distance[sink] = 0;
    queue.assign(1, sink);
    for (size_t i = 0; i < queue.size() && distance[source] == unreached; ++i)
      for (uint32_t k = first[queue[i]]; k < first[queue[i] + 1]; ++k) {
        uint32_t half = leaving[k];
        if (capacities[half ^ 1] == 0 || distance[heads[half]] != unreached)
          continue;
        distance[heads[half]] = distance[queue[i]] + 1;
        queue.push_back(heads[half]);
      }
    if (distance[source] == unreached)
      return total;

    // A blocking flow on shortest paths. A node without a further arc stays a
    // dead end until the end of the phase.
    std::copy(first.begin(), first.end() - 1, next.begin());
    path.clear();
    Node node = source;
    while (true) {
      if (node == sink) {
        int64_t amount = unlimited;
        for (uint32_t half : path)
          amount = std::min(amount, capacities[half]);
        if (amount >= unlimited / 2)
          return std::nullopt;
        total += amount;
        size_t blocked = path.size();
        for (size_t i = path.size(); i-- > 0;) {
          uint32_t half = path[i];
          capacities[half] -= amount;
          capacities[half ^ 1] += amount;
          if (capacities[half] == 0)
            blocked = i;
        }
        // Continue at the tail of the first saturated arc of the path.
        node = heads[path[blocked] ^ 1];
        path.resize(blocked);
        continue;
      }
      uint32_t &k = next[node];
      while (k < first[node + 1]) {
        uint32_t half = leaving[k];
        if (capacities[half] > 0 && distance[heads[half]] != unreached &&
            distance[heads[half]] + 1 == distance[node])
          break;
        ++k;
      }
      if (k < first[node + 1]) {
        path.push_back(leaving[k]);
        node = heads[leaving[k]];
        continue;
      }
      if (path.empty())
        break;
      node = heads[path.back() ^ 1];
      path.pop_back();
      ++next[node];
    }
  }
}

std::vector<bool> FlowNetwork::sinkSide(Node sink) const {
  std::vector<bool> isReached(nodeCount);
  isReached[sink] = true;
  std::vector<Node> stack(1, sink);
  while (!stack.empty()) {
    Node node = stack.back();
    stack.pop_back();
    for (uint32_t k = first[node]; k < first[node + 1]; ++k) {
      uint32_t half = leaving[k];
      if (capacities[half ^ 1] == 0 || isReached[heads[half]])
        continue;
      isReached[heads[half]] = true;
      stack.push_back(heads[half]);
    }
  }
  return isReached;
}
