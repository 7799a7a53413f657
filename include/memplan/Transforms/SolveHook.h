//===- SolveHook.h - Who solves the problems of passes ----------*- C++ -*-===//
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

namespace memplan {

/// While one is alive, passes of this thread solve problems by calling its
/// function: for tools that show progress or log problems around
/// memplan::solve. They nest; the innermost counts. As with ReportCapture,
/// passes on modules run in the thread that runs the pass manager.
class SolveHook {
public:
  using Function = std::function<Plan(const Problem &, const SolveOptions &)>;

  explicit SolveHook(Function function)
      : function(std::move(function)), outer(current) {
    current = this;
  }
  ~SolveHook() { current = outer; }
  SolveHook(const SolveHook &) = delete;
  SolveHook &operator=(const SolveHook &) = delete;

  /// What passes call: the hook's function, or memplan::solve without one.
  static Plan solve(const Problem &problem, const SolveOptions &options);

private:
  Function function;
  SolveHook *outer;
  static thread_local SolveHook *current;
};

} // namespace memplan

#endif // MEMPLAN_TRANSFORMS_SOLVEHOOK_H
