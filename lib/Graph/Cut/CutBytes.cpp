//===- CutBytes.cpp - The cut that saves the fewest bytes -----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The flow network has a source S (the forward function) and a sink T (the
// backward function). An op on the sink side runs in the backward function; the
// "kept" node of a value is on the sink side if the backward function needs the
// value.
//
//    S ---------> op a ---------> kept(v) ---------> op b ---------> T
//       may not         bytes of             b needs v    b is backward
//       run again       v to save it
//
// A view of the whole source costs nothing, so a storage counts once for any
// number of such views. Views of one range of one source share one arc with the
// cost. The minimum cuts are the closed sets of the residual network; a second
// flow, with the FLOPs of recomputation as capacities, finds one that
// recomputes the fewest FLOPs.
//
//===----------------------------------------------------------------------===//

#include "Cut/Repeat.h"
#include "Cut/Sides.h"
#include "memplan/Graph/MaxFlow.h"

#include <algorithm>
#include <map>
#include <tuple>

using namespace memplan::graph;

namespace {

using Node = FlowNetwork::Node;
constexpr int64_t unlimited = FlowNetwork::unlimited;

class ByteNetwork {
public:
  ByteNetwork(const OpGraph &graph, const Sides &sides,
              const std::vector<RecomputeTag> &tags,
              const PartitionOptions &options, CutWeights weights)
      : graph(graph), sides(sides), tags(tags), options(options),
        weights(weights), isHeld(heldByCaller(graph, options.primalsAreHeld)),
        source(network.addNode()), sink(network.addNode()) {
    opNode.resize(graph.ops.size());
    keptNode.resize(graph.values.size());
    for (Node &node : opNode)
      node = network.addNode();
    for (Node &node : keptNode)
      node = network.addNode();
    findMovable();
    findBans();
    findRoots();
    addInputs();
    addValues();
    addOps();
    if (weights.time > 0)
      addTimes(network, weights.time);
    for (size_t i = graph.numForwardOutputs; i < graph.outputs.size(); ++i)
      if (!sides.isBackwardValue[graph.outputs[i]])
        network.addArc(keptNode[graph.outputs[i]], sink, unlimited);
  }

  Cut cut() {
    Cut result;
    // There is a flow: each needed value can be saved, so no path has unlimited
    // arcs only.
    result.flow = network.maxFlow(source, sink).value_or(-1);
    std::vector<bool> inSink = cheapestCut();
    for (FlowNetwork::Arc arc = 0; arc < network.numArcs(); ++arc)
      if (!inSink[network.tail(arc)] && inSink[network.head(arc)])
        result.capacity += network.capacity(arc);
    result.isSaved.resize(graph.values.size());
    for (ValueId v = 0; v < graph.values.size(); ++v) {
      OpId op = sides.maker[v];
      bool comesFromForward =
          op == noOp ? sides.input[v] >= 0 : !inSink[opNode[op]];
      result.isSaved[v] =
          comesFromForward && inSink[keptNode[v]] && !sides.isBackwardValue[v];
    }
    return result;
  }

private:
  /// Whether the op must not run in the backward function, by legality, its tag
  /// or the cost limit of the options.
  bool isBanned(OpId op) const {
    if (!sides.isRepeatable[op] && !mayMove[op])
      return true;
    switch (tags[op]) {
    case RecomputeTag::MustSave:
    case RecomputeTag::PreferSave:
      return true;
    case RecomputeTag::PreferRecompute:
    case RecomputeTag::MustRecompute:
      return false;
    case RecomputeTag::None:
      break;
    }
    // An op that the forward outputs do not need runs once, in either function.
    return sides.isForwardOp[op] && graph.ops[op].cost > options.recompute;
  }

  /// A view of its whole source by an op that may run again and needs nothing
  /// else that costs bytes; it costs nothing.
  bool isFreeView(OpId op, ValueId v) const {
    const std::vector<ValueId> &operands = graph.ops[op].operands;
    return sides.isAlias[v] && !banned[op] &&
           std::all_of(operands.begin(), operands.end(), [&](ValueId operand) {
             return graph.values[operand].storage == graph.values[v].storage ||
                    costOf(operand) == 0;
           });
  }

  /// The operand of which the result is a view, or the result itself if it is
  /// not a view.
  ValueId sourceOf(OpId op, ValueId v) const {
    for (ValueId operand : graph.ops[op].operands)
      if (graph.values[operand].storage == graph.values[v].storage &&
          (!sides.isAlias[v] || isSameRange(operand, v)))
        return operand;
    return v;
  }

