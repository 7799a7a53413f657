//===- BufferGroups.cpp - Buffers that share an alias ---------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The edges of the alias graph lead from an alias of a buffer only to aliases
// of the same buffer. So edges between aliases connect two buffers exactly if a
// value may be either of them, or if a chain of such pairs links them.
//
//===----------------------------------------------------------------------===//

#include "Alias/BufferGroups.h"

#include "llvm/ADT/IntEqClasses.h"

using namespace mlir;
using namespace memplan;

std::vector<BufferGroup>
memplan::findBufferGroups(const AliasGraph &graph,
                          ArrayRef<AliasGraph::Id> buffers) {
  std::vector<AliasGraph::Id> aliases = graph.getAliases(buffers);
  llvm::IntEqClasses classes(static_cast<unsigned>(graph.size()));
  for (AliasGraph::Id id : aliases)
    for (AliasGraph::Id next : graph.successors(id))
      classes.join(id, next);
  classes.compress();
  std::vector<BufferGroup> groups;
  llvm::DenseMap<unsigned, size_t> groupOf;
  for (auto [index, buffer] : llvm::enumerate(buffers)) {
    auto [it, isNew] = groupOf.try_emplace(classes[buffer], groups.size());
    if (isNew)
      groups.emplace_back();
    groups[it->second].members.push_back(static_cast<unsigned>(index));
  }
  for (AliasGraph::Id id : aliases)
    groups[groupOf.lookup(classes[id])].aliases.push_back(id);
  return groups;
}
