//===- BufferGroups.h - Buffers that share an alias -------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_ANALYSIS_BUFFERGROUPS_H
#define MEMPLAN_LIB_ANALYSIS_BUFFERGROUPS_H

#include "memplan/Analysis/AliasGraph.h"

namespace memplan {

/// Buffers whose aliases control flow joins.
struct BufferGroup {
  /// Positions in the list of buffers, ascending.
  llvm::SmallVector<unsigned, 1> members;
  /// The aliases of all members, ascending.
  llvm::SmallVector<AliasGraph::Id, 2> aliases;
};

/// Groups the buffers that share an alias, directly or through other buffers;
/// the groups are in the order of their first members. `buffers` are the values
/// of allocations. Cost: linear in the part of the graph that they reach.
std::vector<BufferGroup>
findBufferGroups(const AliasGraph &graph,
                 llvm::ArrayRef<AliasGraph::Id> buffers);

} // namespace memplan

#endif // MEMPLAN_LIB_ANALYSIS_BUFFERGROUPS_H
