//===- PlanVerifier.cpp - Independent check of planned IR -----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Analysis/PlanVerifier.h"

#include "PlanVerifierArenas.h"
#include "PlanVerifierAsync.h"

using namespace mlir;
using namespace memplan;
using namespace memplan::planverifier;

static LogicalResult verify(FunctionOpInterface function, CallSummaries &calls,
                            bool isFresh) {
  if (function.isExternal())
    return success();
  Model model;
  model.function = function;
  listOps(model);
  if (failed(collectSlots(model, calls)))
    return failure();
  if (model.handles.empty() && !handsArenas(model, calls))
    return success();
  if (model.isCoroutine)
    return function.emitError(
        "is a coroutine that has an arena, cannot be verified");
  buildGraph(model);
  Aliases aliases(model, calls);
  if (failed(checkThreads(model)) ||
      failed(checkHandedArenas(model, aliases, calls)) ||
      failed(buildEvents(model, aliases, calls)))
    return failure();
  findLastUses(model);

  DiagnosticReporter reporter(model, isFresh);
  checkParallelRegions(model, calls, reporter);
  checkTasks(model, reporter);
  checkEnds(model, reporter);
  runDataflow(model, aliases, calls, reporter);
  bool stepsFail = failed(checkSteps(model, aliases));
  return failure(stepsFail || reporter.hasErrors());
}

LogicalResult memplan::verifyPlannedFunction(FunctionOpInterface function) {
  CallSummaries calls;
  return verify(function, calls, /*isFresh=*/false);
}

LogicalResult
memplan::verifyPlannedFunctions(llvm::ArrayRef<FunctionOpInterface> functions) {
  CallSummaries calls;
  return success(llvm::all_of(functions, [&](FunctionOpInterface function) {
    return succeeded(verify(function, calls, /*isFresh=*/true));
  }));
}

LogicalResult memplan::verifyPlannedFunctions(Operation *root) {
  CallSummaries calls;
  LogicalResult result = success();
  root->walk<WalkOrder::PreOrder>([&](FunctionOpInterface function) {
    if (failed(verify(function, calls, /*isFresh=*/false)))
      result = failure();
  });
  return result;
}
