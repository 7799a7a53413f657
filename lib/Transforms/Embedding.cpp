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
#include "memplan/Core/Version.h"
#include "memplan/IR/Memplan.h"
#include "memplan/Transforms/ReportCapture.h"
#include "memplan/Transforms/SolveHook.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/Config/llvm-config.h"

using namespace mlir;
using namespace memplan;

thread_local ReportCapture *ReportCapture::current = nullptr;
thread_local SolveHook *SolveHook::current = nullptr;

Plan SolveHook::solve(const Problem &problem, const SolveOptions &options) {
  return current ? current->function(problem, options)
                 : memplan::solve(problem, options);
}

SolveHook::Function SolveHook::getConcurrent() {
  if (current)
    return current->isConcurrent ? current->function : Function();
  return [](const Problem &problem, const SolveOptions &options) {
    return memplan::solve(problem, options);
  };
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
