//===- ModuleProblems.cpp - The problems of a module ----------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Plan/ModuleProblems.h"
#include "memplan/Analysis/Steps.h"

#include "Interprocedural/PlaceResults.h"
#include "Interprocedural/SinkDeallocations.h"
#include "Plan/ObserveMarks.h"
#include "Prepare/CheckDimBounds.h"
#include "Prepare/PrepareContents.h"
#include "Prepare/StaticAllocations.h"
#include "memplan/Analysis/CostModel.h"
#include "memplan/Analysis/ParallelFrames.h"
#include "memplan/IR/Memplan.h"
#include "memplan/IR/Observation.h"
#include "memplan/IR/SizeFunction.h"
#include "memplan/Transforms/CallTrees.h"
#include "memplan/Transforms/Materialize.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace memplan;

/// Makes all functions with a body private that are not entry points. Does
/// nothing without entry points. Emits an error and fails if one is not a
/// function with a body in the module.
static LogicalResult keepEntryPoints(ModuleOp module,
                                     ArrayRef<std::string> entryPoints) {
  if (entryPoints.empty())
    return success();
  llvm::StringSet<> names;
  for (const std::string &name : entryPoints) {
    names.insert(name);
    auto function = module.lookupSymbol<func::FuncOp>(name);
    if (!function || function.isExternal())
      return emitError(module.getLoc())
             << "entry point @" << name
             << " is not a function with a body in this module";
  }
  for (func::FuncOp function : module.getOps<func::FuncOp>())
    if (!function.isExternal() && !names.contains(function.getName()))
      function.setPrivate();
  return success();
}

bool PrepareOptions::changeAnything(ModuleOp module) const {
  return joinFunctions() || !sizes.empty() || hasConstantSizes(module) ||
         hasUncheckedDimBounds(module) || getObserveGuard(module) ||
         getContents().mayChange(module);
}

LogicalResult memplan::prepareModule(ModuleOp module,
                                     const PrepareOptions &options) {
  if (failed(declareSizes(module, options.sizes)))
    return failure();
  makeAllocationsStatic(module);
  checkDimBounds(module);
  if (failed(prepareContents(module, options.getContents())))
    return failure();
  if (options.scope == PlanScope::Module) {
    if (failed(keepEntryPoints(module, options.entryPoints)))
      return failure();
    sinkDeallocations(module, options.trust);
    promoteToOutParams(module, options.trust);
  }
  placeResults(module, options.trust, options.results);
  markPoints(module);
  return success();
}

/// True if an iteration of a parallel loop has a step, or if a parallel loop
/// is, or is in, an op of a step. Then parallel loops of the function have no
/// frames.
static bool mixesStepsAndWorkers(const ProgramOrder &order) {
  return llvm::any_of(order.getOps(), [&](Operation *op) {
    if (!isInStep(op))
      return false;
    auto isParallel = [](Operation *inner) {
      return isa<scf::ParallelOp, scf::ForallOp, affine::AffineParallelOp>(
                 inner)
                 ? WalkResult::interrupt()
                 : WalkResult::advance();
    };
    return order.isInsideOpaque(op) || op->walk(isParallel).wasInterrupted();
  });
}

static FunctionProblem deriveProblem(FunctionOpInterface function,
                                     const ModuleAliases &aliases,
                                     const PlanningOptions &options,
                                     const FrameNeeds &frames) {
  std::shared_ptr<WorkerFrames> workers;
  if ((options.maxWorkers > 0 || options.iterationArenas) &&
      !hasArena(function) && !mixesStepsAndWorkers(aliases.getOrder(function)))
    workers = findWorkerFrames(function, aliases, options, frames);
  return buildFunctionProblem(function, aliases, options, frames,
                              std::move(workers));
}