  /// Compares the ranges of two values of one storage.
  bool isSameRange(ValueId a, ValueId b) const {
    return graph.values[a].offset == graph.values[b].offset &&
           graph.values[a].bytes == graph.values[b].bytes;
  }

  /// Finds the ops that may run only once, but in either function.
  void findMovable() {
    mayMove.resize(graph.ops.size());
    std::vector<bool> isOrdered = effectOrdered(graph);
    for (OpId op = 0; op < graph.ops.size(); ++op)
      mayMove[op] =
          !sides.isForwardOp[op] && !sides.isRepeatable[op] && !isOrdered[op];
  }

  void findBans() {
    // Saving a view of a whole source saves the source, so a ban of the view's
    // op becomes a ban of the source's maker.
    banned.resize(graph.ops.size());
    for (OpId op = static_cast<OpId>(graph.ops.size()); op-- > 0;) {
      if (sides.isBackwardOp[op] || !sides.isLive[op])
        continue;
      banned[op] = banned[op] || isBanned(op);
      bool isWholeView = !graph.ops[op].results.empty();
      for (ValueId v : graph.ops[op].results)
        isWholeView &= sides.isAlias[v];
      if (banned[op] && isWholeView) {
        banned[op] = false;
        for (ValueId v : graph.ops[op].results)
          if (OpId maker = sides.maker[sourceOf(op, v)]; maker != noOp)
            banned[maker] = true;
      }
    }
  }

  /// Finds the root of each value through views of the same range, and the
  /// roots that share their cost with a view whose op runs only once.
  void findRoots() {
    root.resize(graph.values.size());
    for (ValueId v = 0; v < graph.values.size(); ++v)
      root[v] = v;
    isPaidWithView.resize(graph.values.size());
    for (OpId op = 0; op < graph.ops.size(); ++op) {
      if (sides.isBackwardOp[op] || !sides.isLive[op])
        continue;
      for (ValueId v : graph.ops[op].results) {
        ValueId from = sourceOf(op, v);
        if (from == v || !isSameRange(from, v))
          continue;
        root[v] = root[from];
        isPaidWithView[root[v]] = isPaidWithView[root[v]] || !isFreeView(op, v);
      }
    }
  }

  /// Bytes that saving the value costs.
  int64_t costOf(ValueId v) const {
    return isHeld[graph.values[v].storage] ? 0 : graph.values[v].bytes;
  }

  /// Lets the value be saved at this cost (in bytes) if `from` is on the source
  /// side. Values with the same root and range share the cost.
  void addKeeping(Node from, ValueId v, ValueId of, int64_t cost) {
    if (cost != unlimited)
      cost *= weights.bytes;
    if (cost == unlimited || (of == v && !isPaidWithView[v])) {
      network.addArc(from, keptNode[v], cost);
      return;
    }
    const Value &value = graph.values[v];
    auto [entry, isNew] = shared.try_emplace(
        {root[of], value.offset, value.bytes}, Node(), Node());
    if (isNew) {
      entry->second = {network.addNode(), network.addNode()};
      network.addArc(entry->second.first, entry->second.second, cost);
    }
    network.addArc(from, entry->second.first, unlimited);
    network.addArc(entry->second.second, keptNode[v], unlimited);
  }

  void addInputs() {
    for (const Input &input : graph.inputs) {
      if (sides.isBackwardValue[input.value])
        continue;
      addKeeping(source, input.value, input.value, costOf(input.value));
    }
  }

  void addValues() {
    for (OpId op = 0; op < graph.ops.size(); ++op) {
      if (sides.isBackwardOp[op] || !sides.isLive[op])
        continue;
      for (ValueId v : graph.ops[op].results) {
        if (isFreeView(op, v)) {
          network.addArc(opNode[op], keptNode[v], unlimited);
          continue;
        }
        int64_t cost =
            tags[op] == RecomputeTag::MustRecompute && sides.isRepeatable[op]
                ? unlimited
                : costOf(v);
        addKeeping(opNode[op], v, sourceOf(op, v), cost);
      }
    }
  }

