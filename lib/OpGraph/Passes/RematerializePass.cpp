//===- RematerializePass.cpp - The memplan-rematerialize pass -------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckOptions.h"
#include "Output.h"
#include "Passes/EmitSchedule.h"
#include "Passes/GraphPass.h"
#include "memplan/Graph/Rematerialize.h"
#include "memplan/IR/Memplan.h"
#include "memplan/OpGraph/Passes.h"

using namespace mlir;

namespace memplan {
#define GEN_PASS_DEF_MEMPLANREMATERIALIZE
#include "memplan/OpGraph/Passes.h.inc"
} // namespace memplan

using namespace memplan;
using graph::RematerializeStatus;

namespace {
struct RematerializePass
    : GraphPass<RematerializePass, memplan::impl::MemplanRematerializeBase> {
  using GraphPass::GraphPass;

  LogicalResult run(ModuleOp module) {
    if (budget.getValue() < 0)
      return mlir::emitError(module.getLoc())
             << "budget must be given in bytes, at least 0";
    if (failed(checkAtLeast(module.getLoc(), "steps", steps, 0)))
      return failure();
    FailureOr<FunctionOpInterface> function =
        findFunction(module, functionName);
    if (failed(function))
      return failure();
    FailureOr<GraphContext> context = GraphContext::create(module);
    if (failed(context))
      return failure();
    FailureOr<FunctionGraph> built = context->builder->build(*function);
    if (failed(built))
      return failure();
    graph::RematerializeOptions options;
    options.memory.takeTies = inPlace;
    options.steps = steps;
    graph::Schedule source = graph::programOrder(built->graph);
    graph::RematerializeResult result =
        graph::rematerialize(built->graph, source, budget.getValue(), options);
    if (failed(checkResult(*built, result)))
      return failure();
    if (failed(writeOutput(output, module.getLoc(), [&](llvm::raw_ostream &os) {
          printResult(*function, result, os);
        })))
      return failure();
    if (result.point.schedule != source)
      applySchedule(*built, result.point.schedule);
    return success();
  }

  LogicalResult checkResult(const FunctionGraph &built,
                            const graph::RematerializeResult &result) {
    FunctionOpInterface function = built.getFunction();
    switch (result.status) {
    case RematerializeStatus::Optimal:
    case RematerializeStatus::Feasible:
      return success();
    case RematerializeStatus::Infeasible: {
      InFlightDiagnostic error = mlir::emitError(function.getLoc());
      error << "@" << function.getName() << " cannot run in "
            << budget.getValue().bytes << " bytes: ";
      if (result.peakBound > budget.getValue())
        return noteBound(built, result,
                         error << "no schedule needs less than "
                               << result.peakBound);
      return error << result.reason;
    }
    case RematerializeStatus::Unknown: {
      InFlightDiagnostic error = mlir::emitError(function.getLoc());
      error << "found no schedule of @" << function.getName() << " in "
            << budget.getValue().bytes << " bytes: the least found needs "
            << result.point.peak << ", none needs less than "
            << result.peakBound;
      return noteBound(built, result, error);
    }
    }
    llvm_unreachable("all statuses are handled");
  }

  static LogicalResult noteBound(const FunctionGraph &built,
                                 const graph::RematerializeResult &result,
                                 InFlightDiagnostic &error) {
    if (result.needsTogether)
      error.attachNote(built.getFunction().getLoc())
          << "in any order, with any recomputation, that many bytes are live "
             "at once somewhere";
    else if (result.boundOp == graph::noOp)
      error.attachNote(built.getFunction().getLoc())
          << "the values at the start, or the results, need that many bytes";
    else
      error.attachNote(built.ops[result.boundOp]->getLoc())
          << "'" << built.ops[result.boundOp]->getName().getStringRef()
          << "' needs that many bytes for its operands and results, held "
             "values, and values that cannot be recomputed";
    return error;
  }

  void printResult(FunctionOpInterface function,
                   const graph::RematerializeResult &result,
                   llvm::raw_ostream &os) {
    os << "@" << function.getName() << ": peak " << result.point.peak
       << " bytes of " << budget.getValue().bytes << ", "
       << result.point.repeats << " ops recomputed, " << result.point.extraFlops
       << " FLOPs more, at least " << result.flopsBound << " ("
       << llvm::StringRef(graph::nameOf(result.status)) << ")\n";
  }
};
} // namespace
