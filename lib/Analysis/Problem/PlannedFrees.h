//===- PlannedFrees.h - Deallocations of what is planned --------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_ANALYSIS_PLANNEDFREES_H
#define MEMPLAN_LIB_ANALYSIS_PLANNEDFREES_H

#include "memplan/Analysis/PlanningProblem.h"

namespace memplan {

/// Settles which deallocations go, and leaves alone the buffers that keep one
/// from going or staying as it is: adds to the function's `frees`, takes away
/// from its planned buffers and phi cycles. `recordOf` has the buffer that each
/// allocation's result is.
///
/// Cost: that of the graph. Where control flow joins planned buffers with what
/// is not, or with what takes turns, the deallocations times the allocations
/// that each may free, and as much again each time that one which stays turns
/// out to retain a planned buffer.
void settleFrees(FunctionProblem &problem,
                 const llvm::DenseMap<AliasGraph::Id, unsigned> &recordOf,
                 const AliasGraph &graph, LifetimeAnalysis &lifetimes);

} // namespace memplan

#endif // MEMPLAN_LIB_ANALYSIS_PLANNEDFREES_H
