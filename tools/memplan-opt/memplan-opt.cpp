//===- memplan-opt.cpp - The optimizer driver -----------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/ProgressLine.h"
#include "memplan/Core/Version.h"
#include "memplan/Transforms/Embedding.h"
#include "memplan/Transforms/SolveHook.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"

static void printVersion(llvm::raw_ostream &os) {
  os << "memplan " << memplan::version() << ", LLVM " << LLVM_VERSION_STRING
     << "\n";
}

int main(int argc, char **argv) {
  llvm::cl::SetVersionPrinter(printVersion);
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
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "memplan optimizer driver\n", registry));
}
