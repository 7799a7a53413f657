//===- memplan-opt.cpp - The optimizer driver -----------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/ProgressLine.h"
#include "memplan/Transforms/Embedding.h"
#include "memplan/Transforms/SolveHook.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"

/// Whether statistics were requested. Debian's LLVM is built without them, so
/// the pass manager prints an empty table.
static bool wantsStatistics() {
  auto &options = llvm::cl::getRegisteredOptions();
  auto it = options.find("mlir-pass-statistics");
  return it != options.end() && it->second->getNumOccurrences() != 0;
}

int main(int argc, char **argv) {
  llvm::cl::SetVersionPrinter(memplan::printVersion);
  mlir::registerAllPasses();
  memplan::registerMemplanPasses();
  memplan::registerMemplanPipelines();
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  memplan::registerMemplanDialects(registry);
  memplan::SolveHook showProgress([](const memplan::Problem &problem,
                                     const memplan::SolveOptions &options) {
    return memplan::tool::solveWithProgress(problem, options);
  });
  auto [input, output] = mlir::registerAndParseCLIOptions(
      argc, argv, "memplan optimizer driver\n", registry);
  bool printsStatistics = wantsStatistics();
  mlir::LogicalResult result =
      mlir::MlirOptMain(argc, argv, input, output, registry);
  if (printsStatistics)
    memplan::printPlanStatistics(llvm::errs());
  return mlir::asMainReturnCode(result);
}
