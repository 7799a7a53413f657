//===- SolveHook.h - Replace the solver of passes ---------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TRANSFORMS_SOLVEHOOK_H
#define MEMPLAN_TRANSFORMS_SOLVEHOOK_H

#include "memplan/Core/Solver.h"

#include <functional>
#include <utility>
#include <vector>

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace memplan {

/// Replaces the solver: while an object is alive, passes of this thread solve
/// problems by calling its function. Tools use it to show progress or to log
/// problems around memplan::solve. Hooks nest; the innermost one is called. As
/// with ReportCapture, module passes run in the thread that runs the pass
/// manager. They call a hook that is not `isConcurrent` in that thread only,
/// one problem after another; others, and memplan::solve, also in several
/// threads of the context at once. A plan of a hook that verify() refuses is an
/// invalid one.
class SolveHook {
public:
  using Function = std::function<Plan(const Problem &, const SolveOptions &)>;

  explicit SolveHook(Function function, bool isConcurrent = false)
      : function(std::move(function)), isConcurrent(isConcurrent),
        outer(current) {
    current = this;
  }
  ~SolveHook() { current = outer; }
  SolveHook(const SolveHook &) = delete;
  SolveHook &operator=(const SolveHook &) = delete;

  /// Calls the function of the innermost hook, or memplan::solve without one.
  static Plan solve(const Problem &problem, const SolveOptions &options);
  /// Solves problems that do not depend on each other, in the threads of the
  /// context if the hook permits it. The plans do not depend on their number.
  static void
  solveAll(mlir::MLIRContext *context,
           const std::vector<std::pair<const Problem *, Plan *>> &problems,
           const SolveOptions &options);

private:
  Function function;
  bool isConcurrent;
  SolveHook *outer;
  static thread_local SolveHook *current;
};

} // namespace memplan

#endif // MEMPLAN_TRANSFORMS_SOLVEHOOK_H
