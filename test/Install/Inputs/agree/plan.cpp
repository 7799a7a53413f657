//===- plan.cpp - Plans a model in C++ ------------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// plan-cxx FILE REPORT: prints the planned program and writes the report of the
// plan, which it gets as objects, to REPORT.
//
//===----------------------------------------------------------------------===//

#include "memplan/Transforms/Embedding.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <fstream>

using namespace mlir;

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  memplan::registerMemplanDialects(registry);
  MLIRContext context(registry);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(argv[1], &context);
  if (!module)
    return 1;
  FailureOr<memplan::PlanData> data = memplan::computePlans(*module);
  if (failed(data))
    return 1;
  std::ofstream(argv[2]) << memplan::formatJson(data->report);
  PassManager manager(&context);
  memplan::buildPlanMemoryPipeline(manager, memplan::PlanMemoryOptions());
  if (failed(manager.run(*module)))
    return 1;
  // As memplan-opt prints.
  module->print(llvm::outs());
  llvm::outs() << "\n";
  return 0;
}
