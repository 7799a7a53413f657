//===- Verify.cpp - The verifier as a pass --------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Analysis/PlanVerifier.h"
#include "memplan/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
using namespace mlir;
namespace memplan {
#define GEN_PASS_DEF_MEMPLANVERIFY
#include "memplan/Transforms/Passes.h.inc"
} // namespace memplan
namespace {
struct VerifyPass : memplan::impl::MemplanVerifyBase<VerifyPass> {
  void runOnOperation() override {}
};
} // namespace
