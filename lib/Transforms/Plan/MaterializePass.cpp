//===- MaterializePass.cpp - The memplan-materialize pass -----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckOptions.h"
#include "Plan/ModuleProblems.h"
#include "Plan/PlaceArenas.h"
#include "memplan/Analysis/ProblemOptions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace memplan {
#define GEN_PASS_DEF_MEMPLANMATERIALIZE
#include "memplan/Transforms/Passes.h.inc"
} // namespace memplan

using namespace memplan;

namespace {
struct MaterializePass
    : memplan::impl::MemplanMaterializeBase<MaterializePass> {
  using MemplanMaterializeBase::MemplanMaterializeBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    MemplanMaterializeBase::getDependentDialects(registry);
    registerAliasInterfaces(registry);
  }

  void runOnOperation() override {
    // Checks all functions before it rewrites the first.
    SmallVector<ProblemOp> used;
    WalkResult walk =
        getOperation()->walk([](ProblemOp) { return WalkResult::interrupt(); });
    if (!walk.wasInterrupted())
      emitWarning(getOperation().getLoc())
          << "there is no memplan.problem to materialize; memplan-extract "
             "states those of a program, and memplan-solve solves them";
    if (failed(checkNoneLeft(used)))
      return signalPassFailure();
    FailureOr<ProblemOptions> options = readOptions(used);
    if (failed(options) ||
        (!used.empty() &&
         failed(checkOptions(used.front().getLoc(), options->planning.alignment,
                             Capacities()))))
      return signalPassFailure();
    ModuleAliases aliases(getOperation(), options->trust);
    FailureOr<std::vector<FunctionProblem>> problems =
        deriveStatedProblems(getOperation(), aliases, options->planning);
    if (failed(problems))
      return signalPassFailure();
    for (FunctionProblem &problem : *problems)
      if (failed(adoptPlans(problem, findProblems(problem.function))))
        return signalPassFailure();
    if (failed(checkFrames(*problems, aliases)) ||
        failed(placeArenas(*problems, aliases, arena, /*isRequired=*/false)))
      return signalPassFailure();
    if (failed(materializeAll(*problems, aliases)))
      return signalPassFailure();
    for (ProblemOp op : used)
      op.erase();
  }

  /// Emits an error for a problem of a function that is planned already, or
  /// that is not right before the function of its block that it names, and a
  /// warning for one that names no function: nothing would be materialized for
  /// it. `used` gets the other problems.
  LogicalResult checkNoneLeft(SmallVectorImpl<ProblemOp> &used) {
    llvm::DenseSet<Operation *> adopted;
    WalkResult walk = getOperation()->walk([&](FunctionOpInterface function) {
      SmallVector<ProblemOp> own = findProblems(function);
      llvm::append_range(used, own);
      adopted.insert_range(own);
      if (own.empty() || !hasArena(function))
        return WalkResult::advance();
      function.emitError() << "@" << function.getName()
                           << " has an arena already";
      return WalkResult::interrupt();
    });
    if (walk.wasInterrupted())
      return failure();
    walk = getOperation()->walk([&](ProblemOp op) {
      if (adopted.contains(op))
        return WalkResult::advance();
      for (auto function : op->getBlock()->getOps<FunctionOpInterface>())
        if (function.getName() == op.getFunction()) {
          op.emitError() << "does not stand right before @" << op.getFunction();
          return WalkResult::interrupt();
        }
      op.emitWarning() << "names @" << op.getFunction()
                       << ", of which there is none in its block: nothing is "
                          "rewritten for it";
      return WalkResult::advance();
    });
    return failure(walk.wasInterrupted());
  }
};
} // namespace
