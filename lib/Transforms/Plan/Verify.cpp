//===- Verify.cpp - Verify planned functions ------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/IR/Memplan.h"
#include "memplan/Transforms/Passes.h"
#include "memplan/Verifier/Verifier.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"

namespace memplan {
#define GEN_PASS_DEF_MEMPLANVERIFY
#include "memplan/Transforms/Passes.h.inc"
} // namespace memplan

using namespace mlir;

namespace {

class Verify : public memplan::impl::MemplanVerifyBase<Verify> {
public:
  using MemplanVerifyBase::MemplanVerifyBase;

private:
  void runOnOperation() override {
    markAllAnalysesPreserved();
    if (failed(memplan::verifyPlansIn(getOperation())))
      return signalPassFailure();
    int64_t plans = countPlans();
    Location loc = getOperation().getLoc();
    if (plans == 0)
      emitWarning(loc)
          << "there is no plan to verify: no function has an arena";
    else if (!quiet)
      emitRemark(loc) << "verified the plans of " << plans
                      << (plans == 1 ? " function" : " functions");
  }

  /// The number of functions with an arena, lowered or not, of their own or as
  /// an argument.
  int64_t countPlans() {
    StringRef mark = memplan::MemplanDialect::kArenaAttr;
    int64_t count = 0;
    getOperation()->walk([&](FunctionOpInterface function) {
      bool isPlanned = false;
      for (unsigned i = 0; i < function.getNumArguments(); ++i)
        isPlanned |= function.getArgAttr(i, mark) != nullptr;
      function->walk<WalkOrder::PreOrder>([&](Operation *op) {
        if (op != function && isa<FunctionOpInterface>(op))
          return WalkResult::skip();
        isPlanned |= isa<memplan::ArenaOp>(op) || op->hasAttr(mark) ||
                     op->hasAttr(memplan::MemplanDialect::kWorkgroupAttr);
        return WalkResult::advance();
      });
      count += isPlanned;
    });
    return count;
  }
};

} // namespace
