//===- PlanMemory.cpp - The plan-memory pass ------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanDiagnostics.h"
#include "SolverOptions.h"
#include "memplan/Analysis/PlanVerifier.h"
#include "memplan/IR/Memplan.h"
#include "memplan/Transforms/CallTrees.h"
#include "memplan/Transforms/Materialize.h"
#include "memplan/Transforms/Passes.h"
#include "memplan/Transforms/Report.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Support/FileUtilities.h"
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
  }

  void runOnOperation() override {
    if (failed(checkOptions(getOperation().getLoc(), alignment, capacity,
                            maxParallelOps)))
      return signalPassFailure();
    std::vector<ArenaReport> reports;
    LogicalResult planned = scope == PlanScope::Module ? planCallTrees(reports)
                                                       : planFunctions(reports);
    if (failed(planned) || failed(printReports(reports)))
      return signalPassFailure();
  }

private:
  LogicalResult planFunctions(std::vector<ArenaReport> &reports) {
    ModuleAliases aliases(getOperation());
    std::vector<FunctionProblem> problems;
    if (failed(findPlans(aliases, /*frameFunctions=*/{}, problems)))
      return failure();
    // Everything is told while the allocations are still there.
    std::vector<std::vector<ArenaReport>> own;
    for (FunctionProblem &problem : problems) {
      own.push_back(
          makeReports(problem, strategy, aliases.getOrder(problem.function)));
      emitRemarks(problem);
    }
    // Inner functions before those around them: undoing the outer one brings
    // back a copy of what it contains.
    for (size_t i = problems.size(); i-- > 0;)
      if (!rewriteOrUndo(problems[i], aliases.getOrder(problems[i].function)))
        for (ArenaReport &report : own[i])
          report.status = "rejected";
    for (std::vector<ArenaReport> &list : own)
      reports.insert(reports.end(), list.begin(), list.end());
    return success();
  }

  /// Works on a copy of the module, as signatures and calls change together.
  LogicalResult planCallTrees(std::vector<ArenaReport> &reports) {
    OwningOpRef<ModuleOp> copy = cast<ModuleOp>(getOperation()->clone());
    promoteFreshResults(*copy);
    ModuleAliases aliases(*copy);
    std::vector<FunctionProblem> problems;
    if (failed(
            findPlans(aliases, findFrameFunctions(*copy, aliases), problems)))
      return failure();
    for (FunctionProblem &problem : problems) {
      const ProgramOrder &order = aliases.getOrder(problem.function);
      std::vector<ArenaReport> own = makeReports(problem, strategy, order);
      reports.insert(reports.end(), own.begin(), own.end());
      emitRemarks(problem);
      if (aliases.isRecursive(problem.function))
        emitRecursionRemark(problem);
    }
    for (FunctionProblem &problem : problems)
      if (hasPlan(problem))
        materialize(problem, aliases.getOrder(problem.function));
    std::string complaints;
    auto verifyAll = [&] {
      return llvm::all_of(problems, [&](FunctionProblem &problem) {
        return verifyQuietly(problem.function, complaints);
      });
    };
    bool accepted = verifyAll();
    if (accepted && lower) {
      for (FunctionProblem &problem : problems)
        lowerToMemRef(problem.function);
      accepted = verifyAll();
    }
    if (!accepted) {
      emitWarning(getOperation().getLoc())
          << "call trees are left alone: their plan failed verification: "
          << complaints;
      reports.clear();
      return planFunctions(reports);
    }
    getOperation().getBodyRegion().takeBody(copy->getBodyRegion());
    return success();
  }

  /// Extracts and solves; callees first, whose frames their callers hold.
  /// Reports every function that has no usable plan, not only the first. The
  /// problems come in the order of the module.
  LogicalResult findPlans(const ModuleAliases &aliases,
                          const llvm::DenseSet<Operation *> &frameFunctions,
                          std::vector<FunctionProblem> &problems) {
    PlanningOptions options;
    options.alignment = alignment;
    if (capacity > 0)
      options.capacity = capacity;
    options.maxParallelOps = maxParallelOps;
    llvm::DenseMap<Operation *, size_t> position;
    for (FunctionOpInterface function : aliases.getFunctions())
      position[function] = position.size();
    problems.resize(position.size());
    FrameNeeds frames;
    LogicalResult result = success();
    for (FunctionOpInterface function : aliases.getCalleeFirstOrder()) {
      FunctionProblem &problem = problems[position[function]];
      problem = buildFunctionProblem(function, aliases, options, frames);
      if (problem.isInvalid || failed(solveProblem(problem)))
        result = failure();
      if (report != ReportFormat::None && !problem.steps.empty())
        addSequentialPlans(problem, aliases, options, frames);
      if (!frameFunctions.contains(function) || !hasPlan(problem))
        continue;
      problem.isFrame = true;
      for (const ArenaProblem &arena : problem.arenas)
        if (!arena.records.empty())
          frames[function].push_back({arena.memorySpace, arena.plan.arenaSize,
                                      arena.problem.arenaAlignment});
    }
    return result;
  }

  LogicalResult solveProblem(FunctionProblem &problem) {
    SolveOptions options = makeSolveOptions(strategy, effort, nodeLimit,
                                            timeLimitMs, seed, threads);
    LogicalResult result = success();
    for (ArenaProblem &arena : problem.arenas) {
      arena.plan = solve(arena.problem, options);
      if (failed(checkPlan(problem, arena)))
        result = failure();
    }
    return result;
  }

  /// Solves the function as if its ops ran one after another.
  void addSequentialPlans(FunctionProblem &problem,
                          const ModuleAliases &aliases, PlanningOptions options,
                          const FrameNeeds &frames) {
    options.ignoreSteps = true;
    options.capacity = std::nullopt;
    FunctionProblem sequential =
        buildFunctionProblem(problem.function, aliases, options, frames);
    for (auto [arena, other] :
         llvm::zip_equal(problem.arenas, sequential.arenas))
      arena.sequential =
          solve(other.problem, makeSolveOptions(strategy, effort, nodeLimit,
                                                timeLimitMs, seed, threads));
  }

  static bool hasPlan(const FunctionProblem &problem) {
    return llvm::any_of(problem.arenas, [](const ArenaProblem &arena) {
      return !arena.records.empty();
    });
  }

  /// Rewrites and verifies the function. A plan that the verifier does not
  /// accept is undone, with a warning: the program is left as it was.
  bool rewriteOrUndo(FunctionProblem &problem, const ProgramOrder &order) {
    FunctionOpInterface function = problem.function;
    if (!hasPlan(problem)) {
      // Scratch that is not planned, or a plan made with lower=false.
      if (lower)
        lowerToMemRef(function);
      return true;
    }
    Region original;
    IRMapping mapping;
    function.getFunctionBody().cloneInto(&original, mapping);
    materialize(problem, order);
    std::string complaints;
    bool accepted = verifyQuietly(function, complaints);
    if (accepted && lower) {
      lowerToMemRef(function);
      accepted = verifyQuietly(function, complaints);
    }
    if (accepted)
      return true;
    function.getFunctionBody().dropAllReferences();
    function.getFunctionBody().takeBody(original);
    if (lower)
      lowerToMemRef(function);
    emitWarning(function.getLoc())
        << "@" << function.getName()
        << " is left unplanned: its plan failed verification: " << complaints;
    return false;
  }

  static bool verifyQuietly(FunctionOpInterface function,
                            std::string &complaints) {
    ScopedDiagnosticHandler capture(
        function.getContext(), [&](Diagnostic &diagnostic) {
          llvm::raw_string_ostream os(complaints);
          os << (complaints.empty() ? "" : "; ") << diagnostic;
          return success();
        });
    return succeeded(verifyPlannedFunction(function));
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
};
} // namespace
