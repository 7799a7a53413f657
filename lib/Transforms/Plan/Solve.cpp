//===- Solve.cpp - The memplan-solve pass ---------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Plan/SolverOptions.h"
#include "memplan/Analysis/ProblemIR.h"
#include "memplan/Core/Verify.h"
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

  void runOnOperation() override {
    SmallVector<ProblemOp> problems;
    getOperation()->walk([&](ProblemOp op) { problems.push_back(op); });
    for (ProblemOp op : problems)
      if (failed(solveProblem(op)))
        return signalPassFailure();
  }

  LogicalResult solveProblem(ProblemOp op) {
    SmallVector<BufferOp> buffers;
    Problem problem = readProblem(op, &buffers);
    SolveOptions options = makeSolveOptions(strategy, effort, nodeLimit,
                                            timeLimitMs, seed, threads);
    Plan plan = solve(problem, options);
    if (plan.status == PlanStatus::Invalid) {
      InFlightDiagnostic error = op.emitError() << "no plan: " << plan.message;
      for (const Issue &issue : check(problem))
        for (BufferIndex buffer : issue.buffers)
          error.attachNote(buffers[buffer].getLoc()) << issue.message;
      return error;
    }
    bool fits = plan.hasOffsets() &&
                (!problem.capacity || plan.arenaSize <= *problem.capacity);
    if (!buffers.empty() && !fits)
      return op.emitError() << "no plan within the capacity of "
                            << *problem.capacity << " bytes: " << plan.message
                            << ", lower bound " << plan.lowerBound;
    writePlan(op, buffers, plan);
    return success();
  }
};
} // namespace
