//===- PlanMemory.cpp - The plan-memory pass ------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dealloc/RaisedFunctions.h"
#include "Interprocedural/MoveFrees.h"
#include "Plan/BodyBackup.h"
#include "Plan/PlanAcceptance.h"
#include "Plan/PlanDiagnostics.h"
#include "Plan/SolverOptions.h"
#include "memplan/Analysis/ParallelFrames.h"
#include "memplan/Analysis/PlanVerifier.h"
#include "memplan/IR/Memplan.h"
#include "memplan/Transforms/CallTrees.h"
#include "memplan/Transforms/DistributeWorkers.h"
#include "memplan/Transforms/Materialize.h"
#include "memplan/Transforms/Passes.h"
#include "memplan/Transforms/RaiseDeallocations.h"
#include "memplan/Transforms/Report.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

namespace memplan {
#define GEN_PASS_DEF_PLANMEMORY
#include "memplan/Transforms/Passes.h.inc"
} // namespace memplan

using namespace memplan;

namespace {
struct PlanMemoryPass : memplan::impl::PlanMemoryBase<PlanMemoryPass> {
  using PlanMemoryBase::PlanMemoryBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    PlanMemoryBase::getDependentDialects(registry);
    registerAliasInterfaces(registry);
    // Deallocations are raised to it, and lowered from it again.
    registry.insert<bufferization::BufferizationDialect, func::FuncDialect,
                    scf::SCFDialect>();
  }

  void runOnOperation() override {
    Location loc = getOperation().getLoc();
    if (failed(checkOptions(loc, alignment, capacity, maxParallelOps)) ||
        failed(checkWorkers(loc, "max-workers", maxWorkers, 0)) ||
        failed(checkWorkers(loc, "parallel-workers", parallelWorkers, 0)))
      return signalPassFailure();
    if (!entryPoints.empty() && scope != PlanScope::Module) {
      emitError(loc) << "entry-points means nothing without scope=module";
      return signalPassFailure();
    }
    std::vector<ArenaReport> reports;
    if (failed(plan(reports)) || failed(printReports(reports)))
      return signalPassFailure();
    warnOfRefusedBefore();
  }

private:
  /// Parallel loops are changed in a copy, which counts only if all of it is
  /// planned: what is not planned stays as it was.
  LogicalResult plan(std::vector<ArenaReport> &reports) {
    gaveUp = false;
    refusedBefore.clear();
    if (parallelWorkers > 0) {
      OwningOpRef<ModuleOp> copy = cast<ModuleOp>(getOperation()->clone());
      RaisedFunctions raised(*copy);
      if (distributeWorkers(*copy, parallelWorkers, maxWorkers, calleeTrust)) {
        isTrial = true;
        LogicalResult planned = planModule(*copy, raised, reports);
        isTrial = false;
        if (failed(planned))
          return failure();
        gaveUp |= !raised.empty() &&
                  findRefused(*copy, getOperation(), refusedBefore);
        if (!gaveUp) {
          getOperation().getBodyRegion().takeBody(copy->getBodyRegion());
          return success();
        }
        reports.clear();
      }
    }
    OwningOpRef<ModuleOp> original;
    IRMapping originals;
    RaisedFunctions raised(getOperation(), [&] {
      if (!original)
        original = cast<ModuleOp>(getOperation()->clone(originals));
    });
    if (failed(planModule(getOperation(), raised, reports)))
      return failure();
    return original ? undoRefused(*original, originals, reports) : success();
  }

  /// Callees in which nothing is planned have their deallocations back, which
  /// the verifier may not see through. Plans that no longer hold are undone;
  /// `originals` leads to what the functions were.
  LogicalResult undoRefused(ModuleOp original, const IRMapping &originals,
                            std::vector<ArenaReport> &reports) {
    ModuleOp module = getOperation();
    while (std::optional<Refusal> refused =
               findRefused(module, original, refusedBefore)) {
      if (scope == PlanScope::Module) {
        warnOfCallTrees(*refused);
        module.getBodyRegion().takeBody(original.getBodyRegion());
        reports.clear();
        return planFunctions(module, /*raised=*/nullptr, reports);
      }
      if (!refused->function)
        return success();
      auto function = cast<func::FuncOp>(refused->function.getOperation());
      auto before = cast_or_null<func::FuncOp>(
          originals.lookupOrNull(function.getOperation()));
      if (!before || hasArena(before))
        return success();
      IRMapping mapping;
      Region body;
      before.getBody().cloneInto(&body, mapping);
      takeBody(function, body);
      if (lower)
        lowerToMemRef(function);
      for (ArenaReport &report : reports)
        if (report.function == function.getName())
          report.status = "rejected";
      warnOfUnplanned(function, refused->complaints);
    }
    return success();
  }

