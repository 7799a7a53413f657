//===- PlannedFrees.h - Deallocations of planned buffers --------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_ANALYSIS_PLANNEDFREES_H
#define MEMPLAN_LIB_ANALYSIS_PLANNEDFREES_H

#include "memplan/Analysis/BuildProblem.h"

namespace memplan {

/// Decides which deallocations are removed, and excludes the buffers of those
/// that could neither be removed nor kept: fills in `frees` of the problem, and
/// takes planned buffers and phi cycles away. `recordOf` has the record of each
/// allocation's result.
///
/// Cost: linear in the graph. If control flow joins planned buffers with
/// others, or with buffers of phi cycles: the deallocations times the
/// allocations that each may free, and that again each time a deallocation that
/// stays turns out to retain a planned buffer.
void settleFrees(FunctionProblem &problem,
                 const llvm::DenseMap<AliasGraph::Id, unsigned> &recordOf,
                 const AliasGraph &graph, LifetimeAnalysis &lifetimes);

} // namespace memplan

#endif // MEMPLAN_LIB_ANALYSIS_PLANNEDFREES_H
