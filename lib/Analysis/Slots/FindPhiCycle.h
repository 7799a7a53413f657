//===- FindPhiCycle.h - Buffers that can take turns -------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_ANALYSIS_FINDPHICYCLE_H
#define MEMPLAN_LIB_ANALYSIS_FINDPHICYCLE_H

#include "memplan/Analysis/FunctionProblem.h"

namespace memplan {

/// Looks for a way to let the buffers of a group, which control flow joins and
/// which interfere, take turns in slots. They are allocations of one type whose
/// aliases meet. Some may be left out, to have a slot of their own; these are
/// not among the phi cycle's records. Nothing where two values may hold one
/// buffer at once, or the control flow around them is not understood.
/// `carried` are those of the group of which an instance may live on when the
/// next is allocated.
///
/// Cost: the ops that touch the group times the slots, times the corrections of
/// an assumption (at most one for each value of the group).
std::optional<PhiCycle>
findPhiCycle(const FunctionProblem &problem, llvm::ArrayRef<unsigned> group,
             llvm::ArrayRef<unsigned> carried, const ProgramOrder &order,
             const AliasGraph &graph, LifetimeAnalysis &lifetimes);

} // namespace memplan

#endif // MEMPLAN_LIB_ANALYSIS_FINDPHICYCLE_H
