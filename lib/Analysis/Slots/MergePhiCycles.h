//===- MergePhiCycles.h - Slots that several groups share -------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_ANALYSIS_MERGEPHICYCLES_H
#define MEMPLAN_LIB_ANALYSIS_MERGEPHICYCLES_H

#include "memplan/Analysis/FunctionProblem.h"

namespace memplan {

/// Buffers that some value may all be, of which some take turns: records of the
/// function, ascending.
struct CarriedGroup {
  llvm::SmallVector<unsigned> members, carried;
};

using FindPhiCycleFn = llvm::function_ref<std::optional<PhiCycle>(
    llvm::ArrayRef<unsigned> members, llvm::ArrayRef<unsigned> carried)>;

/// Gives the records of the phi cycle its lifetime and alignment.
void settleRecords(FunctionProblem &problem, const PhiCycle &cycle);

/// Merges phi cycles of one type that are live at the same time where the most
/// bytes live at once become fewer by it: what is free in one group serves the
/// others, so that states that are replaced one after the other need one spare
/// slot, not one each. `groups` are those of `problem.phiCycles`, in their
/// order.
void mergePhiCycles(FunctionProblem &problem, std::vector<CarriedGroup> groups,
                    FindPhiCycleFn find);

} // namespace memplan

#endif // MEMPLAN_LIB_ANALYSIS_MERGEPHICYCLES_H
