//===- SolveModule.h - From a module to solved problems ---------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Planning up to the solved problems, without a rewrite of the functions:
// plan-memory then materializes them, and computePlans returns them as data.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TRANSFORMS_SOLVEMODULE_H
#define MEMPLAN_LIB_TRANSFORMS_SOLVEMODULE_H

#include "Plan/ModuleProblems.h"
#include "Plan/PlaceArenas.h"
#include "memplan/Core/Solver.h"

namespace memplan {

/// Derives the problems of `module`, solves them and places the arenas; does
/// not change the module. `aliases` are those of `module`. Emits an error and
/// fails if an arena does not fit the capacity, or if `require` asks that all
/// buffers are planned, or arenas placed as `places` says, and one is not.
mlir::FailureOr<std::vector<FunctionProblem>>
solveModule(mlir::ModuleOp module, ModuleAliases &aliases,
            const PlanningOptions &planning, const SolveOptions &solver,
            PlanScope scope, const ArenaPlaces &places, Requirements require);

/// Sets ArenaProblem::sequential: the plans of the function as if its ops ran
/// one after another, without memplan.step and without a capacity.
void addSequentialPlans(FunctionProblem &problem, const ModuleAliases &aliases,
                        PlanningOptions planning, const SolveOptions &solver);

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_SOLVEMODULE_H
