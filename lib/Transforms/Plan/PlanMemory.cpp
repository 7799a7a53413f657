//===- PlanMemory.cpp - The plan-memory pass ------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Does the work of the passes memplan-extract, memplan-solve,
// memplan-materialize and memplan-lower on a clone of the module, without
// stating the problems as IR. The clone replaces the module after the verifier
// has accepted it.
//
//===----------------------------------------------------------------------===//

#include "CheckOptions.h"
#include "Explain/PlanDiagnostics.h"
#include "Output.h"
#include "Plan/ModuleProblems.h"
#include "Plan/PlanAcceptance.h"
#include "Plan/SolveModule.h"
#include "Plan/SolverOptions.h"
#include "memplan/Analysis/ParallelFrames.h"
#include "memplan/IR/Circles.h"
#include "memplan/Transforms/DescribePlan.h"
#include "memplan/Transforms/Embedding.h"
#include "memplan/Transforms/Materialize.h"
#include "memplan/Transforms/RaiseDeallocations.h"
#include "memplan/Transforms/ReportCapture.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace memplan {
#define GEN_PASS_DEF_PLANMEMORY
#include "memplan/Transforms/Passes.h.inc"
} // namespace memplan

using namespace memplan;

#define DEBUG_TYPE "plan-memory"

// The statistics of the pass, for builds of LLVM in which they are disabled.
ALWAYS_ENABLED_STATISTIC(planned, "Planned buffers");
ALWAYS_ENABLED_STATISTIC(unplanned, "Buffers not planned");
ALWAYS_ENABLED_STATISTIC(before, "Bytes of the planned buffers without reuse");
ALWAYS_ENABLED_STATISTIC(after, "Bytes of the arenas");

void memplan::printPlanStatistics([[maybe_unused]] raw_ostream &os) {
#if !LLVM_ENABLE_STATS
  os << "PlanMemory\n";
  for (const llvm::TrackingStatistic *statistic :
       {&planned, &unplanned, &before, &after})
    os << llvm::formatv("  (S) {0,12} {1,-9} - {2}\n", statistic->getValue(),
                        statistic->getName(), statistic->getDesc());
#endif
}

namespace {
struct PlanMemoryPass : memplan::impl::PlanMemoryBase<PlanMemoryPass> {
  using PlanMemoryBase::PlanMemoryBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    PlanMemoryBase::getDependentDialects(registry);
    registerAliasInterfaces(registry);
    // A bufferization.dealloc of planned and other buffers is created again
    // without the planned ones.
    registry.insert<bufferization::BufferizationDialect>();
  }

