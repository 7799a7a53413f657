//===- PlanMemory.cpp - The plan-memory pass ------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanDiagnostics.h"
#include "memplan/Analysis/PlanVerifier.h"
#include "memplan/IR/Memplan.h"
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
    if (failed(checkOptions(getOperation().getLoc(), alignment, capacity)))
      return signalPassFailure();
    ModuleAliases aliases(getOperation());
    std::vector<FunctionProblem> problems = extract(aliases);
    if (failed(solveAll(problems)))
      return signalPassFailure();
    std::vector<ArenaReport> reports;
    for (FunctionProblem &problem : problems) {
      const ProgramOrder &order = aliases.getOrder(problem.function);
      std::vector<ArenaReport> own = makeReports(problem, strategy, order);
      emitRemarks(problem);
      if (!rewrite(problem, order))
        for (ArenaReport &report : own)
          report.status = "rejected";
      reports.insert(reports.end(), own.begin(), own.end());
    }
    if (failed(printReports(reports)))
      return signalPassFailure();
  }

private:
  std::vector<FunctionProblem> extract(const ModuleAliases &aliases) {
    PlanningOptions options;
    options.alignment = alignment;
    if (capacity > 0)
      options.capacity = capacity;
    std::vector<FunctionProblem> problems;
    for (FunctionOpInterface function : aliases.getFunctions())
      problems.push_back(buildFunctionProblem(function, aliases, options));
    return problems;
  }

  /// Reports every function that has no usable plan, not only the first.
  LogicalResult solveAll(MutableArrayRef<FunctionProblem> problems) {
    SolveOptions options;
    options.strategy = strategy;
    LogicalResult result = success();
    for (FunctionProblem &problem : problems)
      for (ArenaProblem &arena : problem.arenas) {
        arena.plan = solve(arena.problem, options);
        if (failed(checkPlan(problem, arena)))
          result = failure();
      }
    return result;
  }

  /// Rewrites and verifies the function. A plan that the verifier does not
  /// accept is undone, with a warning: the program is left as it was.
  bool rewrite(FunctionProblem &problem, const ProgramOrder &order) {
    FunctionOpInterface function = problem.function;
    if (llvm::all_of(problem.arenas, [](const ArenaProblem &arena) {
          return arena.records.empty();
        })) {
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
