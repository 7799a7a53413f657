//===- LowerPass.cpp - The memplan-lower pass -----------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/IR/Memplan.h"
#include "memplan/Transforms/Materialize.h"
#include "memplan/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace memplan {
#define GEN_PASS_DEF_MEMPLANLOWER
#include "memplan/Transforms/Passes.h.inc"
} // namespace memplan

using namespace memplan;

namespace {
struct LowerPass : memplan::impl::MemplanLowerBase<LowerPass> {
  void runOnOperation() override {
    SymbolTableCollection symbols;
    getOperation()->walk([&](FunctionOpInterface function) {
      lowerToMemRef(function, symbols);
    });
  }
};
} // namespace
