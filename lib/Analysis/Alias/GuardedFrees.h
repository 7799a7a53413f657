//===- GuardedFrees.h - What a guarded deallocation frees -------*- C++ -*-===//
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
/// ascending: without those of which conditions that travel beside the memref
/// say that it is not freed. Whoever frees by ownership carries an i1 beside
/// each memref, which is false with the argument of a function and true with a
/// fresh buffer:
///
///   %r:2 = scf.for iter_args(%x = %argument, %own = %false) {
///     %fresh = memref.alloc()
///     scf.yield %fresh, %true
///   }
///   scf.if %r#1 { memref.dealloc %r#0 }             frees %fresh only
///
/// With `followsRetained` what an earlier deallocation says of the ownership of
/// what it retained is followed, too.
///
/// Cost: that of getSources, and a bounded number of steps besides.
std::vector<AliasGraph::Id> getFreedSources(const AliasGraph &graph,
                                            mlir::OpOperand &use,
                                            bool followsRetained);

} // namespace memplan

#endif // MEMPLAN_LIB_ANALYSIS_GUARDEDFREES_H
