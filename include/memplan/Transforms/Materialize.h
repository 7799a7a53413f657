//===- Materialize.h - Rewrite functions to their plan ----------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TRANSFORMS_MATERIALIZE_H
#define MEMPLAN_TRANSFORMS_MATERIALIZE_H

#include "memplan/Analysis/PlanningProblem.h"

namespace memplan {

/// Rewrites the function to its solved plan: one memplan.arena per arena that
/// has buffers, at the function's entry, where ArenaProblem::memory says; a
/// memplan.view in place of each planned allocation; a
/// memplan.release before each return where the arena is on the heap.
/// Deallocations of planned buffers go. The problem must be fresh (the IR has
/// not changed since it was built) and every arena with buffers must have
/// offsets. `order` is the order the problem was built with.
void materialize(FunctionProblem &problem, const ProgramOrder &order);

/// Lowers the memplan ops of the function to plain memref ops. Global arenas
/// become symbols of the nearest symbol table around the function, which
/// `symbols` keeps up to date.
void lowerToMemRef(mlir::FunctionOpInterface function,
                   mlir::SymbolTableCollection &symbols);

} // namespace memplan

#endif // MEMPLAN_TRANSFORMS_MATERIALIZE_H
