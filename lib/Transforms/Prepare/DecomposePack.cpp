//===- DecomposePack.cpp - linalg.pack as pad, reshape and transpose ------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/IR/Memplan.h"
#include "memplan/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace memplan {
#define GEN_PASS_DEF_MEMPLANDECOMPOSEPACK
#include "memplan/Transforms/PipelineParts.h.inc"
} // namespace memplan

namespace {
struct DecomposePackPass
    : memplan::impl::MemplanDecomposePackBase<DecomposePackPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    getOperation()->walk([&](Operation *op) {
      rewriter.setInsertionPoint(op);
      // Both leave the op as it is if they fail.
      if (auto pack = dyn_cast<linalg::PackOp>(op))
        (void)linalg::lowerPack(rewriter, pack);
      else if (auto unpack = dyn_cast<linalg::UnPackOp>(op))
        (void)linalg::lowerUnPack(rewriter, unpack);
    });
  }
};
} // namespace
