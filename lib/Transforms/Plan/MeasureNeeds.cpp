//===- MeasureNeeds.cpp - The bytes that a program needs ------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Plan/MeasureNeeds.h"

#include "Plan/SolverOptions.h"
#include "memplan/Analysis/Describe.h"
#include "memplan/Transforms/Passes.h"

using namespace mlir;
using namespace memplan;

FailureOr<Needs> memplan::measureNeeds(ModuleOp bufferized,
                                       const NeedOptions &options) {
  // Prepares a clone, as plan-memory does.
  OwningOpRef<ModuleOp> trial = cast<ModuleOp>(bufferized->clone());
  PrepareOptions prepare;
  prepare.scope = getScope(options.scope, options.entryPoints);
  prepare.entryPoints = options.entryPoints;
  prepare.contents = PlanMemoryOptions().prepare;
  if (prepare.changeAnything(*trial) && failed(prepareModule(*trial, prepare)))
    return failure();
  ModuleAliases aliases(*trial);
  PlanningOptions planning;
  planning.alignment = options.alignment;
  planning.maxWorkers = PlanMemoryOptions().workers;
  planning.inPlace = PlanMemoryOptions().inPlace;
  FailureOr<std::vector<FunctionProblem>> problems = solveModule(
      *trial, aliases, planning, SolveOptions(), prepare.scope, {}, {});
  if (failed(problems))
    return failure();
  Needs needs;
  for (const FunctionProblem &problem : *problems) {
    if (problem.isFrame || problem.parallel)
      continue;
    for (const ArenaProblem &arena : problem.arenas) {
      Need &need = needs[{FunctionOpInterface(problem.function).getName().str(),
                          formatSpace(arena.memorySpace)}];
      need.arena += arena.plan.arenaSize;
      need.unplanned += arena.unplannedBytes;
    }
  }
  return needs;
}
