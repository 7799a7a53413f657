//===- SmallDags.h - Graphs for exhaustive tests ----------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random graphs of a few ops, and every schedule of them.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TEST_UNIT_GRAPH_SMALLDAGS_H
#define MEMPLAN_TEST_UNIT_GRAPH_SMALLDAGS_H

#include "GraphBuilder.h"
#include "memplan/Graph/Check.h"
#include "memplan/Graph/Profile.h"
#include "memplan/Graph/Rematerialize.h"

#include <algorithm>
#include <map>
#include <random>

namespace memplan::graph::test {

inline OpGraph randomDag(uint32_t seed, size_t numOps) {
  std::mt19937 random(seed);
  GraphBuilder builder;
  std::vector<std::string> names = {"x"};
  builder.input("x", 1 + random() % 30);
  for (size_t k = 0; k < numOps; ++k) {
    std::vector<std::string> operands = {names[random() % names.size()]};
    if (random() % 2)
      operands.push_back(names.back());
    std::string name = "v" + std::to_string(k);
    builder.op(name, operands, {{name, int64_t(1 + random() % 100)}});
    builder.flops(1 + random() % 50);
    if (random() % 8 == 0)
      builder.random(Randomness::ImplicitState);
    names.push_back(name);
  }
  std::vector<std::string> outputs = {names.back()};
  if (random() % 2)
    outputs.push_back(names[1 + random() % numOps]);
  return builder.outputs(outputs).build();
}

/// A graph whose values have few sizes, so that results may reuse the memory of
/// operands.
inline OpGraph randomTiedDag(uint32_t seed, size_t numOps) {
  std::mt19937 random(seed);
  GraphBuilder builder;
  std::vector<std::string> names = {"x"};
  std::map<std::string, int64_t> sizes;
  builder.input("x", 1 + random() % 30);
  for (size_t k = 0; k < numOps; ++k) {
    std::vector<std::string> operands = {names.back()};
    if (random() % 2)
      operands.push_back(names[random() % names.size()]);
    std::string name = "v" + std::to_string(k);
    int64_t bytes = 50 * (1 + random() % 2);
    builder.op(name, operands, {{name, bytes}});
    builder.flops(1 + random() % 50);
    for (uint32_t operand = 0; operand < operands.size(); ++operand)
      if (random() % 3 && sizes[operands[operand]] == bytes)
        builder.tie(0, operand);
    names.push_back(name);
    sizes[name] = bytes;
  }
  return builder.outputs({names.back()}).build();
}

inline MemoryOptions tiedMemory() {
  MemoryOptions memory = budgetMemory();
  memory.takeTies = true;
  return memory;
}

inline int64_t extraFlops(const OpGraph &graph, const Schedule &schedule) {
  std::vector<bool> hasRun(graph.ops.size());
  int64_t flops = 0;
  for (OpId op : schedule) {
    flops += hasRun[op] ? graph.ops[op].flops : 0;
    hasRun[op] = true;
  }
  return flops;
}

/// The fewest additional FLOPs of all schedules of at most `length` entries
/// with a peak within the budget, by enumeration; INT64_MAX if there is none.
class EverySchedule {
public:
  EverySchedule(const OpGraph &graph, int64_t budget, size_t length,
                const MemoryOptions &memory = budgetMemory())
      : graph(graph), budget(budget), length(length), memory(memory) {
    extend();
  }
  int64_t best = INT64_MAX;

private:
  void extend() {
    if (extraFlops(graph, schedule) >= best)
      return;
    std::vector<bool> hasRun(graph.ops.size());
    for (OpId op : schedule)
      hasRun[op] = true;
    size_t left = std::count(hasRun.begin(), hasRun.end(), false);
    if (left == 0 && checkSchedule(graph, schedule).empty() &&
        buildProfile(graph, schedule, memory).peakBytes() <= budget)
      best = extraFlops(graph, schedule);
    if (schedule.size() + std::max<size_t>(left, 1) > length)
      return;
    std::vector<OpId> maker = valueMakers(graph);
    for (OpId op = 0; op < graph.ops.size(); ++op) {
      bool isReady = true;
      for (ValueId v : graph.ops[op].operands)
        isReady &= maker[v] == noOp || hasRun[maker[v]];
      if (!isReady)
        continue;
      schedule.push_back(op);
      extend();
      schedule.pop_back();
    }
  }

  const OpGraph &graph;
  int64_t budget;
  size_t length;
  MemoryOptions memory;
  Schedule schedule;
};

} // namespace memplan::graph::test

#endif // MEMPLAN_TEST_UNIT_GRAPH_SMALLDAGS_H
