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
#include "memplan/Analysis/ParallelFrames.h"
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
  PrepareOptions prepare{PlanScope::Module, {}, trust};
  if (failed(prepareModule(*trial, prepare)))
    return false;
  ModuleAliases aliases(*trial, trust);
  return succeeded(solveModule(*trial, aliases, planning, solver,
                               PlanScope::Module, {}, {}));
}

namespace {
/// Solves the problems of the functions of a module, and of the bodies of their
/// parallel loops, in rounds: those whose frames have all been solved at once.
class ArenaSolver {
public:
  using ExplainFn = llvm::function_ref<void(
      const FunctionProblem &, const ArenaProblem &, InFlightDiagnostic &)>;

  ArenaSolver(MutableArrayRef<FunctionProblem> problems,
              const ModuleAliases &aliases, const SolveOptions &options,
              ExplainFn explain)
      : frames(problems, aliases), options(options), explain(explain) {
    for (FunctionProblem &problem : problems) {
      if (problem.workers)
        for (auto &frame : problem.workers->frames)
          parts.push_back({&frame->problem, frame.get()});
      parts.push_back({&problem, nullptr});
    }
  }

  LogicalResult run() {
    llvm::DenseMap<const FunctionProblem *, unsigned> numbers;
    for (auto [number, part] : llvm::enumerate(parts))
      numbers[part.problem] = static_cast<unsigned>(number);
    SmallVector<SmallVector<unsigned, 1>> needs(parts.size());
    for (auto [part, own] : llvm::zip_equal(parts, needs))
      for (const BufferRecord &record : part.problem->buffers)
        if (record.frame)
          own.push_back(numbers.lookup(frames.findProblem(record)));
    runInRounds(needs, [&](ArrayRef<unsigned> round) { solveRound(round); });
    return success(unsolved.empty());
  }

private:
  /// The problem of a function (`frame` is null) or of the body of a loop.
  struct Part {
    FunctionProblem *problem;
    WorkerFrame *frame;
  };

  /// Gives the frames in a problem the sizes of their plans. Fails, without a
  /// message, if a frame has no plan.
  LogicalResult setFrameSizes(FunctionProblem &problem) const {
    for (BufferRecord &record : problem.buffers) {
      if (!record.frame)
        continue;
      if (unsolved.contains(frames.findProblem(record)))
        return failure();
      record.setFrameSize(frames.getSize(record));
    }
    for (ArenaProblem &arena : problem.arenas)
      for (auto [buffer, index] :
           llvm::zip_equal(arena.problem.buffers, arena.records))
        if (problem.buffers[index].frame)
          buffer.size = problem.buffers[index].size;
    return success();
  }

  void solveRound(ArrayRef<unsigned> round) {
    std::vector<std::pair<const Problem *, Plan *>> ready;
    SmallVector<Part> solved;
    for (unsigned number : round) {
      const Part &part = parts[number];
      if (failed(setFrameSizes(*part.problem))) {
        unsolved.insert(part.problem);
        continue;
      }
      solved.push_back(part);
      for (ArenaProblem &arena : part.problem->arenas)
        if (!arena.records.empty())
          ready.emplace_back(&arena.problem, &arena.plan);
    }
    SolveHook::solveAll(parts.front().problem->function->getContext(), ready,
                        options);
    for (const Part &part : solved)
      if (failed(checkPlans(*part.problem)) ||
          (part.frame && failed(setStrides(*part.frame))))
        unsolved.insert(part.problem);
  }

  LogicalResult checkPlans(const FunctionProblem &problem) const {
    FunctionOpInterface function = problem.function;
    LogicalResult result = success();
    for (const ArenaProblem &arena : problem.arenas) {
      auto locate = [&](BufferIndex buffer) {
        return problem.buffers[arena.records[buffer]].origin->getLoc();
      };
      ArenaSite site{function.getLoc(), function.getName(),   arena.memorySpace,
                     arena.capacity,    arena.unplannedBytes, locate};
      auto explainOwn = [&](InFlightDiagnostic &error) {
        explain(problem, arena, error);
      };
      if (!arena.records.empty() &&
          failed(checkPlan(site, arena.problem, arena.plan, explainOwn)))
        result = failure();
    }
    return result;
  }

  FramePlans frames;
  const SolveOptions &options;
  ExplainFn explain;
  SmallVector<Part> parts;
  /// The problems without a plan, and those with frames of them.
  llvm::DenseSet<const FunctionProblem *> unsolved;
};
} // namespace

FailureOr<std::vector<FunctionProblem>>
memplan::solveModule(ModuleOp module, ModuleAliases &aliases,
                     const PlanningOptions &planning,
                     const SolveOptions &solver, PlanScope scope,
                     const ArenaPlaces &places, Requirements require) {
  FailureOr<std::vector<FunctionProblem>> problems =
      extractProblems(module, aliases, planning, scope, places.placement);
  if (failed(problems) ||
      failed(checkUnplannedCapacity(module.getLoc(), *problems, planning)) ||
      failed(checkRequirement(*problems, require)))
    return failure();
  std::vector<std::string> spaces;
  spaces.reserve(places.bySpace.size());
  for (const auto &[space, place] : places.bySpace)
    spaces.push_back(space.empty() ? "0" : space);
  remarkUnusedSpaces(module.getLoc(), *problems, spaces, "arena");
  auto fitsInModuleScope = [&] {
    return scope == PlanScope::Function &&
           ::fitsInModuleScope(module, aliases.getTrust(), planning, solver);
  };
  auto explain = [&](const FunctionProblem &problem, const ArenaProblem &arena,
                     InFlightDiagnostic &error) {
    explainShortage(problem, arena, solver, fitsInModuleScope, error);
  };
  if (failed(ArenaSolver(*problems, aliases, solver, explain).run()) ||
      failed(placeArenas(*problems, aliases, places, require.placed)))
    return failure();
  return problems;
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
