//===- InductorProfile.cpp - The profile by Inductor's rules --------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Graph/Profile.h"

using namespace memplan::graph;

std::vector<int64_t>
memplan::graph::buildInductorProfile(const OpGraph &graph,
                                     const Schedule &schedule) {
  // root[v]: the value of which v is a view, through any number of views; else
  // v.
  std::vector<OpId> makers = storageMakers(graph);
  std::vector<ValueId> root(graph.values.size());
  for (ValueId v = 0; v < graph.values.size(); ++v)
    root[v] = v;
  for (OpId i = 0; i < graph.ops.size(); ++i)
    for (ValueId result : graph.ops[i].results) {
      StorageId storage = graph.values[result].storage;
      if (makers[storage] == i)
        continue;
      for (ValueId operand : graph.ops[i].operands)
        if (graph.values[operand].storage == storage) {
          root[result] = root[operand];
          break;
        }
    }

  std::vector<bool> isHeld(graph.values.size()), isTaken(graph.values.size());
  for (const Input &input : graph.inputs)
    isHeld[input.value] = input.role == InputRole::Primal;
  // The output node uses the outputs and does not release them.
  for (ValueId output : graph.outputs)
    isHeld[root[output]] = isTaken[root[output]] = true;
  std::vector<size_t> lastUse(graph.values.size());
  for (size_t step = 0; step < schedule.size(); ++step)
    for (ValueId operand : graph.ops[schedule[step]].operands) {
      isTaken[root[operand]] = true;
      lastUse[root[operand]] = step;
    }
  std::vector<int64_t> released(schedule.size());
  for (ValueId v = 0; v < graph.values.size(); ++v)
    if (root[v] == v && isTaken[v] && !isHeld[v] && !schedule.empty())
      released[lastUse[v]] += graph.values[v].bytes;

  int64_t live = 0;
  for (const Input &input : graph.inputs)
    live += graph.values[input.value].bytes;
  std::vector<int64_t> profile = {live};
  for (size_t step = 0; step < schedule.size(); ++step) {
    OpId i = schedule[step];
    int64_t claimed = 0, made = 0;
    std::vector<StorageId> counted;
    for (ValueId result : graph.ops[i].results) {
      StorageId storage = graph.values[result].storage;
      if (makers[storage] != i)
        continue;
      claimed += isTaken[result] ? graph.values[result].bytes : 0;
      bool isCounted = false;
      for (StorageId other : counted)
        isCounted |= other == storage;
      if (!isCounted)
        made += graph.storages[storage].bytes;
      counted.push_back(storage);
    }
    profile.push_back(live += made);
    // Parts may overlap, so `claimed` may exceed `made`; there is no rest then.
    if (graph.ops[i].results.size() > 1 && claimed > 0 && made > claimed)
      live -= made - claimed;
    profile.push_back(live -= released[step]);
  }
  return profile;
}
