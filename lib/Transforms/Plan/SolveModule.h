//===- SolveModule.h - From a module to solved problems ---------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of planning that decides and rewrites nothing: what plan-memory goes
// on to materialize, and what computePlans hands out as data.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TRANSFORMS_SOLVEMODULE_H
#define MEMPLAN_LIB_TRANSFORMS_SOLVEMODULE_H

#include "Plan/ModuleProblems.h"
#include "Plan/PlaceArenas.h"
#include "memplan/Core/Solver.h"

namespace memplan {

/// The problems of the functions of a module, solved, and by function the ops
/// that state them.
struct SolvedModule {
  std::vector<FunctionProblem> problems;
  std::vector<llvm::SmallVector<ProblemOp>> stated;
};

/// Derives the problems of `module`, which `aliases` is of, states them in it,
/// solves them and settles where the arenas are. Fails with an emitted error
/// where a plan does not fit the capacity, with Requirement::Planned where a
/// buffer is not planned, and where an arena cannot be as `placement` requires.
mlir::FailureOr<SolvedModule>
solveModule(mlir::ModuleOp module, ModuleAliases &aliases,
            const PlanningOptions &planning, const SolveOptions &solver,
            PlanScope scope, const PlacementOptions &placement,
            Requirement require);

/// Solves the function as if its ops ran one after another.
void addSequentialPlans(FunctionProblem &problem, const ModuleAliases &aliases,
                        PlanningOptions planning, const SolveOptions &solver);

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_SOLVEMODULE_H
