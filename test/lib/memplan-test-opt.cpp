//===- memplan-test-opt.cpp - memplan-opt with passes for tests -----------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Foreign.h"
#include "TestCorrespondence.h"
#include "TestStripes.h"

#include "memplan/IR/Memplan.h"
#include "memplan/InitAll.h"

#include "mlir/InitAllDialects.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  memplan::registerAllPasses();
  memplan::registerMemplanPipelinePartsPasses();
  memplan::registerTestCorrespondence();
  memplan::registerTestStripes();
  mlir::registerCanonicalizerPass();
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  registry.insert<foreign::ForeignDialect, memplan::MemplanDialect>();
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "memplan with a dialect it does not know\n", registry));
}
