//===- OpGraph.cpp - A graph of operations and their memory ---------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Graph/OpGraph.h"

using namespace memplan::graph;

Schedule memplan::graph::programOrder(const OpGraph &graph) {
  Schedule schedule(graph.ops.size());
  for (OpId op = 0; op < graph.ops.size(); ++op)
    schedule[op] = op;
  return schedule;
}

std::vector<OpId> memplan::graph::storageMakers(const OpGraph &graph) {
  std::vector<bool> isThere(graph.storages.size());
  for (const Input &input : graph.inputs)
    isThere[graph.values[input.value].storage] = true;
  for (StorageId s = 0; s < graph.storages.size(); ++s)
    if (graph.storages[s].kind == StorageKind::Constant)
      isThere[s] = true;
  std::vector<OpId> makers(graph.storages.size(), noOp);
  for (OpId op = 0; op < graph.ops.size(); ++op)
    for (ValueId result : graph.ops[op].results) {
      StorageId storage = graph.values[result].storage;
      if (isThere[storage])
        continue;
      isThere[storage] = true;
      makers[storage] = op;
    }
  return makers;
}

std::vector<OpId> memplan::graph::valueMakers(const OpGraph &graph) {
  std::vector<OpId> makers(graph.values.size(), noOp);
  for (OpId op = 0; op < graph.ops.size(); ++op)
    for (ValueId result : graph.ops[op].results)
      makers[result] = op;
  return makers;
}

void memplan::graph::inferStorageKinds(OpGraph &graph) {
  std::vector<bool> isInput(graph.storages.size()), isOutput(isInput);
  for (const Input &input : graph.inputs)
    isInput[graph.values[input.value].storage] = true;
  for (ValueId output : graph.outputs)
    isOutput[graph.values[output].storage] = true;
  for (StorageId s = 0; s < graph.storages.size(); ++s) {
    StorageKind &kind = graph.storages[s].kind;
    if (isInput[s])
      kind = kind == StorageKind::Parameter ? kind : StorageKind::Input;
    else if (kind != StorageKind::Constant)
      kind = isOutput[s] ? StorageKind::Output : StorageKind::Temporary;
  }
}