/// Calls `visit` for the problem of the function, and for those of the bodies
/// of its parallel loops.
static void
forEachPart(const FunctionProblem &problem,
            llvm::function_ref<void(const FunctionProblem &)> visit) {
  visit(problem);
  if (problem.workers)
    for (const std::unique_ptr<WorkerFrame> &frame : problem.workers->frames)
      visit(frame->problem);
}

/// The operands of deallocations that the plan of the function removes.
static ModuleAliases::FreeSet findRemovedFrees(const FunctionProblem &problem) {
  ModuleAliases::FreeSet removed;
  forEachPart(problem, [&](const FunctionProblem &part) {
    for (const PlannedFree &free : part.frees)
      for (unsigned memref : free.memrefs)
        removed.insert(&free.op->getOpOperand(memref));
  });
  return removed;
}

/// True if an arena of the function has no constant size.
static bool hasSizesAtRunTime(const FunctionProblem &problem) {
  return llvm::any_of(problem.arenas, [](const ArenaProblem &arena) {
    return hasFormulas(arena.problem);
  });
}

/// Derives the problems of all functions, callees first: the arenas of
/// `frameFunctions` are buffers of their callers. Functions that are not in
/// `planned`, if it is given, stay as they are; their problems are empty.
static FailureOr<std::vector<FunctionProblem>>
deriveProblems(ModuleAliases &aliases, const PlanningOptions &options,
               const llvm::DenseSet<Operation *> &frameFunctions,
               const llvm::DenseSet<Operation *> *planned = nullptr) {
  llvm::DenseMap<Operation *, size_t> position;
  for (FunctionOpInterface function : aliases.getFunctions())
    position[function] = position.size();
  llvm::DenseSet<Operation *> callees;
  for (FunctionOpInterface function : aliases.getFunctions())
    function.getFunctionBody().walk(
        [&](func::CallOp call) { callees.insert(aliases.getCallee(call)); });
  std::vector<FunctionProblem> problems(position.size());
  FrameNeeds frames;
  bool isInvalid = false;
  for (ArrayRef<FunctionOpInterface> scc : aliases.getCalleeFirstOrder()) {
    // The deallocations that a function keeps depend on its plan. In an SCC its
    // plan depends on the deallocations of the other functions.
    constexpr int kMaxRounds = 4;
    bool failed = false;
    for (int round = 0; round < kMaxRounds && !failed; ++round) {
      std::vector<ModuleAliases::FreeSet> removed;
      for (FunctionOpInterface function : scc) {
        ModuleAliases::FreeSet &frees = removed.emplace_back();
        if (planned && !planned->contains(function))
          continue;
        FunctionProblem &problem = problems[position[function]];
        PlanningOptions own = options;
        // The caller provides one arena, without cuts.
        own.lendResults &= !frameFunctions.contains(function);
        problem = deriveProblem(function, aliases, own, frames);
        frees = findRemovedFrees(problem);
        failed |= problem.isInvalid;
      }
      if (failed || !aliases.assumeRemoved(scc, removed) ||
          !aliases.isRecursive(scc.front()))
        break;
    }
    isInvalid |= failed;
    for (FunctionOpInterface function : scc) {
      FunctionProblem &problem = problems[position[function]];
      if (!frameFunctions.contains(function) || !hasPlannedBuffers(problem))
        continue;
      // Callers in the module may not know the sizes at their entries.
      if (hasSizesAtRunTime(problem) && callees.contains(function))
        continue;
      problem.isFrame = true;
      for (const ArenaProblem &arena : problem.arenas)
        if (!arena.records.empty())
          frames[function].push_back(
              {arena.memorySpace, getMostBytes(arena.problem),
               arena.problem.arenaAlignment, arena.isReleased});
    }
  }
  if (isInvalid)
    return failure();
  return problems;
}

/// The options with the banks that the target description of the module has.
static FailureOr<PlanningOptions> addBanks(ModuleOp module,
                                           PlanningOptions options) {
  FailureOr<TargetDescription> target = readTargetAttributes(module);
  if (failed(target))
    return failure();
  for (const auto &space : target->spaces)
    if (space.second.bankSize > 0)
      options.bankSizes.bySpace[space.first().str()] = space.second.bankSize;
  return options;
}