  void runOnOperation() override {
    Location loc = getOperation().getLoc();
    if (failed(checkOptions(loc, alignment, capacity)) ||
        failed(checkResultOptions(loc, results, arena.placement)) ||
        failed(checkNoCircles(getOperation())))
      return signalPassFailure();
    if (!reportFile.empty() && report == ReportFormat::None) {
      emitError(loc) << "report-file means nothing without report";
      return signalPassFailure();
    }
    explainNothingToPlan(getOperation());
    if (failed(checkForeignFunctions(getOperation(), require.planned)) ||
        (require.planned && failed(checkNoTensors(getOperation()))))
      return signalPassFailure();
    // Describes the program before it is changed.
    Report described;
    if (report != ReportFormat::None)
      described = describeModule(getOperation());
    if (failed(plan(described.arenas)) || failed(printReport(described)))
      return signalPassFailure();
  }

private:
  LogicalResult plan(std::vector<ArenaReport> &reports) {
    // `before` is the program to plan: the module, or a prepared clone of it.
    ModuleOp before = getOperation();
    PrepareOptions prepare{getScope(scope, entryPoints),
                           entryPoints,
                           calleeTrust,
                           results,
                           this->prepare,
                           require.verified,
                           sizes};
    IRMapping preparing;
    OwningOpRef<ModuleOp> prepared;
    bool mayRaise = this->prepare && mayHaveLoweredDeallocations(before);
    bool isRaised = false;
    if (mayRaise || prepare.changeAnything(before)) {
      prepared = cast<ModuleOp>(before->clone(preparing));
      before = *prepared;
      if (report != ReportFormat::None)
        noteValueNames(before);
      FailureOr<bool> raised =
          mayRaise ? raiseDeallocations(before, require.verified) : false;
      if (failed(raised) || failed(prepareModule(before, prepare)))
        return failure();
      isRaised = *raised;
    }
    IRMapping mapping;
    OwningOpRef<ModuleOp> planned = cast<ModuleOp>(before->clone(mapping));
    if (report != ReportFormat::None) {
      if (prepared)
        forgetValueNames(*prepared);
      else
        noteValueNames(*planned);
    }
    SmallVector<FunctionOpInterface> functions;
    if (failed(rewrite(*planned, functions, reports)))
      return failure();
    llvm::DenseMap<Operation *, FunctionOpInterface> originalOf;
    before->walk([&](FunctionOpInterface original) {
      originalOf[mapping.lookup(original.getOperation())] = original;
    });
    SmallVector<FunctionOpInterface> originals;
    for (FunctionOpInterface function : functions)
      originals.push_back(originalOf.lookup(function));
    // Drops the plans that the refusal is about; fails if `require` says so.
    auto drop = [&](const Refusal &refusal) -> LogicalResult {
      bool dropsAll = prepare.joinFunctions();
      if (failed(tell(refusal, dropsAll)))
        return failure();
      SmallVector<FunctionOpInterface> dropped =
          dropsAll ? functions : findDependents(functions, refusal.refused);
      for (ArenaReport &report : reports)
        for (FunctionOpInterface function : dropped)
          if (report.function == function.getName())
            report.status = ArenaStatus::Rejected;
      llvm::erase_if(functions, [&](FunctionOpInterface function) {
        return llvm::is_contained(dropped, function);
      });
      if (dropsAll)
        planned = cast<ModuleOp>(getOperation()->clone());
      else
        restore(dropped, [&](Operation *function) {
          Operation *source =
              prepared ? preparing.lookupOrNull(function) : function;
          return source ? mapping.lookupOrNull(source) : nullptr;
        });
      return success();
    };
    if (std::optional<Refusal> refusal = findRefusal(functions, originals))
      if (failed(drop(*refusal)))
        return failure();
    // Nothing is gained by what was raised for the plan.
    if (isRaised && functions.empty() && !prepare.joinFunctions()) {
      planned = cast<ModuleOp>(getOperation()->clone());
      isRaised = false;
    }
    if (lower) {
      // What runs is what has been proven: the lowered program is checked
      // against the planned one.
      IRMapping lowering;
      OwningOpRef<ModuleOp> lowered;
      if (!functions.empty()) {
        lowered = cast<ModuleOp>((*planned)->clone(lowering));
        lowerAll(*lowered);
      }
      SmallVector<FunctionOpInterface> after;
      for (FunctionOpInterface function : functions)
        after.push_back(cast<FunctionOpInterface>(
            lowering.lookup(function.getOperation())));
      std::optional<Refusal> refusal = findLoweringRefusal(functions, after);
      if (refusal && failed(drop(*refusal)))
        return failure();
      if (lowered && !refusal)
        planned = std::move(lowered);
      else
        lowerAll(*planned);
    }
    getOperation().getBodyRegion().takeBody(planned->getBodyRegion());
    if (isRaised)
      nameDeallocations();
    return success();
  }

  /// Emits a remark if there are deallocations that are to be lowered again.
  /// Lowered here, they would compare pointers, of which the verifier knows
  /// nothing.
  void nameDeallocations() {
    SmallVector<Operation *> left;
    getOperation().walk(
        [&](bufferization::DeallocOp dealloc) { left.push_back(dealloc); });
    if (!left.empty())
      emitRemark(left.front()->getLoc())
          << left.size()
          << (left.size() == 1 ? " deallocation is" : " deallocations are")
          << " 'bufferization.dealloc' now, for buffers that are not planned; "
             "bufferization-lower-deallocations lowers what is left";
  }

  /// Also lowers scratch that is not planned, and functions that were planned
  /// before with lower=false.
  static void lowerAll(ModuleOp module) {
    SymbolTableCollection symbols;
    module->walk([&](FunctionOpInterface op) { lowerToMemRef(op, symbols); });
  }

