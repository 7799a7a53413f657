//===- MergePhiCycles.h - Slots that several phi cycles share ---*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_ANALYSIS_MERGEPHICYCLES_H
#define MEMPLAN_LIB_ANALYSIS_MERGEPHICYCLES_H

#include "memplan/Analysis/CongruentSizes.h"
#include "memplan/Analysis/FunctionProblem.h"

namespace memplan {

/// The members of a group of buffers, and those of them that may still have a
/// live instance when the next one is allocated. Indices of records of the
/// function, ascending.
struct CarriedGroup {
  llvm::SmallVector<unsigned> members, carried;
};

using FindPhiCycleFn = llvm::function_ref<std::optional<PhiCycle>(
    llvm::ArrayRef<unsigned> members, llvm::ArrayRef<unsigned> carried)>;

/// Sets the lifetime, slot and alignment of the records of the phi cycle.
void settleRecords(FunctionProblem &problem, const PhiCycle &cycle);

/// Merges phi cycles of one shape that are live at the same time, if that
/// lowers the peak of the live bytes: a slot that is free in one cycle can
/// serve another. So states that are replaced one after the other need one
/// spare slot together, not one each. `groups` are the groups of
/// `problem.phiCycles`, in the same order; `find` looks for a phi cycle of
/// given records (findPhiCycle).
void mergePhiCycles(FunctionProblem &problem, std::vector<CarriedGroup> groups,
                    CongruentSizes &sizes, FindPhiCycleFn find);

} // namespace memplan

#endif // MEMPLAN_LIB_ANALYSIS_MERGEPHICYCLES_H