  void addOps() {
    for (OpId op = 0; op < graph.ops.size(); ++op) {
      if (!sides.isLive[op])
        continue;
      bool isBackward = sides.isBackwardOp[op];
      for (ValueId operand : graph.ops[op].operands)
        if (!sides.isBackwardValue[operand] && !isConstant(operand))
          network.addArc(keptNode[operand], isBackward ? sink : opNode[op],
                         unlimited);
      if (!isBackward && banned[op])
        network.addArc(source, opNode[op], unlimited);
      // If the op runs in the forward function, so must the maker of its
      // operand.
      if (!isBackward)
        for (ValueId operand : graph.ops[op].operands)
          if (OpId maker = sides.maker[operand];
              maker != noOp && mayMove[maker])
            network.addArc(opNode[op], opNode[maker], unlimited);
    }
  }

  bool isConstant(ValueId v) const {
    return sides.maker[v] == noOp && sides.input[v] < 0;
  }

  /// Adds the cost of running ops again: their FLOPs if the weight is 0, else
  /// their times.
  void addTimes(FlowNetwork &to, int64_t weight) const {
    // An op that the forward outputs do not need also runs in the forward
    // function if an op that runs only there needs it. forwardNode[op] is on
    // the source side in this case.
    std::vector<Node> forwardNode(graph.ops.size(), source);
    for (OpId op = 0; op < graph.ops.size(); ++op) {
      if (sides.isBackwardOp[op] || !sides.isLive[op])
        continue;
      if (!sides.isForwardOp[op]) {
        forwardNode[op] = to.addNode();
        to.addArc(opNode[op], forwardNode[op], unlimited);
        for (ValueId operand : graph.ops[op].operands)
          if (OpId maker = sides.maker[operand];
              maker != noOp && !sides.isForwardOp[maker])
            to.addArc(forwardNode[op], forwardNode[maker], unlimited);
      }
      int64_t cost =
          weight ? recomputeCost(graph.ops[op]) * weight : graph.ops[op].flops;
      if (cost > 0)
        to.addArc(forwardNode[op], opNode[op], cost);
    }
  }

  /// The minimum cut with the fewest recomputed FLOPs; of several, the one
  /// nearest to the sink.
  std::vector<bool> cheapestCut() const {
    int64_t all = 1;
    for (const Op &op : graph.ops)
      all += op.flops;
    if (all >= unlimited / 2)
      return network.sinkSide(sink);
    FlowNetwork second;
    for (size_t n = 0; n < network.numNodes(); ++n)
      second.addNode();
    for (FlowNetwork::Arc arc = 0; arc < network.numArcs(); ++arc) {
      if (network.residual(arc) > 0)
        second.addArc(network.tail(arc), network.head(arc), unlimited);
      if (network.flow(arc) > 0)
        second.addArc(network.head(arc), network.tail(arc), unlimited);
    }
    addTimes(second, 0);
    if (!second.maxFlow(source, sink))
      return network.sinkSide(sink);
    return second.sinkSide(sink);
  }

  const OpGraph &graph;
  const Sides &sides;
  const std::vector<RecomputeTag> &tags;
  const PartitionOptions &options;
  CutWeights weights;
  std::vector<bool> isHeld;
  FlowNetwork network;
  Node source, sink;
  std::vector<Node> opNode, keptNode;
  std::vector<bool> mayMove;
  /// By op: it must run in the forward function only.
  std::vector<bool> banned;
  /// By value: see findRoots.
  std::vector<ValueId> root;
  std::vector<bool> isPaidWithView;
  /// The two nodes of the arc with the cost, by root, offset and bytes.
  std::map<std::tuple<ValueId, int64_t, int64_t>, std::pair<Node, Node>> shared;
};

} // namespace

Cut memplan::graph::cutBytes(const OpGraph &graph, const Sides &sides,
                             const std::vector<RecomputeTag> &tags,
                             const PartitionOptions &options,
                             CutWeights weights) {
  return ByteNetwork(graph, sides, tags, options, weights).cut();
}

Cut memplan::graph::cutDefault(const OpGraph &graph, const Sides &sides,
                               const std::vector<RecomputeTag> &tags) {
  Cut result;
  result.isSaved.resize(graph.values.size());
  for (ValueId v = 0; v < graph.values.size(); ++v) {
    OpId op = sides.maker[v];
    if (op == noOp) {
      result.isSaved[v] = sides.input[v] >= 0 && !sides.isBackwardValue[v];
      continue;
    }
    // Both policies are alike for PyTorch's default partition.
    bool asksForRecomputation = tags[op] == RecomputeTag::MustRecompute ||
                                tags[op] == RecomputeTag::PreferRecompute;
    result.isSaved[v] = sides.isForwardOp[op] &&
                        !(asksForRecomputation && sides.isRepeatable[op]);
  }
  return result;
}
