//===- DistributeWorkersPass.cpp - Parallel loops of few workers ----------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckOptions.h"
#include "memplan/Analysis/AliasGraph.h"
#include "memplan/Transforms/DistributeWorkers.h"
#include "memplan/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace memplan {
#define GEN_PASS_DEF_MEMPLANDISTRIBUTEWORKERS
#include "memplan/Transforms/Passes.h.inc"
} // namespace memplan

using namespace memplan;

namespace {
struct DistributeWorkersPass
    : memplan::impl::MemplanDistributeWorkersBase<DistributeWorkersPass> {
  using MemplanDistributeWorkersBase::MemplanDistributeWorkersBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    MemplanDistributeWorkersBase::getDependentDialects(registry);
    registerAliasInterfaces(registry);
  }

  void runOnOperation() override {
    Location loc = getOperation().getLoc();
    if (failed(checkAtLeast(loc, "workers", workers, 1)))
      return signalPassFailure();
    distributeWorkers(getOperation(), workers, calleeTrust);
  }
};
} // namespace
