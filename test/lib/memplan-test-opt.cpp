//===- memplan-test-opt.cpp - memplan-opt with a foreign dialect ----------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Foreign.h"

#include "memplan/IR/Memplan.h"
#include "memplan/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  memplan::registerMemplanPasses();
  mlir::DialectRegistry registry;
  registry.insert<foreign::ForeignDialect, memplan::MemplanDialect,
                  mlir::func::FuncDialect, mlir::memref::MemRefDialect,
                  mlir::scf::SCFDialect>();
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "memplan with a dialect it does not know\n", registry));
}
