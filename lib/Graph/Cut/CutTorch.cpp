//===- CutTorch.cpp - The cut with PyTorch's weights and bans -------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PyTorch 1.13's min_cut_rematerialization_partition. Every value is a pair of
// nodes with an arc of its weight; an op with several results has one more
// node, whose arcs cannot be cut. One rule is left out, as in the figures of
// the comparison: values that must be materialised in the backward function are
// not banned.
//
//===----------------------------------------------------------------------===//

#include "Cut/Sides.h"
#include "memplan/Graph/MaxFlow.h"

#include <algorithm>
#include <cmath>

using namespace memplan::graph;

namespace {

using Node = FlowNetwork::Node;

class TorchNetwork {
public:
  TorchNetwork(const OpGraph &graph, const Sides &sides,
               const std::vector<RecomputeTag> &tags,
               const PartitionOptions &options)
      : graph(graph), sides(sides), tags(tags), options(options),
        source(network.addNode()), sink(network.addNode()) {
    findUsers();
    findDistances();
    addArcs();
  }

  Cut cut() {
    Cut result;
    result.isSaved.resize(graph.values.size());
    std::optional<int64_t> flow = network.maxFlow(source, sink);
    if (!flow) {
      // The op of a tuple is banned and its value cannot be cut. PyTorch fails
      // here; the default partition is always possible.
      Cut fallback = cutDefault(graph, sides, tags);
      fallback.flow = fallback.capacity = -1;
      return fallback;
    }
    result.flow = *flow;
    std::vector<bool> inSink = network.sinkSide(sink);
    for (ValueId v = 0; v < graph.values.size(); ++v) {
      if (!isNode[v])
        continue;
      result.isSaved[v] = !inSink[in[v]] && inSink[out[v]];
      if (result.isSaved[v])
        result.capacity += weight(v);
    }
    return result;
  }

private:
  bool isTuple(OpId op) const { return graph.ops[op].results.size() > 1; }

  void findUsers() {
    users.resize(graph.values.size());
    for (OpId op = 0; op < graph.ops.size(); ++op)
      for (ValueId operand : graph.ops[op].operands)
        if (users[operand].empty() || users[operand].back() != op)
          users[operand].push_back(op);
    isOutput.resize(graph.values.size());
    for (ValueId output : graph.outputs)
      isOutput[output] = true;
  }

  /// Computes the distance, in arcs, to the nearest value or op outside of the
  /// forward function.
  void findDistances() {
    constexpr int64_t far = 1000000000;
    opDistance.assign(graph.ops.size(), 0);
    distance.assign(graph.values.size(), 0);
    auto findValue = [&](ValueId v) {
      int64_t nearest = isOutput[v] ? 1 : far;
      for (OpId user : users[v])
        nearest = std::min(nearest, opDistance[user] + 1);
      distance[v] = nearest;
    };
    for (OpId op = static_cast<OpId>(graph.ops.size()); op-- > 0;) {
      if (!sides.isForwardOp[op])
        continue;
      opDistance[op] = far;
      for (ValueId v : graph.ops[op].results) {
        findValue(v);
        opDistance[op] =
            std::min(opDistance[op], distance[v] + (isTuple(op) ? 1 : 0));
      }
    }
    for (const Input &input : graph.inputs)
      if (!sides.isBackwardValue[input.value])
        findValue(input.value);
  }

  bool isFusible(OpId op) const { return graph.ops[op].fusible; }

  bool isMaterialized(ValueId v) const {
    OpId op = sides.maker[v];
    if (op == noOp || isOutput[v] || (!isTuple(op) && !isFusible(op)))
      return true;
    for (OpId user : users[v])
      if (!isFusible(user))
        return true;
    return false;
  }

  int64_t weight(ValueId v) const {
    int64_t steps = std::clamp<int64_t>(distance[v], 1, 100);
    double bytes = static_cast<double>(graph.values[v].bytes) *
                   std::pow(1.1, static_cast<double>(steps));
    int64_t truncated =
        bytes < 4e17 ? static_cast<int64_t>(bytes) : FlowNetwork::unlimited;
    return isMaterialized(v) ? truncated : 2 * truncated;
  }

  bool isBanned(OpId op) const {
    if (!sides.isRepeatable[op] || tags[op] == RecomputeTag::MustSave)
      return true;
    if (tags[op] == RecomputeTag::MustRecompute)
      return false;
    if (!isFusible(op) || graph.ops[op].randomness != Randomness::None)
      return true;
    if (isTuple(op))
      return false;
    if (options.maxDistance && opDistance[op] > *options.maxDistance)
      return true;
    int64_t read = 0, written = 0;
    for (ValueId operand : graph.ops[op].operands)
      read += graph.values[operand].bytes;
    for (ValueId v : graph.ops[op].results)
      written += graph.values[v].bytes;
    return written < read / 4 + (read % 4 != 0);
  }

  void addArcs() {
    isNode.resize(graph.values.size());
    in.resize(graph.values.size());
    out.resize(graph.values.size());
    std::vector<Node> opNode(graph.ops.size());
    auto addValue = [&](ValueId v) {
      isNode[v] = true;
      in[v] = network.addNode();
      out[v] = network.addNode();
      network.addArc(in[v], out[v], weight(v));
    };
    for (const Input &input : graph.inputs)
      if (!sides.isBackwardValue[input.value]) {
        addValue(input.value);
        network.addArc(source, in[input.value], FlowNetwork::unlimited);
      }
    for (OpId op = 0; op < graph.ops.size(); ++op) {
      if (sides.isBackwardOp[op] || graph.ops[op].results.empty())
        continue;
      for (ValueId v : graph.ops[op].results)
        addValue(v);
      opNode[op] = in[graph.ops[op].results.front()];
      if (isTuple(op)) {
        opNode[op] = network.addNode();
        for (ValueId v : graph.ops[op].results)
          network.addArc(opNode[op], in[v], FlowNetwork::unlimited);
      }
      // An op that the forward outputs do not need runs once, in either
      // function if it may be moved.
      if (sides.isForwardOp[op] ? isBanned(op) : !sides.isRepeatable[op])
        network.addArc(source, opNode[op], FlowNetwork::unlimited);
    }
    for (ValueId v = 0; v < graph.values.size(); ++v)
      if (isNode[v])
        for (OpId user : users[v]) {
          if (sides.isBackwardOp[user])
            network.addArc(out[v], sink, FlowNetwork::unlimited);
          else if (!graph.ops[user].results.empty())
            network.addArc(out[v], opNode[user], FlowNetwork::unlimited);
        }
    // Gradients that do not depend on a tangent are needed, too; otherwise an
    // op that must not run twice would run in both functions.
    for (size_t i = graph.numForwardOutputs; i < graph.outputs.size(); ++i)
      if (isNode[graph.outputs[i]])
        network.addArc(out[graph.outputs[i]], sink, FlowNetwork::unlimited);
  }

  const OpGraph &graph;
  const Sides &sides;
  const std::vector<RecomputeTag> &tags;
  const PartitionOptions &options;
  FlowNetwork network;
  Node source, sink;
  std::vector<std::vector<OpId>> users;
  std::vector<bool> isOutput, isNode;
  std::vector<int64_t> opDistance, distance;
  std::vector<Node> in, out;
};

} // namespace

Cut memplan::graph::cutTorch(const OpGraph &graph, const Sides &sides,
                             const std::vector<RecomputeTag> &tags,
                             const PartitionOptions &options) {
  return TorchNetwork(graph, sides, tags, options).cut();
}
