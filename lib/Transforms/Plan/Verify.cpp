//===- Verify.cpp - Verify planned functions ------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Analysis/PlanVerifier.h"
#include "memplan/Transforms/Passes.h"

#include "mlir/IR/BuiltinOps.h"

namespace memplan {
#define GEN_PASS_DEF_MEMPLANVERIFY
#include "memplan/Transforms/Passes.h.inc"
} // namespace memplan

using namespace mlir;

namespace {

class Verify : public memplan::impl::MemplanVerifyBase<Verify> {
  void runOnOperation() override {
    if (failed(memplan::verifyPlannedFunctions(getOperation())))
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace
