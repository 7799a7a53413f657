//===- Extract.cpp - The two functions of a cut ---------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cut/Extract.h"

using namespace memplan::graph;

Functions memplan::graph::extractFunctions(const OpGraph &graph,
                                           const Sides &sides, const Cut &cut) {
  Functions result;
  std::vector<bool> inForward(graph.ops.size()), inBackward(graph.ops.size());
  std::vector<bool> isTaken(graph.values.size());

  // The backward function: from the gradients and effects back to the saved
  // values.
  auto needInBackward = [&](ValueId v) {
    OpId op = sides.maker[v];
    if (!sides.isBackwardValue[v] && cut.isSaved[v])
      isTaken[v] = true;
    else if (op != noOp)
      inBackward[op] = true;
    else if (sides.input[v] >= 0 && !sides.isBackwardValue[v])
      isTaken[v] = true;
  };
  for (size_t i = graph.numForwardOutputs; i < graph.outputs.size(); ++i)
    needInBackward(graph.outputs[i]);
  for (OpId op = static_cast<OpId>(graph.ops.size()); op-- > 0;) {
    inBackward[op] = inBackward[op] ||
                     (sides.isBackwardOp[op] && sides.isLive[op] &&
                      (!graph.ops[op].pure ||
                       graph.ops[op].randomness == Randomness::ImplicitState));
    if (!inBackward[op])
      continue;
    // Values that the backward function makes itself are not saved.
    for (ValueId v : graph.ops[op].results)
      isTaken[v] = false;
    for (ValueId operand : graph.ops[op].operands)
      needInBackward(operand);
  }

  // The forward function: the ops that its outputs and the saved values need.
  for (OpId op = static_cast<OpId>(graph.ops.size()); op-- > 0;) {
    inForward[op] = inForward[op] || sides.isForwardOp[op];
    for (ValueId v : graph.ops[op].results)
      inForward[op] = inForward[op] || isTaken[v];
    if (!inForward[op])
      continue;
    for (ValueId operand : graph.ops[op].operands)
      if (sides.maker[operand] != noOp)
        inForward[sides.maker[operand]] = true;
    for (OpId before : graph.ops[op].after)
      inForward[before] = true;
  }

  for (const Input &input : graph.inputs)
    if (isTaken[input.value])
      result.saved.push_back(input.value);
  for (OpId op = 0; op < graph.ops.size(); ++op) {
    for (ValueId v : graph.ops[op].results)
      if (isTaken[v])
        result.saved.push_back(v);
    if (inForward[op])
      result.forward.push_back(op);
    if (inBackward[op])
      result.backward.push_back(op);
    if (inForward[op] && inBackward[op])
      result.shared.push_back(op);
  }
  return result;
}

Schedule memplan::graph::lateOrder(const OpGraph &graph, const Sides &sides,
                                   const Schedule &backward) {
  std::vector<bool> isHere(graph.ops.size()), hasRun(graph.ops.size());
  for (OpId op : backward)
    isHere[op] = true;
  Schedule order;
  order.reserve(backward.size());
  std::vector<std::pair<OpId, size_t>>
      stack; // The op and the index of the next op that it needs.
  auto run = [&](OpId first) {
    stack.push_back({first, 0});
    while (!stack.empty()) {
      OpId op = stack.back().first;
      size_t next = stack.back().second++;
      const std::vector<ValueId> &operands = graph.ops[op].operands;
      const std::vector<OpId> &after = graph.ops[op].after;
      if (hasRun[op]) {
        stack.pop_back();
      } else if (next < operands.size() + after.size()) {
        OpId before = next < operands.size() ? sides.maker[operands[next]]
                                             : after[next - operands.size()];
        if (before != noOp && isHere[before] && !hasRun[before])
          stack.push_back({before, 0});
      } else {
        hasRun[op] = true;
        order.push_back(op);
        stack.pop_back();
      }
    }
  };
  // Ops that only the backward function can run keep their order, and so do
  // effects; recomputed ops run right before their first use.
  for (OpId op : backward)
    if (sides.isBackwardOp[op])
      run(op);
  for (OpId op : backward)
    if (!hasRun[op])
      run(op);
  return order;
}
