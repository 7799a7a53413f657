//===- DecomposePad.cpp - tensor.pad as an insertion ----------------------===//
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
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace memplan {
#define GEN_PASS_DEF_MEMPLANDECOMPOSEPAD
#include "memplan/Transforms/PipelineParts.h.inc"
} // namespace memplan

/// True if the value is computed in a tensor of its own: by a linalg op, or by
/// a loop over its stripes.
static bool canMove(Value value) {
  if (auto loop = value.getDefiningOp<scf::ForOp>())
    return loop.getTiedLoopInit(cast<OpResult>(value))
        ->get()
        .getDefiningOp<tensor::EmptyOp>();
  return value.getDefiningOp<linalg::LinalgOp>();
}

/// True if one op of the block computes the operand, so that bufferization can
/// compute it inside the padded tensor. Otherwise the padded
/// tensor, which is larger, would be live longer without saving a copy.
static bool isWorthIt(tensor::PadOp pad) {
  return canMove(pad.getSource()) &&
         pad.getSource().getDefiningOp()->getBlock() == pad->getBlock() &&
         pad.getSource().hasOneUse() && pad.getSourceType().hasStaticShape() &&
         pad.getResultType().hasStaticShape() && pad.getConstantPaddingValue();
}

namespace {
struct DecomposePadPass
    : memplan::impl::MemplanDecomposePadBase<DecomposePadPass> {
  void runOnOperation() override {
    SmallVector<tensor::PadOp> pads;
    getOperation()->walk([&](tensor::PadOp pad) {
      if (isWorthIt(pad))
        pads.push_back(pad);
    });
    linalg::DecomposePadOpPattern decompose(&getContext());
    PatternRewriter rewriter(&getContext());
    for (tensor::PadOp pad : pads) {
      rewriter.setInsertionPoint(pad);
      (void)decompose.matchAndRewrite(pad, rewriter);
    }
  }
};
} // namespace
