//===- FindPhiCycle.h - Find loop-carried slots -----------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_ANALYSIS_FINDPHICYCLE_H
#define MEMPLAN_LIB_ANALYSIS_FINDPHICYCLE_H

#include "memplan/Analysis/CongruentSizes.h"
#include "memplan/Analysis/FunctionProblem.h"

namespace memplan {

/// Finds loop-carried slots for the buffers of a group that interfere, so that
/// they cannot share one slot. `group` are records of allocations of one shape
/// whose aliases control flow joins. Some of them may be left out, to get a
/// slot of their own; they are not among the records of the phi cycle.
/// `carried` are the records of the group that may still have a live instance
/// when the next one is allocated. std::nullopt if two values may hold one
/// buffer at once, or if the control flow is not understood.
///
/// Cost: the ops that use the group times the slots, times the number of
/// assumptions that are corrected (at most one for each value of the group).
std::optional<PhiCycle>
findPhiCycle(const FunctionProblem &problem, llvm::ArrayRef<unsigned> group,
             llvm::ArrayRef<unsigned> carried, const ProgramOrder &order,
             const AliasGraph &graph, LifetimeAnalysis &lifetimes,
             CongruentSizes &sizes);

} // namespace memplan

#endif // MEMPLAN_LIB_ANALYSIS_FINDPHICYCLE_H