  LogicalResult planModule(ModuleOp module, RaisedFunctions &raised,
                           std::vector<ArenaReport> &reports) {
    LogicalResult planned = scope == PlanScope::Module
                                ? planCallTrees(module, raised, reports)
                                : planFunctions(module, &raised, reports);
    if (failed(planned)) {
      raised.restoreAll();
      return failure();
    }
    return lowerRaised(module);
  }

  /// `raised` may be null.
  LogicalResult planFunctions(ModuleOp module, RaisedFunctions *raised,
                              std::vector<ArenaReport> &reports) {
    ModuleAliases aliases(module, calleeTrust);
    std::vector<FunctionProblem> problems;
    if (failed(findPlans(aliases, /*frameFunctions=*/{}, problems)))
      return failure();
    if (isTrial && gaveUp)
      return success();
    // Everything is told while the allocations are still there.
    std::vector<std::vector<ArenaReport>> own;
    for (FunctionProblem &problem : problems) {
      own.push_back(describe(problem, aliases));
      emitRemarks(problem);
    }
    rewriteOrUndo(problems, aliases, own);
    for (std::vector<ArenaReport> &list : own)
      reports.insert(reports.end(), list.begin(), list.end());
    if (raised)
      raised->restoreUnplanned(module);
    return success();
  }

  /// Makes all functions with a body private that are not called from outside.
  LogicalResult keepEntryPoints(ModuleOp module) {
    if (entryPoints.empty())
      return success();
    llvm::StringSet<> names;
    for (const std::string &name : entryPoints) {
      names.insert(name);
      auto function = module.lookupSymbol<func::FuncOp>(name);
      if (!function || function.isExternal())
        return emitError(getOperation().getLoc())
               << "entry point @" << name
               << " is not a function with a body in this module";
    }
    for (func::FuncOp function : module.getOps<func::FuncOp>())
      if (!function.isExternal() && !names.contains(function.getName()))
        function.setPrivate();
    return success();
  }

  /// Works on a copy of the module, as signatures and calls change together.
  /// What frees the arguments `kept` stays where it is.
  LogicalResult planCallTrees(ModuleOp module, RaisedFunctions &raised,
                              std::vector<ArenaReport> &reports,
                              llvm::DenseSet<ArgumentNumber> kept = {}) {
    IRMapping mapping;
    OwningOpRef<ModuleOp> copy = cast<ModuleOp>(module->clone(mapping));
    if (failed(keepEntryPoints(*copy)))
      return failure();
    MovedFrees moved(*copy, calleeTrust, kept);
    llvm::DenseSet<Operation *> changed =
        promoteFreshResults(*copy, calleeTrust);
    changed.insert_range(moved.getChanged());
    ModuleAliases aliases(*copy, calleeTrust);
    std::vector<FunctionProblem> problems;
    if (failed(findPlansOfTrees(*copy, aliases, problems)))
      return failure();
    if (isTrial && gaveUp)
      return success();
    llvm::DenseSet<Operation *> removed;
    for (FunctionProblem &problem : problems)
      for (OpOperand *free : findRemovedFrees(problem))
        removed.insert(free->getOwner());
    if (auto useless = moved.findUseless(*copy, removed); !useless.empty()) {
      kept.insert_range(useless);
      return planCallTrees(module, raised, reports, std::move(kept));
    }
    for (FunctionProblem &problem : problems) {
      std::vector<ArenaReport> own = describe(problem, aliases);
      reports.insert(reports.end(), own.begin(), own.end());
      emitRemarks(problem);
      if (aliases.isRecursive(problem.function))
        emitRecursionRemark(problem);
    }
    for (FunctionProblem &problem : problems)
      if (hasPlan(problem))
        materialize(problem, aliases.getOrder(problem.function));
    SmallVector<FunctionOpInterface> functions;
    for (FunctionProblem &problem : problems)
      functions.push_back(problem.function);
    std::optional<Refusal> refused =
        findRefused(functions, *copy, module, refusedBefore);
    if (!refused && lower) {
      for (FunctionProblem &problem : problems)
        lowerToMemRef(problem.function);
      refused = findRefused(functions, *copy, module, refusedBefore);
    }
    if (refused) {
      gaveUp = true;
      warnOfCallTrees(*refused);
      reports.clear();
      return planFunctions(module, &raised, reports);
    }
    raised.restoreUnplanned(*copy, [&](func::FuncOp function) -> func::FuncOp {
      Operation *copied = mapping.lookup(function.getOperation());
      return changed.contains(copied) ? nullptr : cast<func::FuncOp>(copied);
    });
    module.getBodyRegion().takeBody(copy->getBodyRegion());
    return success();
  }

