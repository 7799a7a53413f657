//===- BoundPoints.cpp - FLOPs that single points need --------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Consider the first run of a node k within a budget B. Its ancestors have run.
// k and the nodes that depend on it run later, and what they need must be live
// at k or be made again later, from items for which the same holds:
//
//   x(a) = 1: node a runs again later; live(i) = 1: item i is live at k
//   minimise sum flops(a) x(a)    x(maker of i) + live(i) >= need of i
//                                 sum bytes(i) live(i) <= B - what k uses
//
// Without the last line this is a minimum cut. With a multiplier m >= 0 for
// that line, the cut with the costs m * bytes(i) for live items, less m times
// the free bytes, is a lower bound (J. Geoffrion, "Lagrangean relaxation for
// integer programming", 1974); the best m gives the bound of the linear
// program. It is concave in m, so it is found between two cuts by the point at
// which their lines meet.
//
//===----------------------------------------------------------------------===//

#include "Recompute/Searches.h"
#include "memplan/Graph/MaxFlow.h"

#include <algorithm>
#include <cmath>

using namespace memplan::graph;

namespace {

/// With more nodes, a cut for each node takes too long.
constexpr size_t maxNodes = 400;
/// Cuts for each point.
constexpr int maxCuts = 12;

class PointBounds {
public:
  PointBounds(const RepeatModel &model, int64_t budget)
      : model(model), budget(budget), isBefore(model.nodes.size()),
        isBehind(isBefore), isUsed(model.items.size()),
        maxCost(1e17 / static_cast<double>(model.items.size() + 1)) {
    for (const RepeatModel::Item &item : model.items)
      if (item.maker == RepeatModel::none && item.isKept)
        held += item.bytes;
    double flops = 1;
    for (const RepeatModel::Node &node : model.nodes)
      flops += static_cast<double>(node.flops);
    scale = std::min(scale, 1e17 / flops);
  }

  /// The larger of `known` and the bound for the first run of the node.
  double of(uint32_t k, double known) {
    findSides(k);
    int64_t fixed = held + model.nodes[k].scratch - model.nodes[k].otherTies;
    fixed -=
        takenBytes(model.nodes[k].takeovers, [](uint32_t) { return true; });
    std::fill(isUsed.begin(), isUsed.end(), false);
    for (const std::vector<uint32_t> *list :
         {&model.nodes[k].needs, &model.nodes[k].makes})
      for (uint32_t i : *list)
        if (!isHeldInput(i) && !isUsed[i]) {
          isUsed[i] = true;
          fixed += model.items[i].bytes;
        }
    double room = static_cast<double>(budget - fixed);
    Line low = cut(0);
    if (low.bytes <= room)
      return known;
    Line high = cut(steepest);
    // Each cut is a line flops + m * (bytes - room); the bound is the highest
    // point of their minimum.
    double best = known;
    for (int n = 0; n < maxCuts && high.bytes < low.bytes; ++n) {
      double m = (high.flops - low.flops) / (low.bytes - high.bytes);
      Line next = cut(m);
      best = std::max(best, next.least - m * room);
      double meeting = low.flops + m * (low.bytes - room);
      double value = next.flops + m * (next.bytes - room);
      if (value >= meeting - 1e-9 * std::abs(meeting))
        break;
      (next.bytes > room ? low : high) = next;
    }
    return best;
  }

private:
  struct Line {
    double flops, bytes;
    /// At most the cost of any cut for the multiplier.
    double least;
  };

  /// A multiplier with which bytes outweigh FLOPs.
  static constexpr double steepest = 1e6;

  bool mayRunAgain(uint32_t n) const {
    const RepeatModel::Node &node = model.nodes[n];
    return node.canRepeat ||
           std::any_of(node.makes.begin(), node.makes.end(), [&](uint32_t i) {
             return model.items[i].mayBeMadeAgain;
           });
  }

  bool isHeldInput(uint32_t i) const {
    return model.items[i].isKept && model.items[i].maker == RepeatModel::none;
  }

