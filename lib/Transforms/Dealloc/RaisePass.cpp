//===- RaisePass.cpp - The memplan-raise-deallocations pass ---------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

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

/// The first error of the check, with its location; std::nullopt if it proves
/// that the raised function frees what the original one does.
static std::optional<std::pair<Location, std::string>>
findComplaint(func::FuncOp original, func::FuncOp raised) {
  std::optional<std::pair<Location, std::string>> complaint;
  ScopedDiagnosticHandler capture(
      raised.getContext(), [&](Diagnostic &diagnostic) {
        if (!complaint)
          complaint.emplace(diagnostic.getLocation(), diagnostic.str());
        return success();
      });
  if (succeeded(checkDeallocations(original, raised)))
    return std::nullopt;
  return complaint;
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
    auto complaint = findComplaint(*original, function);
    if (!complaint) {
      changed = true;
      return;
    }
    InFlightDiagnostic diagnostic = refusalIsError
                                        ? emitError(function.getLoc())
                                        : emitWarning(function.getLoc());
    diagnostic << "the deallocations of @" << function.getName()
               << " are not raised: the change failed verification: "
               << complaint->second;
    diagnostic.attachNote(complaint->first) << complaint->second;
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
