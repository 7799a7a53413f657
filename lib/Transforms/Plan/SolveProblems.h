//===- SolveProblems.h - Solve the problems of a module ---------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TRANSFORMS_SOLVEPROBLEMS_H
#define MEMPLAN_LIB_TRANSFORMS_SOLVEPROBLEMS_H

#include "Explain/PlanDiagnostics.h"
#include "memplan/Core/Solver.h"

namespace memplan {

/// Solves the problems inside `root` and writes the solutions into them. A
/// problem whose arena is a buffer of another one comes before that one. Emits
/// an error for each problem that has no plan within its capacity, and fails
/// then; `plans`, if given, gets what the solver says of each. `explain` adds
/// to errors what else could be done.
mlir::LogicalResult solveProblems(mlir::Operation *root,
                                  const SolveOptions &options,
                                  SolvedPlans *plans = nullptr,
                                  ExplainFn explain = nullptr);

/// Calls `plan` for the problems inside `root` that `isChosen` says, with the
/// sizes of their frames set; it writes a plan into its problem or fails with
/// an emitted error. Frames of problems that are not chosen have plans already,
/// or an error says so.
mlir::LogicalResult
planProblems(mlir::Operation *root,
             llvm::function_ref<bool(ProblemOp)> isChosen,
             llvm::function_ref<mlir::LogicalResult(ProblemOp)> plan);

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_SOLVEPROBLEMS_H
