//===- Embedding.cpp - Entry points for compilers that embed memplan ------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Transforms/Embedding.h"

#include "memplan/Analysis/AliasGraph.h"
#include "memplan/Analysis/CostModel.h"
#include "memplan/Core/Verify.h"
#include "memplan/Core/Version.h"
#include "memplan/IR/Memplan.h"
#include "memplan/Transforms/ReportCapture.h"
#include "memplan/Transforms/SolveHook.h"

#include "mlir/IR/Threading.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Config/llvm-config.h"

using namespace mlir;
using namespace memplan;

thread_local ReportCapture *ReportCapture::current = nullptr;
thread_local SolveHook *SolveHook::current = nullptr;

/// Begins the message of a hook's plan that is refused.
static constexpr const char *wrongPlan = "wrong plan";

Plan SolveHook::solve(const Problem &problem, const SolveOptions &options) {
  return current ? acceptVerified(problem, current->function(problem, options),
                                  wrongPlan)
                 : memplan::solve(problem, options);
}

void SolveHook::solveAll(
    MLIRContext *context,
    const std::vector<std::pair<const Problem *, Plan *>> &problems,
    const SolveOptions &options) {
  const SolveHook *hook = current;
  auto solveOne = [&](const std::pair<const Problem *, Plan *> &entry) {
    auto [problem, plan] = entry;
    *plan = hook ? acceptVerified(*problem, hook->function(*problem, options),
                                  wrongPlan)
                 : memplan::solve(*problem, options);
  };
  if (hook && !hook->isConcurrent)
    llvm::for_each(problems, solveOne);
  else
    parallelForEach(context, problems, solveOne);
}

void memplan::printVersion(llvm::raw_ostream &os) {
  os << "memplan " << version() << ", LLVM " << LLVM_VERSION_STRING << "\n";
}

void memplan::registerMemplanDialects(DialectRegistry &registry) {
  registry.insert<MemplanDialect>();
  registerAliasInterfaces(registry);
  registerCostModels(registry);
}

void memplan::buildPlanMemoryPipeline(OpPassManager &manager,
                                      const PlanMemoryOptions &options) {
  manager.addPass(createPlanMemory(options));
}