FailureOr<std::vector<FunctionProblem>>
memplan::extractProblems(ModuleOp module, ModuleAliases &aliases,
                         const PlanningOptions &givenOptions, PlanScope scope,
                         ArenaPlacement placement) {
  FailureOr<PlanningOptions> options = addBanks(module, givenOptions);
  if (failed(options))
    return failure();
  llvm::DenseSet<Operation *> frameFunctions;
  bool areArguments = placement == ArenaPlacement::Argument;
  if (scope == PlanScope::Module || areArguments)
    frameFunctions = findFrameFunctions(module, aliases, options->maxWorkers,
                                        areArguments ? Signatures::All
                                                     : Signatures::Private);
  // A call in a parallel loop without frames has no memory for the arena of its
  // callee, so that callee allocates its arena itself. If calls without memory
  // remain then, no called function gets its arena from its callers.
  for (int round = 0;; ++round) {
    FailureOr<std::vector<FunctionProblem>> problems =
        deriveProblems(aliases, *options, frameFunctions);
    if (failed(problems))
      return failure();
    llvm::SetVector<Operation *> unserved =
        findUnservedCallees(*problems, aliases);
    if (unserved.empty())
      return problems;
    for (Operation *callee : unserved)
      frameFunctions.erase(callee);
    // Functions that no function calls still get their arenas as arguments.
    if (round > 0) {
      llvm::DenseSet<Operation *> callees;
      for (FunctionOpInterface function : aliases.getFunctions())
        function.getFunctionBody().walk([&](func::CallOp call) {
          callees.insert(aliases.getCallee(call));
        });
      for (Operation *callee : callees)
        frameFunctions.erase(callee);
    }
  }
}

FailureOr<std::vector<FunctionProblem>>
memplan::deriveStatedProblems(ModuleOp module, ModuleAliases &aliases,
                              const PlanningOptions &givenOptions) {
  FailureOr<PlanningOptions> options = addBanks(module, givenOptions);
  if (failed(options))
    return failure();
  llvm::DenseSet<Operation *> frameFunctions, stated;
  for (FunctionOpInterface function : aliases.getFunctions())
    for (ProblemOp op : findProblems(function)) {
      stated.insert(function);
      if (op.getFrame())
        frameFunctions.insert(function);
    }
  FailureOr<std::vector<FunctionProblem>> problems =
      deriveProblems(aliases, *options, frameFunctions, &stated);
  if (failed(problems))
    return failure();
  llvm::erase_if(*problems, [](const FunctionProblem &problem) {
    return !problem.function;
  });
  return problems;
}

FramePlans::FramePlans(ArrayRef<FunctionProblem> problems,
                       const ModuleAliases &aliases)
    : aliases(aliases) {
  for (const FunctionProblem &problem : problems)
    problemOf[problem.function] = &problem;
}

const FunctionProblem *
FramePlans::findProblem(const BufferRecord &frame) const {
  if (frame.workers)
    return &frame.workers->problem;
  return problemOf.lookup(aliases.getCallee(cast<func::CallOp>(frame.origin)));
}

int64_t FramePlans::getSize(const BufferRecord &frame) const {
  if (frame.workers)
    for (const WorkerFrame::Arena &arena : frame.workers->arenas)
      if (arena.position == *frame.frame)
        return arena.stride * frame.workers->count;
  if (const FunctionProblem *problem = findProblem(frame))
    for (const ArenaProblem &arena : problem->arenas)
      if (arena.memorySpace == frame.type.getMemorySpace())
        return arena.plan.arenaSize;
  return 0;
}

