//===- RaisePass.cpp - The memplan-raise-deallocations pass ---------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Complaints.h"
#include "memplan/Analysis/BuildProblem.h"
#include "memplan/Equivalence/Equivalence.h"
#include "memplan/Transforms/Passes.h"
#include "memplan/Transforms/RaiseDeallocations.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"

using namespace mlir;

namespace memplan {
#define GEN_PASS_DEF_MEMPLANRAISEDEALLOCATIONS
#include "memplan/Transforms/Passes.h.inc"
} // namespace memplan

using namespace memplan;

bool memplan::mayHaveLoweredDeallocations(Operation *scope) {
  return scope
      ->walk([](Operation *op) {
        return isa<memref::ExtractAlignedPointerAsIndexOp,
                   bufferization::CloneOp>(op)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

FailureOr<bool> memplan::raiseDeallocations(ModuleOp module,
                                            bool refusalIsError) {
  DeallocationRaiser raiser;
  bool changed = false, isRefused = false;
  module->walk([&](func::FuncOp function) {
    if (function.isExternal() || hasArena(function) ||
        !mayHaveLoweredDeallocations(function))
      return;
    OwningOpRef<func::FuncOp> original = function.clone();
    bool isRaised = raiser.raise(function);
    isRaised |= copyClones(function);
    if (!isRaised)
      return;
    std::vector<Complaint> complaints =
        findComplaints(module.getContext(),
                       [&] { return checkDeallocations(*original, function); });
    if (complaints.empty()) {
      changed = true;
      return;
    }
    InFlightDiagnostic diagnostic = refusalIsError
                                        ? emitError(function.getLoc())
                                        : emitWarning(function.getLoc());
    diagnostic << "the deallocations of @" << function.getName()
               << " are not raised: the change failed verification: "
               << complaints.front().second;
    diagnostic.attachNote(complaints.front().first)
        << complaints.front().second;
    isRefused |= refusalIsError;
    function.getBody().takeBody(original->getBody());
  });
  if (isRefused)
    return failure();
  return changed;
}

namespace {
struct RaisePass : memplan::impl::MemplanRaiseDeallocationsBase<RaisePass> {
  void runOnOperation() override {
    (void)raiseDeallocations(getOperation(), /*refusalIsError=*/false);
  }
};
} // namespace
