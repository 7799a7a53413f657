//===- RaisePass.cpp - The memplan-raise-deallocations pass ---------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Analysis/BuildProblem.h"
#include "memplan/Transforms/Passes.h"
#include "memplan/Transforms/RaiseDeallocations.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"

using namespace mlir;

namespace memplan {
#define GEN_PASS_DEF_MEMPLANRAISEDEALLOCATIONS
#include "memplan/Transforms/Passes.h.inc"
} // namespace memplan

using namespace memplan;

namespace {
struct RaisePass : memplan::impl::MemplanRaiseDeallocationsBase<RaisePass> {
  void runOnOperation() override {
    DeallocationRaiser raiser;
    getOperation()->walk([&](func::FuncOp function) {
      if (function.isExternal() || hasArena(function))
        return;
      raiser.raise(function);
      copyClones(function);
    });
  }
};
} // namespace
