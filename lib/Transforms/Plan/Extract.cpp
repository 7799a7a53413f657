//===- Extract.cpp - The memplan-extract pass -----------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Plan/PlanDiagnostics.h"
#include "memplan/Analysis/ProblemIR.h"
#include "memplan/Transforms/Passes.h"

using namespace mlir;

namespace memplan {
#define GEN_PASS_DEF_MEMPLANEXTRACT
#include "memplan/Transforms/Passes.h.inc"
} // namespace memplan

using namespace memplan;

namespace {
struct ExtractPass : memplan::impl::MemplanExtractBase<ExtractPass> {
  using MemplanExtractBase::MemplanExtractBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    MemplanExtractBase::getDependentDialects(registry);
    registerAliasInterfaces(registry);
  }

  void runOnOperation() override {
    if (failed(checkOptions(getOperation().getLoc(), alignment, capacity,
                            maxParallelOps)))
      return signalPassFailure();
    PlanningOptions options;
    options.alignment = alignment;
    if (capacity > 0)
      options.capacity = capacity;
    options.maxParallelOps = maxParallelOps;
    ModuleAliases aliases(getOperation(), calleeTrust);
    // All functions are looked at before the first problem is written.
    std::vector<FunctionProblem> problems;
    for (FunctionOpInterface function : aliases.getFunctions()) {
      if (hasProblems(function)) {
        function.emitError()
            << "@" << function.getName() << " has been extracted already";
        return signalPassFailure();
      }
      problems.push_back(buildFunctionProblem(function, aliases, options));
    }
    // Every function has told what is wrong with it.
    if (llvm::any_of(problems, [](const FunctionProblem &problem) {
          return problem.isInvalid;
        }))
      return signalPassFailure();
    for (FunctionProblem &problem : problems) {
      emitRemarks(problem);
      write(problem);
      problem.steps.annotateSplits();
    }
  }

  /// Problems stand right before their function.
  static bool hasProblems(FunctionOpInterface function) {
    return isa_and_nonnull<ProblemOp>(function->getPrevNode()) &&
           cast<ProblemOp>(function->getPrevNode()).getFunction() ==
               function.getName();
  }

  static void write(FunctionProblem &problem) {
    OpBuilder builder(problem.function);
    for (const ArenaProblem &arena : problem.arenas) {
      if (arena.records.empty())
        continue;
      writeProblem(builder, problem.function.getLoc(), problem, arena);
      for (auto [index, buffer] : arena.placements)
        problem.buffers[index].allocation->setAttr(
            MemplanDialect::kBufferAttr,
            builder.getStringAttr(arena.problem.buffers[buffer].id));
    }
  }
};
} // namespace