  LogicalResult findPlansOfTrees(ModuleOp module, ModuleAliases &aliases,
                                 std::vector<FunctionProblem> &problems) {
    // Where workers have no frames, neither has what they call.
    for (int64_t workers : {getMostWorkers(), int64_t(0)}) {
      if (failed(findPlans(
              aliases, findFrameFunctions(module, aliases, workers), problems)))
        return failure();
      if (hasFramesForAllCalls(problems, aliases))
        return success();
    }
    return findPlans(aliases, /*frameFunctions=*/{}, problems);
  }

  int64_t getMostWorkers() { return std::max(maxWorkers, parallelWorkers); }

  /// Extracts and solves; callees first, whose frames their callers hold.
  /// Reports every function that has no usable plan, not only the first. The
  /// problems come in the order of the module.
  LogicalResult findPlans(ModuleAliases &aliases,
                          const llvm::DenseSet<Operation *> &frameFunctions,
                          std::vector<FunctionProblem> &problems) {
    PlanningOptions options;
    options.alignment = alignment;
    if (capacity > 0)
      options.capacity = capacity;
    options.maxWorkers = getMostWorkers();
    options.maxParallelOps = maxParallelOps;
    llvm::DenseMap<Operation *, size_t> position;
    for (FunctionOpInterface function : aliases.getFunctions())
      position[function] = position.size();
    problems.clear();
    problems.resize(position.size());
    FrameNeeds frames;
    LogicalResult result = success();
    using Circle = ArrayRef<FunctionOpInterface>;
    for (Circle circle : aliases.getCalleeFirstOrder()) {
      // What a function frees hangs on its plan, and in a circle the plan on
      // what the others free.
      constexpr int kMaxRounds = 4;
      for (int round = 0; round < kMaxRounds; ++round) {
        std::vector<ModuleAliases::FreeSet> removed;
        bool isInvalid = false;
        for (FunctionOpInterface function : circle) {
          FunctionProblem &problem = problems[position[function]];
          problem = findPlanOf(function, aliases, options, frames);
          removed.push_back(findRemovedFrees(problem));
          isInvalid |= problem.isInvalid;
        }
        if (isInvalid || !aliases.assumeRemoved(circle, removed) ||
            !aliases.isRecursive(circle.front()))
          break;
      }
      for (FunctionOpInterface function : circle) {
        FunctionProblem &problem = problems[position[function]];
        if (problem.isInvalid || failed(checkPlans(problem)))
          result = failure();
        if (report != ReportFormat::None && !problem.steps.empty())
          addSequentialPlans(problem, aliases, options, frames);
        if (!frameFunctions.contains(function) || !hasPlan(problem))
          continue;
        problem.isFrame = true;
        for (const ArenaProblem &arena : problem.arenas)
          if (!arena.records.empty())
            frames[function].push_back({arena.memorySpace, arena.plan.arenaSize,
                                        arena.problem.arenaAlignment,
                                        arena.isReleased});
      }
    }
    return result;
  }