  /// Derives, solves and materializes. `functions` gets the functions that
  /// have been planned.
  LogicalResult rewrite(ModuleOp module,
                        SmallVectorImpl<FunctionOpInterface> &functions,
                        std::vector<ArenaReport> &reports) {
    ModuleAliases aliases(module, calleeTrust);
    PlanningOptions planning = makePlanningOptions(
        alignment, capacity, workers, inPlace, arena, dynamic, results);
    planning.describes = report != ReportFormat::None;
    SolveOptions solver = makeSolveOptions(strategy);
    PlanScope planScope = getScope(scope, entryPoints);
    FailureOr<std::vector<FunctionProblem>> problems = solveModule(
        module, aliases, planning, solver, planScope, arena, require);
    if (failed(problems))
      return failure();
    // Reports and remarks refer to the allocations, which materialize erases.
    for (FunctionProblem &problem : *problems) {
      if (report != ReportFormat::None) {
        if (!problem.steps.empty())
          addSequentialPlans(problem, aliases, planning, solver);
        std::vector<ArenaReport> own =
            describePlans(problem, strategy, aliases.getOrder(problem.function),
                          /*compare=*/report == ReportFormat::Html);
        reports.insert(reports.end(), own.begin(), own.end());
      }
      emitRemarks(problem);
      count(problem);
      if (planScope == PlanScope::Module &&
          aliases.isRecursive(problem.function))
        emitRecursionRemark(problem);
      else if (planScope == PlanScope::Module)
        emitOwnArenaRemark(problem);
      if (hasPlannedBuffers(problem) || hasIterationArenas(problem))
        functions.push_back(problem.function);
    }
    if (report != ReportFormat::None)
      forgetValueNames(module);
    return materializeAll(*problems, aliases);
  }

  /// Adds to the statistics. Frames are part of an arena that is counted.
  void count(const FunctionProblem &problem) {
    auto add = [](auto &own, llvm::TrackingStatistic &all, uint64_t amount) {
      own += amount;
      all += amount;
    };
    for (const BufferRecord &record : problem.buffers) {
      if (record.frame)
        continue;
      if (record.isPlanned())
        add(numPlanned, planned, 1);
      else
        add(numUnplanned, unplanned, 1);
    }
    if (problem.isFrame)
      return;
    for (const ArenaProblem &arena : problem.arenas) {
      add(bytesBefore, before, computeSizeWithoutReuse(problem, arena));
      add(bytesAfter, after, arena.plan.arenaSize);
    }
  }

  /// Emits a warning about the refusal; an error, and fails, if `require` asks
  /// for verified plans.
  LogicalResult tell(const Refusal &refusal, bool dropsAll) {
    FunctionOpInterface function = refusal.refused.front();
    bool isError = require.verified;
    InFlightDiagnostic diagnostic =
        isError ? emitError(function.getLoc()) : emitWarning(function.getLoc());
    if (dropsAll)
      diagnostic << "the module is left unplanned: the plan of @"
                 << function.getName();
    else
      diagnostic << "@" << function.getName() << " is left unplanned: its plan";
    diagnostic << " failed verification: " << refusal.complaints.front().second;
    for (const auto &[loc, text] : refusal.complaints)
      diagnostic.attachNote(loc) << text;
    diagnostic.report();
    return failure(isError);
  }

  /// Replaces planned functions by the original ones. `findPlanned` returns the
  /// planned function of an original one.
  void restore(ArrayRef<FunctionOpInterface> functions,
               llvm::function_ref<Operation *(Operation *)> findPlanned) {
    llvm::DenseSet<Operation *> dropped;
    for (FunctionOpInterface function : functions)
      dropped.insert(function);
    // The outermost functions only: they contain the others.
    SmallVector<std::pair<Operation *, Operation *>> outermost;
    getOperation()->walk<WalkOrder::PreOrder>(
        [&](FunctionOpInterface original) {
          Operation *function = findPlanned(original);
          if (!dropped.contains(function))
            return WalkResult::advance();
          outermost.emplace_back(function, original);
          return WalkResult::skip();
        });
    for (auto [function, original] : outermost) {
      OpBuilder(function).clone(*original);
      function->erase();
    }
  }

  LogicalResult printReport(const Report &described) {
    if (report == ReportFormat::None)
      return success();
    return writeOutput(
        reportFile, getOperation().getLoc(),
        [&](llvm::raw_ostream &os) { os << formatReport(report, described); });
  }
};
} // namespace
