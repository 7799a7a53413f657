//===- RematerializePass.cpp - The memplan-rematerialize pass -------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Schedule/EmitSchedule.h"
#include "Schedule/GraphPass.h"
#include "Schedule/Output.h"
#include "memplan/Graph/Rematerialize.h"
#include "memplan/IR/Memplan.h"
#include "memplan/Transforms/Passes.h"

using namespace mlir;

namespace memplan {
#define GEN_PASS_DEF_MEMPLANREMATERIALIZE
#include "memplan/Transforms/Passes.h.inc"
} // namespace memplan

using namespace memplan;
using graph::RematerializeStatus;

namespace {
struct RematerializePass
    : memplan::impl::MemplanRematerializeBase<RematerializePass> {
  using MemplanRematerializeBase::MemplanRematerializeBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    MemplanRematerializeBase::getDependentDialects(registry);
    registerGraphInterfaces(registry);
  }

  void runOnOperation() override {
    if (failed(run(getOperation())))
      signalPassFailure();
  }

  LogicalResult run(ModuleOp module) {
    if (budget < 0)
      return mlir::emitError(module.getLoc())
             << "budget must be given in bytes, at least 0";
    FailureOr<FunctionOpInterface> function =
        findFunction(module, functionName);
    if (failed(function))
      return failure();
    FailureOr<GraphContext> context =
        GraphContext::create(module, dimHint, targetFile);
    if (failed(context))
      return failure();
    FailureOr<FunctionGraph> built = context->builder->build(*function);
    if (failed(built))
      return failure();
    graph::RematerializeOptions options;
    options.memory.takeTies = inPlace;
    options.steps = steps;
    options.seed = seed;
    graph::Schedule source = graph::programOrder(built->graph);
    graph::RematerializeResult result =
        graph::rematerialize(built->graph, source, budget, options);
    if (failed(checkResult(*function, result)))
      return failure();
    if (failed(writeOutput(output, module.getLoc(), [&](llvm::raw_ostream &os) {
          printResult(*function, result, os);
        })))
      return failure();
    if (result.point.schedule != source)
      applySchedule(*built, result.point.schedule);
    return success();
  }

  LogicalResult checkResult(FunctionOpInterface function,
                            const graph::RematerializeResult &result) {
    switch (result.status) {
    case RematerializeStatus::Optimal:
    case RematerializeStatus::Feasible:
      return success();
    case RematerializeStatus::Infeasible:
      return mlir::emitError(function.getLoc())
             << "@" << function.getName() << " cannot run in "
             << int64_t(budget) << " bytes: " << result.reason;
    case RematerializeStatus::Unknown:
      return mlir::emitError(function.getLoc())
             << "found no schedule of @" << function.getName() << " in "
             << budget << " bytes; the least found has " << result.point.peak
             << ", none can have less than " << result.peakBound << ": "
             << result.reason;
    }
    llvm_unreachable("all statuses are handled");
  }

  void printResult(FunctionOpInterface function,
                   const graph::RematerializeResult &result,
                   llvm::raw_ostream &os) {
    os << "@" << function.getName() << ": peak " << result.point.peak
       << " bytes of " << int64_t(budget) << ", " << result.point.repeats
       << " ops recomputed, " << result.point.extraFlops
       << " FLOPs more, at least " << result.flopsBound << " ("
       << llvm::StringRef(graph::nameOf(result.status)) << ")\n";
  }
};
} // namespace
