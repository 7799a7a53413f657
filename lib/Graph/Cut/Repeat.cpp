//===- Repeat.cpp - Ops that may run twice --------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Graph/Partition.h"

#include "Cut/Repeat.h"
#include "Model/Overwrites.h"

using namespace memplan::graph;

std::string memplan::graph::whyNotRepeatable(const OpGraph &graph, OpId op,
                                             bool isOrdered) {
  const Op &candidate = graph.ops[op];
  if (candidate.randomness == Randomness::ImplicitState)
    return "draws from implicit random state: a repeat would draw anew";
  if (!candidate.pure)
    return "has effects besides its results";
  if (!candidate.speculatable)
    return "may not run where the program would not run it";
  if (isOrdered)
    return "is ordered by effects with other ops, reads memory that is "
           "overwritten later, or writes in place (views have cost free)";
  return {};
}

std::vector<bool> memplan::graph::effectOrdered(const OpGraph &graph) {
  std::vector<bool> isOrdered(graph.ops.size());
  for (OpId op = 0; op < graph.ops.size(); ++op)
    for (OpId before : graph.ops[op].after)
      isOrdered[op] = isOrdered[before] = true;
  // A write in place changes memory that other ops read, so the op must not be
  // repeated, nor an op that reads the contents before.
  Overwrites overwrites(graph);
  for (StorageId s = 0; s < graph.storages.size(); ++s)
    for (const Access &write : overwrites.of(s))
      isOrdered[write.op] = true;
  for (OpId op = 0; op < graph.ops.size() && !overwrites.isEmpty(); ++op)
    if (overwrites.behind(op))
      isOrdered[op] = true;
  return isOrdered;
}

std::vector<bool> memplan::graph::repeatable(const OpGraph &graph) {
  std::vector<bool> isOrdered = effectOrdered(graph);
  std::vector<bool> may(graph.ops.size());
  for (OpId op = 0; op < graph.ops.size(); ++op)
    may[op] = whyNotRepeatable(graph, op, isOrdered[op]).empty();
  return may;
}

std::string memplan::graph::whyNotRepeatable(const OpGraph &graph, OpId op) {
  return whyNotRepeatable(graph, op, effectOrdered(graph)[op]);
}
