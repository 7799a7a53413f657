//===- SoftConflicts.h - Sharing that the producer has a price for -*- C++
//-*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_ANALYSIS_SOFTCONFLICTS_H
#define MEMPLAN_LIB_ANALYSIS_SOFTCONFLICTS_H

#include "memplan/Analysis/AliasGraph.h"
#include "memplan/Analysis/BuildProblem.h"

namespace memplan {

/// Adds to each arena the soft conflicts that the attributes of allocations
/// state (memplan.apart, memplan.bank_apart), those that follow from the pipes
/// of ops (memplan.pipe), and the size of the banks of its memory space. An
/// arena whose problem cannot have them gets a remark instead.
///
/// Ops of one pipe run in order, each for its cycles (memplan.cycles). An op
/// begins when that before it in its pipe has ended, and those that wrote what
/// it reads, or use what it writes. A pair pays the cycles that the op with
/// which the later buffer begins would wait for ops of other pipes that use the
/// earlier one:
///
///     dma      load a | load b |
///     vector          | use a            | use b
///                     <------------------> if b has the bytes of a
///
/// Loops count with their number of iterations, from one to the next as well.
void addSoftConflicts(FunctionProblem &function, const ProgramOrder &order,
                      const AliasGraph &graph, const PlanningOptions &options);

} // namespace memplan

#endif // MEMPLAN_LIB_ANALYSIS_SOFTCONFLICTS_H
