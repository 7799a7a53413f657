//===- Solve.cpp - The memplan-solve pass ---------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckOptions.h"
#include "Explain/PlanDiagnostics.h"
#include "Plan/SolveProblems.h"
#include "Plan/SolverOptions.h"
#include "memplan/Transforms/Passes.h"

using namespace mlir;

namespace memplan {
#define GEN_PASS_DEF_MEMPLANSOLVE
#include "memplan/Transforms/Passes.h.inc"
} // namespace memplan

using namespace memplan;

namespace {
struct SolvePass : memplan::impl::MemplanSolveBase<SolvePass> {
  using MemplanSolveBase::MemplanSolveBase;

  /// A limit of 0 leaves that of the effort.
  SolveOptions getSolveOptions() {
    SolveOptions options = makeSolveOptions(strategy, effort, minimize);
    options.threads = threads;
    if (nodeLimit > 0)
      options.nodeLimit = nodeLimit;
    if (timeLimitMs > 0)
      options.timeLimitMs = timeLimitMs;
    return options;
  }

  void runOnOperation() override {
    WalkResult walk =
        getOperation()->walk([](ProblemOp) { return WalkResult::interrupt(); });
    if (!walk.wasInterrupted())
      emitWarning(getOperation().getLoc())
          << "there is no memplan.problem to solve; memplan-extract states "
             "those of a program";
    if (failed(checkSolverOptions(getOperation().getLoc(), nodeLimit,
                                  timeLimitMs, threads)) ||
        failed(solveProblems(getOperation(), getSolveOptions())))
      signalPassFailure();
  }
};
} // namespace
