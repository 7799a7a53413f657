//===- ReorderPass.cpp - The memplan-reorder pass -------------------------===//
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
#include "memplan/Analysis/BuildProblem.h"
#include "memplan/Core/Solver.h"
#include "memplan/Graph/Reorder.h"
#include "memplan/IR/Memplan.h"
#include "memplan/OpGraph/Passes.h"
#include "memplan/Transforms/SolveHook.h"

using namespace mlir;

namespace memplan {
#define GEN_PASS_DEF_MEMPLANREORDER
#include "memplan/OpGraph/Passes.h.inc"
} // namespace memplan

using namespace memplan;

static void printResult(FunctionOpInterface function,
                        const graph::ReorderResult &result,
                        llvm::raw_ostream &os) {
  os << "@" << function.getName() << ": peak " << result.peak << " bytes, was "
     << result.sourcePeak << "; strategy "
     << llvm::StringRef(graph::nameOf(result.strategy));
  // A bound of 0 means that none is known.
  if (result.bound > 0)
    os << ", least possible " << result.bound;
  os << (result.isOptimal ? " (optimal)" : "") << "\n";
  for (const graph::OrderCandidate &candidate : result.candidates) {
    os << "  " << llvm::StringRef(graph::nameOf(candidate.strategy))
       << ": peak " << candidate.peak;
    if (candidate.arena)
      os << ", arena " << *candidate.arena;
    os << "\n";
  }
}

namespace {
struct ReorderPass : GraphPass<ReorderPass, memplan::impl::MemplanReorderBase> {
  using GraphPass::GraphPass;

  LogicalResult run(ModuleOp module) {
    if (failed(checkAtLeast(module.getLoc(), "steps", steps, 0)))
      return failure();
    std::string report;
    llvm::raw_string_ostream os(report);
    bool isFound = functionName.empty();
    for (FunctionOpInterface function : collectGraphFunctions(module)) {
      if (!functionName.empty() && function.getName() != functionName)
        continue;
      isFound = true;
      if (failed(reorderFunction(module, function, os)))
        return failure();
    }
    if (!isFound)
      return mlir::emitError(module.getLoc())
             << "there is no function @" << functionName << " to reorder"
             << listFunctions(module);
    return writeOutput(output, module.getLoc(),
                       [&](llvm::raw_ostream &os) { os << report; });
  }

  /// The bytes of the function's arenas with the default options of
  /// plan-memory; 0 if it has no valid problem.
  static int64_t getArenaBytes(ModuleOp module, FunctionOpInterface function) {
    PlanMemoryOptions defaults;
    PlanningOptions planning;
    planning.inPlace = defaults.inPlace;
    ModuleAliases aliases(module);
    FunctionProblem problem = buildFunctionProblem(function, aliases, planning);
    int64_t bytes = 0;
    if (!problem.isInvalid)
      for (const ArenaProblem &arena : problem.arenas)
        bytes += SolveHook::solve(arena.problem, SolveOptions()).arenaSize;
    return bytes;
  }

  LogicalResult reorderFunction(ModuleOp module, FunctionOpInterface function,
                                llvm::raw_ostream &os) {
    // Created for each function, because the previous one has changed.
    FailureOr<GraphContext> context = GraphContext::create(module);
    if (failed(context))
      return failure();
    FailureOr<FunctionGraph> built = context->builder->build(function);
    if (failed(built))
      return failure();
    graph::ReorderOptions options;
    options.strategy = strategy;
    options.steps = steps;
    options.memory.takeTies = true;
    bool isOnBuffers = llvm::none_of(built->values, [](Value value) {
      return value && isa<TensorType>(value.getType());
    });
    graph::OpGraph judged = built->graph;
    if (isOnBuffers)
      options.memory = restrictToArena(judged);
    graph::Schedule source = graph::programOrder(judged);
    graph::ReorderResult result = graph::reorder(judged, source, options);
    if (result.order != source) {
      int64_t before = isOnBuffers ? getArenaBytes(module, function) : 0;
      IRMapping mapping;
      OwningOpRef<Operation *> backup = function->clone(mapping);
      applySchedule(*built, result.order);
      // The graph takes an op with regions for one op, the plan does not, so
      // the estimate may be wrong.
      if (isOnBuffers && getArenaBytes(module, function) > before) {
        function.getFunctionBody().takeBody(backup.get()->getRegion(0));
        os << "@" << function.getName()
           << ": the order found needs a larger arena, the source is kept\n";
        return success();
      }
    }
    printResult(function, result, os);
    return success();
  }
};
} // namespace
