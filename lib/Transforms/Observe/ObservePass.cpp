//===- ObservePass.cpp - The memplan-observe pass -------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/IR/Memplan.h"
#include "memplan/Transforms/Passes.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace memplan {
#define GEN_PASS_DEF_MEMPLANOBSERVE
#include "memplan/Transforms/Passes.h.inc"
} // namespace memplan

using namespace memplan;

namespace {
struct ObservePass : memplan::impl::MemplanObserveBase<ObservePass> {
  using MemplanObserveBase::MemplanObserveBase;

  void runOnOperation() override {
    // Far above what finds errors, and far from overflow.
    constexpr int64_t most = int64_t(1) << 20;
    if (guard < 0 || guard > most) {
      getOperation().emitError() << "guard is " << guard.getValue()
                                 << ", but must be from 0 to " << most;
      return signalPassFailure();
    }
    getOperation()->setAttr(MemplanDialect::kObserveAttr,
                            Builder(&getContext()).getI64IntegerAttr(guard));
  }
};
} // namespace
