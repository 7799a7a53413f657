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
#include "memplan/Core/Order.h"
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

/// The plan of a hook if it is right, otherwise an invalid one.
static Plan accept(const Problem &problem, Plan plan) {
  if (!plan.hasOffsets())
    return plan;
  std::vector<Issue> issues = verify(problem, plan, /*maxIssues=*/1);
  if (hasFormulas(problem) != plan.order.has_value())
    issues.push_back({"an order of sizes is missing or not needed", {}});
  else if (plan.order && issues.empty())
    issues = verifyOrder(problem, *plan.order, /*maxIssues=*/1);
  if (issues.empty())
    return plan;
  Plan refused;
  refused.strategy = plan.strategy;
  refused.message = "wrong plan: " + issues.front().message;
  return refused;
}

Plan SolveHook::solve(const Problem &problem, const SolveOptions &options) {
  return current ? accept(problem, current->function(problem, options))
                 : memplan::solve(problem, options);
}

void SolveHook::solveAll(
    MLIRContext *context,
    const std::vector<std::pair<const Problem *, Plan *>> &problems,
    const SolveOptions &options) {
  const SolveHook *hook = current;
  auto solveOne = [&](const std::pair<const Problem *, Plan *> &entry) {
    auto [problem, plan] = entry;
    *plan = hook ? accept(*problem, hook->function(*problem, options))
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
