//===- Sides.cpp - Facts that hold for every cut --------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cut/Sides.h"
#include "Cut/Repeat.h"

using namespace memplan::graph;

namespace {

bool isBackwardRole(InputRole role) {
  return role == InputRole::Tangent || role == InputRole::BackwardRng;
}

/// Drawing from implicit random state is an effect: without the draw, later
/// draws would change.
bool hasEffects(const Op &op) {
  return !op.pure || op.randomness == Randomness::ImplicitState;
}

/// Marks all ops that the marked ops depend on, by operands and effect edges.
void closeOverOperands(const OpGraph &graph, const std::vector<OpId> &maker,
                       std::vector<bool> &isMarked) {
  for (OpId op = static_cast<OpId>(graph.ops.size()); op-- > 0;) {
    if (!isMarked[op])
      continue;
    for (ValueId operand : graph.ops[op].operands)
      if (maker[operand] != noOp)
        isMarked[maker[operand]] = true;
    for (OpId before : graph.ops[op].after)
      isMarked[before] = true;
  }
}

} // namespace

Sides::Sides(const OpGraph &graph)
    : maker(valueMakers(graph)), input(graph.values.size(), -1),
      isBackwardValue(graph.values.size()), isBackwardOp(graph.ops.size()),
      isForwardOp(graph.ops.size()), isLive(graph.ops.size()),
      isAlias(graph.values.size()), isRepeatable(repeatable(graph)) {
  for (size_t i = 0; i < graph.inputs.size(); ++i) {
    input[graph.inputs[i].value] = static_cast<int32_t>(i);
    isBackwardValue[graph.inputs[i].value] =
        isBackwardRole(graph.inputs[i].role);
  }
  bool randomIsBackward = false;
  for (OpId i = 0; i < graph.ops.size(); ++i) {
    const Op &op = graph.ops[i];
    bool isBackward = false;
    for (ValueId operand : op.operands)
      isBackward |= isBackwardValue[operand];
    for (OpId before : op.after)
      isBackward |= isBackwardOp[before];
    if (op.randomness == Randomness::ImplicitState)
      isBackward = randomIsBackward |= isBackward;
    isBackwardOp[i] = isBackward;
    for (ValueId result : op.results) {
      isBackwardValue[result] = isBackward;
      const Value &made = graph.values[result];
      for (ValueId operand : op.operands) {
        const Value &from = graph.values[operand];
        if (op.cost == CostClass::Free && isRepeatable[i] &&
            from.storage == made.storage && from.offset == made.offset &&
            from.bytes == made.bytes)
          isAlias[result] = true;
      }
    }
  }
  for (size_t i = 0; i < graph.outputs.size(); ++i)
    if (OpId op = maker[graph.outputs[i]]; op != noOp) {
      isLive[op] = true;
      if (i < graph.numForwardOutputs)
        isForwardOp[op] = true;
    }
  for (OpId op = 0; op < graph.ops.size(); ++op)
    if (hasEffects(graph.ops[op])) {
      isLive[op] = true;
      isForwardOp[op] = isForwardOp[op] || !isBackwardOp[op];
    }
  closeOverOperands(graph, maker, isLive);
  closeOverOperands(graph, maker, isForwardOp);
}

std::vector<bool> memplan::graph::heldByCaller(const OpGraph &graph,
                                               bool primalsAreHeld) {
  std::vector<bool> isHeld(graph.storages.size());
  for (StorageId s = 0; s < graph.storages.size(); ++s)
    isHeld[s] = graph.storages[s].kind == StorageKind::Parameter;
  for (const Input &input : graph.inputs)
    if (!isBackwardRole(input.role) && !input.isDonated &&
        (primalsAreHeld || input.isStatic))
      isHeld[graph.values[input.value].storage] = true;
  for (size_t i = 0; i < graph.numForwardOutputs; ++i)
    isHeld[graph.values[graph.outputs[i]].storage] = true;
  return isHeld;
}

std::vector<RecomputeTag>
memplan::graph::cleanRecomputeTags(const OpGraph &graph) {
  std::vector<OpId> maker = valueMakers(graph);
  std::vector<RecomputeTag> tags(graph.ops.size());
  for (OpId op = 0; op < graph.ops.size(); ++op)
    tags[op] = graph.ops[op].tag;
  auto asksForRecomputation = [&](OpId op) {
    return graph.ops[op].tag == RecomputeTag::MustRecompute ||
           graph.ops[op].tag == RecomputeTag::PreferRecompute;
  };
  for (OpId user = 0; user < graph.ops.size(); ++user) {
    if (!asksForRecomputation(user))
      continue;
    for (ValueId operand : graph.ops[user].operands) {
      OpId op = maker[operand];
      if (op != noOp && asksForRecomputation(op) &&
          graph.ops[op].scope != graph.ops[user].scope)
        tags[op] = RecomputeTag::MustSave;
    }
  }
  return tags;
}

std::string memplan::graph::whyNotJoint(const OpGraph &graph) {
  if (graph.numForwardOutputs == graph.outputs.size())
    return "all " + std::to_string(graph.outputs.size()) +
           " outputs are forward outputs: there is no backward function (the "
           "first forward_outputs ones are those of the forward function)";
  // Capacities of cuts are sums of bytes or FLOPs.
  constexpr int64_t kMost = int64_t(1) << 60;
  int64_t bytes = 0, flops = 0;
  for (const Storage &storage : graph.storages)
    bytes = storage.bytes > kMost - bytes ? kMost : bytes + storage.bytes;
  for (const Op &op : graph.ops)
    flops = op.flops > kMost - flops ? kMost : flops + op.flops;
  if (bytes == kMost || flops == kMost)
    return std::string("the sum of the ") +
           (bytes == kMost ? "bytes of all storages" : "FLOPs of all ops") +
           " is 2^60 or more";
  Sides sides(graph);
  for (size_t i = 0; i < graph.numForwardOutputs; ++i)
    if (sides.isBackwardValue[graph.outputs[i]])
      return "forward output '" + graph.values[graph.outputs[i]].id +
             "' depends on a tangent or a backward random state";
  for (OpId op = 0; op < graph.ops.size(); ++op)
    if (sides.isForwardOp[op] && sides.isBackwardOp[op])
      return "op '" + graph.ops[op].id +
             "' is needed by the forward function but depends on a tangent";
  return {};
}