  /// Finds the nodes that run before k and those that depend on it.
  void findSides(uint32_t k) {
    std::fill(isBefore.begin(), isBefore.end(), false);
    std::fill(isBehind.begin(), isBehind.end(), false);
    for (uint32_t before : model.nodes[k].before)
      isBefore[before] = true;
    for (uint32_t n = k; n-- > 0;)
      if (isBefore[n])
        for (uint32_t before : model.nodes[n].before)
          isBefore[before] = true;
    isBehind[k] = true;
    for (uint32_t n = k + 1; n < model.nodes.size(); ++n)
      for (uint32_t before : model.nodes[n].before)
        if (isBehind[before])
          isBehind[n] = true;
  }

  /// The minimum cut of flops + m * bytes. Nodes that neither precede k nor
  /// depend on it may run on either side, at no cost.
  Line cut(double m) {
    FlowNetwork network;
    FlowNetwork::Node source = network.addNode(), sink = network.addNode();
    std::vector<FlowNetwork::Node> nodes(model.nodes.size());
    for (uint32_t n = 0; n < nodes.size(); ++n) {
      nodes[n] = isBehind[n] ? sink : network.addNode();
      // A node on the sink side runs again.
      if (isBefore[n])
        network.addArc(
            source, nodes[n],
            mayRunAgain(n)
                ? static_cast<int64_t>(
                      static_cast<double>(model.nodes[n].flops) * scale)
                : FlowNetwork::unlimited);
    }
    std::vector<FlowNetwork::Node> items(model.items.size(), sink);
    for (uint32_t i = 0; i < model.items.size(); ++i) {
      const RepeatModel::Item &item = model.items[i];
      bool isInput = item.maker == RepeatModel::none;
      // The others are live at k, or made behind it.
      if (isHeldInput(i) || isUsed[i] || (!isInput && isBehind[item.maker]))
        continue;
      items[i] = network.addNode();
      double cost = m * static_cast<double>(item.bytes) * scale;
      network.addArc(isInput ? source : nodes[item.maker], items[i],
                     static_cast<int64_t>(std::min(cost, maxCost)));
      if (item.isKept)
        network.addArc(items[i], sink, FlowNetwork::unlimited);
    }
    for (uint32_t n = 0; n < nodes.size(); ++n)
      for (uint32_t i : model.nodes[n].needs)
        if (items[i] != sink)
          network.addArc(items[i], nodes[n], FlowNetwork::unlimited);
    Line line = {0, 0, 0};
    std::optional<int64_t> flow = network.maxFlow(source, sink);
    if (!flow)
      return line;
    line.least = static_cast<double>(*flow) / scale;
    std::vector<bool> inSink = network.sinkSide(sink);
    for (uint32_t n = 0; n < nodes.size(); ++n)
      if (isBefore[n] && inSink[nodes[n]])
        line.flops += static_cast<double>(model.nodes[n].flops);
    for (uint32_t i = 0; i < model.items.size(); ++i) {
      uint32_t maker = model.items[i].maker;
      if (items[i] != sink && inSink[items[i]] &&
          (maker == RepeatModel::none || !inSink[nodes[maker]]))
        line.bytes += static_cast<double>(model.items[i].bytes);
    }
    return line;
  }

  const RepeatModel &model;
  int64_t budget, held = 0;
  std::vector<bool> isBefore, isBehind, isUsed;
  /// Capacities for one FLOP, and the largest one for an item, so that sums do
  /// not overflow.
  double scale = 1024, maxCost;
};

} // namespace

int64_t memplan::graph::boundPoints(const RepeatModel &model, int64_t budget) {
  if (model.nodes.size() > maxNodes)
    return 0;
  PointBounds bounds(model, budget);
  double best = 0;
  for (uint32_t k = 0; k < model.nodes.size(); ++k)
    best = bounds.of(k, best);
  // Rounded down, with a margin for rounding errors.
  return static_cast<int64_t>(best * (1 - 1e-6));
}
