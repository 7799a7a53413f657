//===- SolveProblems.h - Solve the problems of a module ---------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TRANSFORMS_SOLVEPROBLEMS_H
#define MEMPLAN_LIB_TRANSFORMS_SOLVEPROBLEMS_H

#include "memplan/Core/Solver.h"
#include "memplan/IR/Memplan.h"

namespace memplan {

/// Solves the memplan.problem ops inside `root` and writes the plans into them.
/// Problems that do not depend on each other are solved at once
/// (SolveHook::solveAll). A problem whose arena is a buffer of another one is
/// solved before that one. Emits an error for each problem that has no plan
/// within its capacity; fails if there is one.
mlir::LogicalResult solveProblems(mlir::Operation *root,
                                  const SolveOptions &options);

/// Calls `run` for rounds of numbers: of those that need no other one, then of
/// those that need only these, and so on (Kahn 1962). Each round is ascending.
/// Returns the numbers that are left: they need each other.
llvm::SmallVector<unsigned>
runInRounds(llvm::ArrayRef<llvm::SmallVector<unsigned, 1>> needs,
            llvm::function_ref<void(llvm::ArrayRef<unsigned>)> run);

/// Calls `plan` for each problem inside `root` for which `isChosen` is true,
/// after the sizes of its frames have been set. `plan` writes a plan into the
/// problem, or emits an error and fails. A frame whose problem is not chosen
/// must have a plan already; otherwise this emits an error and fails. `prepare`
/// gets, before the calls for them, all problems whose frames are planned and
/// which therefore do not depend on each other.
mlir::LogicalResult planProblems(
    mlir::Operation *root, llvm::function_ref<bool(ProblemOp)> isChosen,
    llvm::function_ref<mlir::LogicalResult(ProblemOp)> plan,
    llvm::function_ref<void(llvm::ArrayRef<ProblemOp>)> prepare = nullptr);

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_SOLVEPROBLEMS_H
