//===- PlanData.cpp - The plans of a module as data -----------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckOptions.h"
#include "memplan/Analysis/ParallelFrames.h"
#include "memplan/IR/Memplan.h"
#include "memplan/Transforms/DescribePlan.h"
#include "memplan/Transforms/Embedding.h"

#include "Explain/PlanDiagnostics.h"
#include "Plan/SolveModule.h"
#include "Plan/SolverOptions.h"

using namespace mlir;
using namespace memplan;

/// The arenas of a function in the order of its reports (describePlans).
static std::vector<ArenaData> listArenas(const FunctionProblem &problem) {
  std::vector<ArenaData> arenas;
  arenas.reserve(problem.arenas.size());
  for (const ArenaProblem &arena : problem.arenas)
    arenas.push_back({arena.problem, arena.plan});
  if (problem.workers)
    for (const std::unique_ptr<WorkerFrame> &frame :
         llvm::reverse(problem.workers->frames))
      for (const WorkerFrame::Arena &arena : frame->arenas) {
        const ArenaProblem &own = frame->problem.arenas[arena.position];
        arenas.push_back({own.problem, own.plan});
      }
  return arenas;
}

FailureOr<PlanData> memplan::computePlans(ModuleOp module,
                                          const PlanMemoryOptions &options) {
  Location loc = module.getLoc();
  if (failed(checkOptions(loc, options.alignment, options.capacity)) ||
      failed(checkResultOptions(loc, options.results, options.arena.placement)))
    return failure();
  // Loads the dialects that the pass manager would load for the pass.
  MLIRContext *context = module.getContext();
  DialectRegistry registry;
  registerMemplanDialects(registry);
  createPlanMemory(options)->getDependentDialects(registry);
  context->appendDialectRegistry(registry);
  for (StringRef name : registry.getDialectNames())
    context->getOrLoadDialect(name);

  PlanData data;
  data.report = describeModule(module);
  // A clone is prepared, and then discarded.
  OwningOpRef<ModuleOp> clone = cast<ModuleOp>(module->clone());
  noteValueNames(*clone);
  PlanScope scope = getScope(options.scope, options.entryPoints);
  PrepareOptions prepare{scope, options.entryPoints, options.calleeTrust,
                         options.results};
  prepare.sizes = options.sizes;
  if (prepare.changeAnything(*clone) && failed(prepareModule(*clone, prepare)))
    return failure();
  ModuleAliases aliases(*clone, options.calleeTrust);
  PlanningOptions planning = makePlanningOptions(
      options.alignment, options.capacity, options.workers, options.inPlace,
      options.arena, options.dynamic, options.results);
  planning.describes = true;
  SolveOptions solver = makeSolveOptions(options.strategy);
  FailureOr<std::vector<FunctionProblem>> problems = solveModule(
      *clone, aliases, planning, solver, scope, options.arena, options.require);
  if (failed(problems))
    return failure();
  for (FunctionProblem &problem : *problems) {
    if (!problem.steps.empty())
      addSequentialPlans(problem, aliases, planning, solver);
    std::vector<ArenaReport> reports = describePlans(
        problem, options.strategy, aliases.getOrder(problem.function),
        /*compare=*/options.report == ReportFormat::Html);
    std::vector<ArenaData> arenas = listArenas(problem);
    // Arenas that were planned before have a report but no problem.
    arenas.resize(reports.size());
    llvm::move(arenas, std::back_inserter(data.arenas));
    llvm::move(reports, std::back_inserter(data.report.arenas));
  }
  return data;
}
