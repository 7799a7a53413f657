//===- Ties.cpp - Reuse of operands' memory by ties -----------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/Ties.h"

#include <algorithm>

using namespace memplan::graph;

bool memplan::graph::fitsBytes(const Storage &wanted, const Storage &taken,
                               const Value &value) {
  return wanted.space == taken.space && wanted.bytes <= value.bytes &&
         wanted.alignment <= taken.alignment &&
         value.offset % wanted.alignment == 0;
}

bool memplan::graph::isTied(const Op &op, uint32_t result, size_t operand) {
  return std::any_of(op.ties.begin(), op.ties.end(), [&](InPlaceTie tie) {
    return tie.result == result && tie.operand == operand;
  });
}

bool memplan::graph::fitsInPlace(const OpGraph &graph, const Op &op,
                                 InPlaceTie tie) {
  ValueId operand = op.operands[tie.operand];
  const Value &value = graph.values[operand];
  StorageId wanted = graph.values[op.results[tie.result]].storage;
  if (wanted == value.storage ||
      !fitsBytes(graph.storages[wanted], graph.storages[value.storage], value))
    return false;
  // The op must not read the operand's memory through another operand, nor make
  // a view of it, as the result overwrites it while the op runs.
  for (size_t k = 0; k < op.operands.size(); ++k)
    if (graph.values[op.operands[k]].storage == value.storage &&
        (op.operands[k] != operand || !isTied(op, tie.result, k)))
      return false;
  return std::none_of(op.results.begin(), op.results.end(),
                      [&](ValueId result) {
                        return graph.values[result].storage == value.storage;
                      });
}

Takeovers memplan::graph::findTakeovers(const OpGraph &graph, const Op &op) {
  Takeovers found;
  if (op.ties.empty())
    return found;
  for (uint32_t r = 0; r < op.results.size(); ++r) {
    const Value &result = graph.values[op.results[r]];
    const Storage &made = graph.storages[result.storage];
    size_t parts = 0;
    bool hasOthers = false;
    for (ValueId v : op.results)
      parts += graph.values[v].storage == result.storage;
    for (InPlaceTie tie : op.ties) {
      if (tie.result != r || !fitsInPlace(graph, op, tie))
        continue;
      StorageId taken = graph.values[op.operands[tie.operand]].storage;
      auto same = std::find_if(
          found.list.begin(), found.list.end(),
          [&](const Takeover &other) { return other.taken == taken; });
      bool isFree = same == found.list.end();
      // The operand occurs twice.
      if (!isFree && same->made == result.storage)
        continue;
      if (isFree && parts == 1 && made.bytes > 0 &&
          made.bytes == graph.storages[taken].bytes)
        found.list.push_back({result.storage, taken, made.bytes});
      else
        hasOthers = true;
    }
    if (hasOthers) {
      found.otherBytes += made.bytes;
      found.isComplete = false;
    }
  }
  return found;
}
