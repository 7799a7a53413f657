//===- SolveModule.cpp - From a module to solved problems -----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Plan/SolveModule.h"

#include "Explain/PlanDiagnostics.h"
#include "Plan/SolveProblems.h"
#include "memplan/Transforms/SolveHook.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace memplan;

static LogicalResult checkRequirement(ArrayRef<FunctionProblem> problems,
                                      Requirements require) {
  LogicalResult result = success();
  if (require.planned)
    for (const FunctionProblem &problem : problems)
      if (failed(checkAllPlanned(problem)))
        result = failure();
  return result;
}

/// True if every arena of the module fits with scope=module. Plans a copy of
/// the module to find out.
static bool fitsInModuleScope(ModuleOp module, CalleeTrust trust,
                              const PlanningOptions &planning,
                              const SolveOptions &solver) {
  ScopedDiagnosticHandler silence(module.getContext(),
                                  [](Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> trial = cast<ModuleOp>(module->clone());
  trial->walk([](ProblemOp op) { op->erase(); });
  PrepareOptions prepare{PlanScope::Module, {}, trust};
  if (failed(prepareModule(*trial, prepare)))
    return false;
  ModuleAliases aliases(*trial, trust);
  return succeeded(solveModule(*trial, aliases, planning, solver,
                               PlanScope::Module, {}, {}));
}

FailureOr<SolvedModule>
memplan::solveModule(ModuleOp module, ModuleAliases &aliases,
                     const PlanningOptions &planning,
                     const SolveOptions &solver, PlanScope scope,
                     const ArenaPlaces &places, Requirements require) {
  SolvedModule solved;
  FailureOr<std::vector<FunctionProblem>> extracted =
      extractProblems(module, aliases, planning, scope, places.placement);
  if (failed(extracted))
    return failure();
  solved.problems = std::move(*extracted);
  if (failed(
          checkUnplannedCapacity(module.getLoc(), solved.problems, planning)) ||
      failed(checkRequirement(solved.problems, require)))
    return failure();
  std::vector<std::string> spaces;
  spaces.reserve(places.bySpace.size());
  for (const auto &[space, place] : places.bySpace)
    spaces.push_back(space.empty() ? "0" : space);
  remarkUnusedSpaces(module.getLoc(), solved.problems, spaces, "arena");
  for (FunctionProblem &problem : solved.problems)
    solved.stated.push_back(writeProblems(problem));
  SolvedPlans plans;
  auto fitsInModuleScope = [&] {
    return scope == PlanScope::Function &&
           ::fitsInModuleScope(module, aliases.getTrust(), planning, solver);
  };
  auto explain = [&](ProblemOp op, const Problem &failing,
                     InFlightDiagnostic &error) {
    for (const FunctionProblem &problem : solved.problems)
      for (const ArenaProblem &arena : problem.arenas)
        if (!op.getLoop() &&
            op.getFunction() ==
                FunctionOpInterface(problem.function).getName() &&
            op->getBlock() == problem.function->getBlock() &&
            arena.memorySpace == op.getMemorySpaceAttr())
          explainShortage(problem, arena, failing, solver, fitsInModuleScope,
                          error);
  };
  if (failed(solveProblems(module, solver, &plans, explain)))
    return failure();
  for (auto [problem, ops] : llvm::zip_equal(solved.problems, solved.stated))
    if (failed(adoptPlans(problem, ops, &plans)))
      return failure();
  if (failed(checkFrames(solved.problems, aliases)) ||
      failed(placeArenas(solved.problems, aliases, places, require.placed)))
    return failure();
  return solved;
}

/// The memory that the calls of the function pass to each callee.
static FrameNeeds getFrameNeeds(const FunctionProblem &problem,
                                const ModuleAliases &aliases) {
  FrameNeeds needs;
  llvm::DenseMap<Operation *, Operation *> callOf;
  for (const BufferRecord &record : problem.buffers) {
    if (!record.frame || record.workers)
      continue;
    auto call = cast<func::CallOp>(record.origin);
    Operation *callee = aliases.getCallee(call);
    if (callOf.try_emplace(callee, call).first->second == call)
      needs[callee].push_back(
          {record.type.getMemorySpace(), record.size, record.alignment});
  }
  return needs;
}

void memplan::addSequentialPlans(FunctionProblem &problem,
                                 const ModuleAliases &aliases,
                                 PlanningOptions planning,
                                 const SolveOptions &solver) {
  planning.ignoreSteps = true;
  planning.capacities = {};
  planning.lendResults =
      llvm::any_of(problem.arenas, [](const ArenaProblem &arena) {
        return !arena.lenders.empty();
      });
  FunctionProblem sequential =
      buildFunctionProblem(problem.function, aliases, planning,
                           getFrameNeeds(problem, aliases), problem.workers);
  for (auto [arena, other] :
       llvm::zip_equal(problem.arenas, sequential.arenas)) {
    // Buffers of the same name have the same size, which frames get only when
    // their own problem is solved.
    llvm::StringMap<int64_t> sizes;
    for (const Buffer &buffer : arena.problem.buffers)
      sizes[buffer.id] = buffer.size;
    for (Buffer &buffer : other.problem.buffers)
      if (auto it = sizes.find(buffer.id); it != sizes.end())
        buffer.size = it->second;
    arena.sequential = SolveHook::solve(other.problem, solver);
  }
}
