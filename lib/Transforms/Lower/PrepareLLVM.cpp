//===- PrepareLLVM.cpp - Memref ops that upstream does not lower ----------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/IR/Memplan.h"
#include "memplan/Transforms/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace memplan {
#define GEN_PASS_DEF_MEMPLANPREPARELLVM
#include "memplan/Transforms/PipelineParts.h.inc"
} // namespace memplan

/// True if the slice leaves out dimensions and takes steps. Which dimensions
/// these are, SubViewOp::getDroppedDims reads from the strides of the source,
/// which are not those of the slice then: it errs, or has no answer.
static bool hidesDroppedDims(memref::SubViewOp slice) {
  return slice.getType().getRank() != slice.getSourceType().getRank() &&
         llvm::any_of(slice.getStaticStrides(),
                      [](int64_t step) { return step != 1; });
}

/// Takes the steps first, and leaves out dimensions then.
static void split(memref::SubViewOp slice, RewriterBase &rewriter) {
  rewriter.setInsertionPoint(slice);
  auto all = memref::SubViewOp::create(
      rewriter, slice.getLoc(), slice.getSource(), slice.getMixedOffsets(),
      slice.getMixedSizes(), slice.getMixedStrides());
  size_t rank = slice.getSourceType().getRank();
  SmallVector<OpFoldResult> zeros(rank, rewriter.getIndexAttr(0));
  SmallVector<OpFoldResult> ones(rank, rewriter.getIndexAttr(1));
  rewriter.replaceOpWithNewOp<memref::SubViewOp>(
      slice, slice.getType(), all, zeros, slice.getMixedSizes(), ones);
}

/// Its one block can have no blocks in it, which loops and branches become.
static void inlineScope(memref::AllocaScopeOp scope, RewriterBase &rewriter) {
  rewriter.setInsertionPoint(scope);
  auto pointer = LLVM::LLVMPointerType::get(scope.getContext());
  Value stack = LLVM::StackSaveOp::create(rewriter, scope.getLoc(), pointer);
  Block &body = scope.getBodyRegion().front();
  Operation *end = body.getTerminator();
  rewriter.inlineBlockBefore(&body, scope);
  LLVM::StackRestoreOp::create(rewriter, scope.getLoc(), stack);
  rewriter.replaceOp(scope, end->getOperands());
  rewriter.eraseOp(end);
}

namespace {
struct PrepareLLVMPass
    : memplan::impl::MemplanPrepareLLVMBase<PrepareLLVMPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    getOperation()->walk([&](Operation *op) {
      if (auto slice = dyn_cast<memref::SubViewOp>(op)) {
        if (hidesDroppedDims(slice))
          split(slice, rewriter);
      } else if (auto scope = dyn_cast<memref::AllocaScopeOp>(op)) {
        if (scope.getBodyRegion().hasOneBlock())
          inlineScope(scope, rewriter);
      }
    });
  }
};
} // namespace
