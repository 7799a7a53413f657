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

bool memplan::mayHaveLoweredDeallocations(ModuleOp module) {
  return module
      ->walk([](Operation *op) {
        return isa<memref::ExtractAlignedPointerAsIndexOp,
                   bufferization::CloneOp>(op)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

bool memplan::raiseDeallocations(ModuleOp module) {
  DeallocationRaiser raiser;
  bool changed = false;
  module->walk([&](func::FuncOp function) {
    if (function.isExternal() || hasArena(function))
      return;
    changed |= raiser.raise(function);
    changed |= copyClones(function);
  });
  return changed;
}

namespace {
struct RaisePass : memplan::impl::MemplanRaiseDeallocationsBase<RaisePass> {
  void runOnOperation() override { raiseDeallocations(getOperation()); }
};
} // namespace
