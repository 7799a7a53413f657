//===- BufferGroups.h - Buffers that a value may both be --------*- C++ -*-===//
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

/// Buffers of which control flow joins the aliases.
struct BufferGroup {
  /// By their position among the buffers, ascending.
  llvm::SmallVector<unsigned, 1> members;
  /// The aliases of all members, ascending.
  llvm::SmallVector<AliasGraph::Id, 2> aliases;
};

/// Puts together the buffers that a value may both be, directly or by way of
/// others. In the order of their first members. `buffers` are the values of
/// allocations. Cost: that of the part of the graph that they reach, however
/// many of them a value may be.
std::vector<BufferGroup>
findBufferGroups(const AliasGraph &graph,
                 llvm::ArrayRef<AliasGraph::Id> buffers);

} // namespace memplan

#endif // MEMPLAN_LIB_ANALYSIS_BUFFERGROUPS_H
