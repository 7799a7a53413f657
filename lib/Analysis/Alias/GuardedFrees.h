//===- GuardedFrees.h - Memory that guarded deallocations free --*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_ANALYSIS_GUARDEDFREES_H
#define MEMPLAN_LIB_ANALYSIS_GUARDEDFREES_H

#include "memplan/Analysis/AliasGraph.h"

namespace memplan {

/// The sources (see AliasGraph::getSources) of the memref that `use` may free,
/// ascending. Excludes sources for which the conditions forwarded beside the
/// memref rule out the deallocation. Ownership-based deallocation forwards an
/// i1 beside each memref, which is false for an argument of the function and
/// true for a fresh buffer:
///
///   %r:2 = scf.for iter_args(%x = %argument, %own = %false) {
///     %fresh = memref.alloc()
///     scf.yield %fresh, %true
///   }
///   scf.if %r#1 { memref.dealloc %r#0 }             frees %fresh only
///
/// With `followsRetained` the conditions that an earlier bufferization.dealloc
/// returns for its retained memrefs are followed, too. Those of an op whose
/// memrefs are all in `removed` are false: the op will be gone.
///
/// Cost: that of getSources, plus a bounded number of steps.
std::vector<AliasGraph::Id>
getFreedSources(const AliasGraph &graph, mlir::OpOperand &use,
                bool followsRetained,
                const ModuleAliases::FreeSet &removed = {});

} // namespace memplan

#endif // MEMPLAN_LIB_ANALYSIS_GUARDEDFREES_H