  static ModuleAliases::FreeSet
  findRemovedFrees(const FunctionProblem &problem) {
    ModuleAliases::FreeSet removed;
    auto add = [&](const FunctionProblem &part) {
      for (const PlannedFree &free : part.frees)
        for (unsigned memref : free.memrefs)
          removed.insert(&free.op->getOpOperand(memref));
    };
    add(problem);
    if (problem.workers)
      for (const std::unique_ptr<WorkerFrame> &frame : problem.workers->frames)
        add(frame->problem);
    return removed;
  }

  /// True if ops run at once within an iteration of a parallel loop, or a
  /// parallel loop is, or is in, an op that runs at once with others: there
  /// only what is allocated outside of it is planned.
  static bool mixesStepsAndWorkers(const ProgramOrder &order) {
    return llvm::any_of(order.getOps(), [&](Operation *op) {
      if (!op->hasAttr(MemplanDialect::kStepAttr) &&
          !op->hasAttr(MemplanDialect::kStreamAttr))
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

  FunctionProblem findPlanOf(FunctionOpInterface function,
                             const ModuleAliases &aliases,
                             const PlanningOptions &options,
                             const FrameNeeds &frames) {
    auto solve = [&](FunctionProblem &problem) {
      return solveProblem(problem);
    };
    std::shared_ptr<const WorkerFrames> workers;
    if (options.maxWorkers > 0 && !hasArena(function) &&
        !mixesStepsAndWorkers(aliases.getOrder(function)))
      workers = findWorkerFrames(function, aliases, options, frames, solve);
    gaveUp |= workers && workers->hasDropped;
    FunctionProblem problem =
        buildFunctionProblem(function, aliases, options, frames, workers);
    if (solve(problem) || !workers || workers->frames.empty())
      return problem;
    // All workers at once may need what the arena cannot have.
    gaveUp = true;
    PlanningOptions without = options;
    without.maxWorkers = 0;
    return findPlanOf(function, aliases, without, frames);
  }

  /// Returns true if all arenas have a plan that fits.
  bool solveProblem(FunctionProblem &problem) {
    SolveOptions options = makeSolveOptions(strategy, effort, nodeLimit,
                                            timeLimitMs, seed, threads);
    bool fits = true;
    for (ArenaProblem &arena : problem.arenas) {
      arena.plan = memplan::solve(arena.problem, options);
      fits &= isUsable(arena);
    }
    return fits;
  }

  static LogicalResult checkPlans(const FunctionProblem &problem) {
    LogicalResult result = success();
    for (const ArenaProblem &arena : problem.arenas)
      if (failed(checkPlan(problem, arena)))
        result = failure();
    return result;
  }

  /// Solves the function as if its ops ran one after another.
  void addSequentialPlans(FunctionProblem &problem,
                          const ModuleAliases &aliases, PlanningOptions options,
                          const FrameNeeds &frames) {
    options.ignoreSteps = true;
    options.capacity = std::nullopt;
    FunctionProblem sequential = buildFunctionProblem(
        problem.function, aliases, options, frames, problem.workers);
    for (auto [arena, other] :
         llvm::zip_equal(problem.arenas, sequential.arenas))
      arena.sequential = memplan::solve(
          other.problem, makeSolveOptions(strategy, effort, nodeLimit,
                                          timeLimitMs, seed, threads));
  }

  static bool hasPlan(const FunctionProblem &problem) {
    return llvm::any_of(problem.arenas, [](const ArenaProblem &arena) {
      return !arena.records.empty();
    });
  }

  /// Rewrites and verifies the functions. A plan that the verifier does not
  /// accept is undone, with a warning, and marked as such in the reports on its
  /// problem, `reports`: the program is left as it was.
  void rewriteOrUndo(MutableArrayRef<FunctionProblem> problems,
                     const ModuleAliases &aliases,
                     MutableArrayRef<std::vector<ArenaReport>> reports) {
    llvm::DenseMap<Operation *, size_t> position;
    for (auto [i, problem] : llvm::enumerate(problems))
      position[problem.function] = i;
    auto getDepth = [](Operation *op) {
      size_t depth = 0;
      while ((op = op->getParentOp()))
        ++depth;
      return depth;
    };
    // Callees first, as the plans of callers rest on those of callees. But
    // inner functions before those around them, which call nothing inside:
    // undoing the outer one brings back a copy of what it contains.
    std::vector<std::pair<size_t, ArrayRef<FunctionOpInterface>>> circles;
    for (ArrayRef<FunctionOpInterface> circle : aliases.getCalleeFirstOrder())
      circles.emplace_back(getDepth(circle.front()), circle);
    llvm::stable_sort(circles, [](const auto &a, const auto &b) {
      return a.first > b.first;
    });
    for (auto [depth, circle] : circles) {
      SmallVector<FunctionProblem *> members;
      for (FunctionOpInterface function : circle)
        members.push_back(&problems[position.lookup(function)]);
      if (rewriteOrUndo(members, aliases))
        continue;
      for (FunctionOpInterface function : circle)
        for (ArenaReport &report : reports[position.lookup(function)])
          report.status = "rejected";
    }
  }

  bool rewriteOrUndo(ArrayRef<FunctionProblem *> circle,
                     const ModuleAliases &aliases) {
    SmallVector<FunctionOpInterface> planned;
    std::vector<std::unique_ptr<BodyBackup>> originals;
    for (FunctionProblem *problem : circle) {
      if (!hasPlan(*problem))
        continue;
      planned.push_back(problem->function);
      originals.push_back(
          std::make_unique<BodyBackup>(problem->function.getFunctionBody()));
      materialize(*problem, aliases.getOrder(problem->function));
    }
    std::string complaints;
    bool accepted = verifyQuietly(planned, complaints);
    if (!accepted)
      for (const std::unique_ptr<BodyBackup> &original : originals)
        original->restore();
    // Scratch that is not planned, too, and plans made with lower=false.
    if (lower)
      for (FunctionProblem *problem : circle)
        lowerToMemRef(problem->function);
    if (accepted && lower && !verifyQuietly(planned, complaints)) {
      accepted = false;
      for (const std::unique_ptr<BodyBackup> &original : originals)
        original->restore();
      for (FunctionOpInterface function : planned)
        lowerToMemRef(function);
    }
    if (accepted)
      return true;
    gaveUp = true;
    for (FunctionOpInterface function : planned)
      warnOfUnplanned(function, complaints);
    return false;
  }

  static void warnOfUnplanned(FunctionOpInterface function,
                              StringRef complaints) {
    emitWarning(function.getLoc())
        << "@" << function.getName()
        << " is left unplanned: its plan failed verification: " << complaints;
  }

  void warnOfCallTrees(Refusal refused) {
    Operation *op =
        refused.function ? refused.function.getOperation() : getOperation();
    InFlightDiagnostic warning = emitWarning(op->getLoc());
    warning << "call trees are left alone: ";
    if (refused.function)
      warning << "the plan of @" << refused.function.getName();
    else
      warning << "their plan";
    warning << " failed verification: " << refused.complaints;
  }

  void warnOfRefusedBefore() {
    for (auto function : getOperation().getOps<FunctionOpInterface>())
      if (auto it = refusedBefore.find(function.getName());
          it != refusedBefore.end())
        emitWarning(function.getLoc())
            << "@" << function.getName()
            << " was planned before, and its plan fails verification: "
            << it->second;
  }

  /// What the report says of the function; nothing if no report is asked for.
  std::vector<ArenaReport> describe(const FunctionProblem &problem,
                                    const ModuleAliases &aliases) {
    if (report == ReportFormat::None)
      return {};
    return makeReports(problem, strategy, aliases.getOrder(problem.function));
  }

  LogicalResult printReports(ArrayRef<ArenaReport> reports) {
    if (report == ReportFormat::None)
      return success();
    auto print = [&](raw_ostream &os) {
      if (report == ReportFormat::Json)
        printJson(reports, os);
      else
        printText(reports, os);
    };
    if (reportFile.empty()) {
      print(llvm::errs());
      return success();
    }
    std::string message;
    std::unique_ptr<llvm::ToolOutputFile> file =
        openOutputFile(reportFile, &message);
    if (!file)
      return emitError(getOperation().getLoc())
             << "cannot write the report: " << message;
    print(file->os());
    file->keep();
    return success();
  }

  /// A plan was given up for a lesser one.
  bool gaveUp = false;
  /// Plans that were there before, and are wrong.
  RefusedBefore refusedBefore;
  /// What is planned counts only if no plan is given up.
  bool isTrial = false;
};
} // namespace
