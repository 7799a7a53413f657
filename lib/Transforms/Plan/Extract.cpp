//===- Extract.cpp - The memplan-extract pass -----------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckOptions.h"
#include "Explain/PlanDiagnostics.h"
#include "Plan/ModuleProblems.h"
#include "Plan/SolverOptions.h"
#include "memplan/Analysis/ProblemOptions.h"
#include "memplan/IR/Circles.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace memplan {
#define GEN_PASS_DEF_MEMPLANEXTRACT
#include "memplan/Transforms/Passes.h.inc"
} // namespace memplan

using namespace memplan;

namespace {
struct ExtractPass : memplan::impl::MemplanExtractBase<ExtractPass> {
  using MemplanExtractBase::MemplanExtractBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    MemplanExtractBase::getDependentDialects(registry);
    registerAliasInterfaces(registry);
  }

  /// Works on a clone, which replaces the module if there is no error.
  void runOnOperation() override {
    Location loc = getOperation().getLoc();
    if (failed(checkNoCircles(getOperation())) ||
        failed(checkOptions(loc, alignment, capacity)) ||
        failed(checkResultOptions(loc, results, arena.placement)))
      return signalPassFailure();
    WalkResult walk = getOperation()->walk([](FunctionOpInterface function) {
      if (findProblems(function).empty())
        return WalkResult::advance();
      function.emitError() << "@" << function.getName()
                           << " has been extracted already";
      return WalkResult::interrupt();
    });
    if (walk.wasInterrupted())
      return signalPassFailure();
    PlanningOptions options = makePlanningOptions(
        alignment, capacity, workers, inPlace, arena, dynamic, results);
    PlanScope planScope = getScope(scope, entryPoints);
    PrepareOptions prepare{planScope,     entryPoints, calleeTrust, results,
                           this->prepare, false,       sizes};
    OwningOpRef<ModuleOp> clone = cast<ModuleOp>(getOperation()->clone());
    if (failed(prepareModule(*clone, prepare)))
      return signalPassFailure();
    ModuleAliases aliases(*clone, calleeTrust);
    FailureOr<std::vector<FunctionProblem>> problems =
        extractProblems(*clone, aliases, options, planScope, arena.placement);
    if (failed(problems) ||
        failed(checkUnplannedCapacity(loc, *problems, options)))
      return signalPassFailure();
    DictionaryAttr record = writeOptions(&getContext(), {options, calleeTrust});
    for (FunctionProblem &problem : *problems) {
      emitRemarks(problem);
      writeProblems(problem, record);
    }
    getOperation().getBodyRegion().takeBody(clone->getBodyRegion());
  }
};
} // namespace