LogicalResult memplan::checkFrames(ArrayRef<FunctionProblem> problems,
                                   const ModuleAliases &aliases) {
  llvm::SetVector<Operation *> unserved =
      findUnservedCallees(problems, aliases);
  if (!unserved.empty())
    return unserved.front()->emitError(
        "has an arena that not every call hands in");
  FramePlans plans(problems, aliases);
  LogicalResult result = success();
  for (const FunctionProblem &problem : problems)
    forEachPart(problem, [&](const FunctionProblem &part) {
      for (const BufferRecord &record : part.buffers)
        if (record.frame && record.size != plans.getSize(record))
          result = record.origin->emitError()
                   << "needs " << plans.getSize(record) << " bytes for its "
                   << (record.workers ? "workers" : "callee")
                   << " but the plan has " << record.size;
    });
  return result;
}

/// Sets the attribute memplan.outputs of the function. Emits an error and fails
/// if an output is not planned, or is in an arena that does not outlive the
/// call.
static LogicalResult settleOutputs(FunctionOpInterface function) {
  Builder builder(function.getContext());
  SmallVector<Attribute> outputs;
  llvm::DenseSet<int64_t> seen;
  WalkResult walk = function.getFunctionBody().walk([&](OutputOp op) {
    auto number = static_cast<int64_t>(op.getNumber());
    auto view = op.getBuffer().getDefiningOp<ViewOp>();
    auto own = view ? view.getArena().getDefiningOp<ArenaOp>() : ArenaOp();
    if (!view || view.getSlot() ||
        (own && own.getMemory() != ArenaMemory::Global)) {
      InFlightDiagnostic error = op.emitError()
                                 << "result " << number << " of @"
                                 << function.getName();
      if (view)
        error << " is in an arena that does not outlive the call";
      else
        error << " is not planned, so that it cannot be in the arena";
      return WalkResult::interrupt();
    }
    // Each return of the function has an op for the same output.
    if (!seen.insert(number).second)
      return WalkResult::advance();
    SmallVector<NamedAttribute> facts = {
        builder.getNamedAttr(
            "offset",
            builder.getI64IntegerAttr(static_cast<int64_t>(view.getOffset()))),
        builder.getNamedAttr("result", builder.getI64IntegerAttr(number)),
        builder.getNamedAttr("type", TypeAttr::get(view.getType()))};
    outputs.push_back(builder.getDictionaryAttr(facts));
    return WalkResult::advance();
  });
  if (!outputs.empty())
    function->setAttr(MemplanDialect::kOutputsAttr,
                      builder.getArrayAttr(outputs));
  return failure(walk.wasInterrupted());
}

/// Checks that the names of the functions that size the arenas are free.
static LogicalResult checkSizeFunctions(const FunctionProblem &problem) {
  FunctionOpInterface function = problem.function;
  for (const ArenaProblem &arena : problem.arenas) {
    if (!problem.isFrame || !arena.plan.order)
      continue;
    std::string name = getSizeFunctionName(function, arena.memorySpace);
    Operation *taken = SymbolTable::lookupNearestSymbolFrom(
        function->getParentOp(), StringAttr::get(function->getContext(), name));
    if (!taken || isSizeDeclaration(taken, function))
      continue;
    InFlightDiagnostic error =
        taken->emitError() << "has the name of the function that returns the "
                              "bytes of an arena of @"
                           << function.getName()
                           << ", and is no declaration of it";
    error.attachNote(function.getLoc())
        << "the function whose arena is an argument; rename one of the two";
    return error;
  }
  return success();
}

LogicalResult memplan::materializeAll(MutableArrayRef<FunctionProblem> problems,
                                      const ModuleAliases &aliases) {
  for (const FunctionProblem &problem : problems)
    if (failed(checkSizeFunctions(problem)))
      return failure();
  LogicalResult result = success();
  for (FunctionProblem &problem : problems) {
    if (hasPlannedBuffers(problem) || hasIterationArenas(problem))
      materialize(problem, aliases.getOrder(problem.function));
    if (failed(settleOutputs(problem.function)))
      result = failure();
  }
  return result;
}
