//===- RandomGraph.h - Random op graphs for tests ---------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random well-formed graphs and schedules with all features that matter for a
// profile: nested views, results that are parts of one storage, inputs that
// share storages, donated, returned and unused inputs, ties, scratch, memory
// spaces, effects, and schedules with repeats.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TEST_UNIT_GRAPH_RANDOMGRAPH_H
#define MEMPLAN_TEST_UNIT_GRAPH_RANDOMGRAPH_H

#include "memplan/Graph/OpGraph.h"

#include <cstdint>
#include <random>

namespace memplan::graph::test {

class RandomGraph {
public:
  explicit RandomGraph(uint32_t seed) : random(seed) {
    numSpaces = 1 + below(3);
    for (size_t i = 1 + below(5); i-- > 0;)
      addInput();
    for (size_t i = below(3); i-- > 0;)
      graph.storages[graph.values[addValue(addStorage(), true)].storage].kind =
          StorageKind::Constant;
    for (size_t i = 1 + below(30); i-- > 0;)
      addOp();
    for (size_t i = below(5); i-- > 0;)
      graph.outputs.push_back(anyValue());
    graph.numForwardOutputs =
        static_cast<uint32_t>(below(graph.outputs.size() + 1));
    inferStorageKinds(graph);
    addSchedule();
  }

  OpGraph graph;
  Schedule schedule;

private:
  size_t below(size_t bound) { return random() % bound; }
  bool chance(size_t percent) { return below(100) < percent; }
  ValueId anyValue() {
    // Mostly recent ones, so that chains become long.
    size_t count = graph.values.size();
    size_t from = chance(60) && count > 6 ? count - 6 : 0;
    return static_cast<ValueId>(from + below(count - from));
  }

  StorageId addStorage() {
    Storage storage;
    storage.id = "s" + std::to_string(graph.storages.size());
    storage.bytes = static_cast<int64_t>(chance(5) ? 0 : 1 + below(100));
    storage.alignment = int64_t(1) << below(4);
    if (size_t space = below(numSpaces))
      storage.space = "m" + std::to_string(space);
    graph.storages.push_back(storage);
    return static_cast<StorageId>(graph.storages.size() - 1);
  }

  ValueId addValue(StorageId storage, bool isWhole) {
    Value value;
    value.id = "v" + std::to_string(graph.values.size());
    value.storage = storage;
    value.bytes = graph.storages[storage].bytes;
    if (!isWhole) {
      value.offset = int64_t(below(size_t(value.bytes) + 1));
      value.bytes = int64_t(below(size_t(value.bytes - value.offset) + 1));
    }
    graph.values.push_back(value);
    return static_cast<ValueId>(graph.values.size() - 1);
  }

  void addInput() {
    Input input;
    bool isShared = !graph.values.empty() && chance(20);
    StorageId storage =
        isShared ? graph.values[anyValue()].storage : addStorage();
    input.value = addValue(storage, !isShared);
    input.role = static_cast<InputRole>(below(5));
    input.isStatic = chance(20);
    input.isDonated = chance(30);
    graph.inputs.push_back(input);
  }

  void addOp() {
    Op op;
    op.id = "op" + std::to_string(graph.ops.size());
    for (size_t i = below(4); i-- > 0;)
      op.operands.push_back(anyValue());
    if (op.operands.size() >= 2 && chance(20))
      op.operands[1] = op.operands[0];
    if (!op.operands.empty() && chance(35)) {
      // Views: one, or a split.
      for (size_t i = 1 + below(2); i-- > 0;)
        op.results.push_back(
            addValue(graph.values[op.operands[0]].storage, chance(30)));
      op.cost = CostClass::Free;
    }
    if (op.results.empty() || chance(10)) {
      for (size_t i = 1 + below(2); i-- > 0;) {
        StorageId storage = addStorage();
        size_t numParts = chance(25) ? 1 + below(3) : 1;
        for (size_t part = 0; part < numParts; ++part) {
          for (uint32_t k = 0; part == 0 && k < op.operands.size(); ++k)
            if (chance(60))
              op.ties.push_back({static_cast<uint32_t>(op.results.size()), k});
          op.results.push_back(addValue(storage, numParts == 1));
        }
      }
    }
    if (chance(25))
      op.scratchBytes = int64_t(below(80));
    op.pure = chance(85);
    if (!graph.ops.empty() && chance(10))
      op.after.push_back(static_cast<OpId>(below(graph.ops.size())));
    graph.ops.push_back(op);
  }

  /// A random order that operands and effects allow, with repeats.
  void addSchedule() {
    std::vector<OpId> makers = valueMakers(graph);
    std::vector<bool> hasRun(graph.ops.size()), isPassed(graph.ops.size());
    size_t numLeft = graph.ops.size();
    while (numLeft > 0) {
      OpId i = static_cast<OpId>(below(graph.ops.size()));
      const Op &op = graph.ops[i];
      if (hasRun[i] && (!op.pure || isPassed[i] || !chance(30)))
        continue;
      bool isReady = true;
      for (ValueId operand : op.operands)
        isReady &= makers[operand] == noOp || hasRun[makers[operand]];
      for (OpId before : op.after)
        isReady &= hasRun[before];
      if (!isReady)
        continue;
      for (OpId before : op.after)
        isPassed[before] = true;
      numLeft -= !hasRun[i];
      hasRun[i] = true;
      schedule.push_back(i);
    }
  }

  std::mt19937 random;
  size_t numSpaces = 1;
};

} // namespace memplan::graph::test

#endif // MEMPLAN_TEST_UNIT_GRAPH_RANDOMGRAPH_H
