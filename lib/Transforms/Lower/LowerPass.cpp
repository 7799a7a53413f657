//===- LowerPass.cpp - The memplan-lower pass -----------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Observe/Guards.h"
#include "memplan/IR/Memplan.h"
#include "memplan/IR/Observation.h"
#include "memplan/Transforms/Materialize.h"
#include "memplan/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace memplan {
#define GEN_PASS_DEF_MEMPLANLOWER
#include "memplan/Transforms/Passes.h.inc"
} // namespace memplan

using namespace memplan;

namespace {
struct LowerPass : memplan::impl::MemplanLowerBase<LowerPass> {
  using MemplanLowerBase::MemplanLowerBase;

  void runOnOperation() override {
    if (guard && failed(insertAllGuards()))
      return signalPassFailure();
    getOperation()->walk([](ProblemOp problem) {
      problem.emitWarning() << "the plan of @" << problem.getFunction()
                            << " is not in the program: run "
                               "memplan-materialize before memplan-lower";
    });
    removeObservation(getOperation());
    SymbolTableCollection symbols;
    getOperation()->walk([&](FunctionOpInterface function) {
      lowerToMemRef(function, symbols);
    });
  }

private:
  LogicalResult insertAllGuards() {
    RuntimeCalls calls;
    SmallVector<FunctionOpInterface> functions;
    getOperation()->walk([&](FunctionOpInterface function) {
      if (!function.isExternal() && !isOnDevice(function))
        functions.push_back(function);
    });
    for (FunctionOpInterface function : functions)
      if (failed(insertGuards(function, calls)))
        return failure();
    return success();
  }
};
} // namespace
