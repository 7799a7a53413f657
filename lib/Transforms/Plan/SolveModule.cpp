//===- SolveModule.cpp - From a module to solved problems -----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Plan/SolveModule.h"

#include "Explain/PlanDiagnostics.h"
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
      : problems(problems), aliases(aliases), options(options),
        explain(explain) {
    for (FunctionProblem &problem : problems)
      problemOf[problem.function] = &problem;
  }

  LogicalResult run() {
    // Frames are of callees, or of loops before the loops around them.
    std::vector<SmallVector<Part>> rounds;
    auto addPart = [&](const Part &part) {
      unsigned round = 0;
      for (const BufferRecord &record : part.problem->buffers)
        if (record.frame)
          round = std::max(round, roundOf.lookup(findInner(record)) + 1);
      roundOf[part.problem] = round;
      rounds.resize(std::max<size_t>(rounds.size(), round + 1));
      rounds[round].push_back(part);
    };
    for (ArrayRef<FunctionOpInterface> scc : aliases.getCalleeFirstOrder())
      for (FunctionOpInterface function : scc) {
        FunctionProblem *problem = problemOf.lookup(function);
        if (problem->workers)
          for (auto &frame : problem->workers->frames)
            addPart({&frame->problem, frame.get()});
        addPart({problem, nullptr});
      }
    for (ArrayRef<Part> round : rounds)
      solveRound(round);
    return success(unsolved.empty());
  }

private:
  /// The problem of a function (`frame` is null) or of the body of a loop.
  struct Part {
    FunctionProblem *problem;
    WorkerFrame *frame;
  };

  /// The problem that a frame has the arena of.
  const FunctionProblem *findInner(const BufferRecord &record) const {
    if (record.workers)
      return &record.workers->problem;
    return problemOf.lookup(
        aliases.getCallee(cast<func::CallOp>(record.origin)));
  }

  static int64_t getFrameSize(const BufferRecord &record,
                              const FunctionProblem &inner) {
    if (record.workers) {
      for (const WorkerFrame::Arena &arena : record.workers->arenas)
        if (arena.position == *record.frame)
          return arena.stride * record.workers->count;
      return 0;
    }
    for (const ArenaProblem &arena : inner.arenas)
      if (arena.memorySpace == record.type.getMemorySpace())
        return arena.plan.arenaSize;
    return 0;
  }

  /// Gives the frames in a problem the sizes of their plans. Fails, without a
  /// message, if a frame has no plan.
  LogicalResult setFrameSizes(FunctionProblem &problem) const {
    for (BufferRecord &record : problem.buffers) {
      if (!record.frame)
        continue;
      const FunctionProblem *inner = findInner(record);
      if (unsolved.contains(inner))
        return failure();
      record.setFrameSize(getFrameSize(record, *inner));
    }
    for (ArenaProblem &arena : problem.arenas)
      for (auto [buffer, index] :
           llvm::zip_equal(arena.problem.buffers, arena.records))
        if (problem.buffers[index].frame)
          buffer.size = problem.buffers[index].size;
    return success();
  }

  void solveRound(ArrayRef<Part> round) {
    std::vector<std::pair<const Problem *, Plan *>> ready;
    for (const Part &part : round) {
      if (failed(setFrameSizes(*part.problem))) {
        unsolved.insert(part.problem);
        continue;
      }
      for (ArenaProblem &arena : part.problem->arenas)
        if (!arena.records.empty())
          ready.emplace_back(&arena.problem, &arena.plan);
    }
    SolveHook::solveAll(aliases.getFunctions().front()->getContext(), ready,
                        options);
    for (const Part &part : round) {
      if (unsolved.contains(part.problem))
        continue;
      for (const ArenaProblem &arena : part.problem->arenas)
        if (failed(checkArena(*part.problem, arena)))
          unsolved.insert(part.problem);
      if (!unsolved.contains(part.problem) && part.frame &&
          failed(setStrides(*part.frame)))
        unsolved.insert(part.problem);
    }
  }

  LogicalResult checkArena(const FunctionProblem &problem,
                           const ArenaProblem &arena) const {
    if (arena.records.empty())
      return success();
    FunctionOpInterface function = problem.function;
    auto locate = [&](BufferIndex buffer) {
      return problem.buffers[arena.records[buffer]].origin->getLoc();
    };
    return checkPlan({function.getLoc(), function.getName(), arena.memorySpace,
                      arena.capacity, arena.unplannedBytes, locate},
                     arena.problem, arena.plan, [&](InFlightDiagnostic &error) {
                       explain(problem, arena, error);
                     });
  }

  MutableArrayRef<FunctionProblem> problems;
  const ModuleAliases &aliases;
  const SolveOptions &options;
  ExplainFn explain;
  llvm::DenseMap<Operation *, FunctionProblem *> problemOf;
  llvm::DenseMap<const FunctionProblem *, unsigned> roundOf;
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
