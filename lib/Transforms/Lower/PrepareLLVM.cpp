//===- PrepareLLVM.cpp - Memref ops that upstream does not lower ----------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/IR/Memplan.h"
#include "memplan/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Utils/MemRefUtils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
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

/// True if upstream copies memory of this type as a whole.
static bool isOnePiece(MemRefType type) {
  return type.getLayout().isIdentity() ||
         (type.hasStaticShape() &&
          memref::isStaticShapeAndContiguousRowMajor(type));
}

/// How many of the last dimensions are one piece of memory of constant size.
static size_t countJoined(MemRefType type) {
  auto [strides, offset] = type.getStridesAndOffset();
  int64_t elements = 1;
  size_t joined = 0;
  for (auto [size, stride] :
       llvm::reverse(llvm::zip_equal(type.getShape(), strides))) {
    if (ShapedType::isDynamic(size) || (size != 1 && stride != elements))
      break;
    elements *= size;
    ++joined;
  }
  return joined;
}

/// Copies piece by piece what is not one piece of memory. Upstream calls a
/// function for it, which goes from element to element.
static void copyPieces(memref::CopyOp copy, RewriterBase &rewriter) {
  auto from = dyn_cast<MemRefType>(copy.getSource().getType());
  auto to = dyn_cast<MemRefType>(copy.getTarget().getType());
  if (!from || !to || (isOnePiece(from) && isOnePiece(to)) ||
      !from.isStrided() || !to.isStrided())
    return;
  ArrayRef<int64_t> shape = from.getShape();
  if (llvm::is_contained(shape, 0)) {
    rewriter.eraseOp(copy);
    return;
  }
  size_t outer = shape.size() - std::min(countJoined(from), countJoined(to));
  bool isElement =
      llvm::all_of(shape.drop_front(outer), [](int64_t n) { return n == 1; });
  if (isElement)
    outer = shape.size();
  Location loc = copy.getLoc();
  rewriter.setInsertionPoint(copy);
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
  SmallVector<Value> first, end, step, indices(outer, zero);
  SmallVector<size_t> looped;
  for (size_t dim = 0; dim < outer; ++dim) {
    if (shape[dim] == 1)
      continue;
    looped.push_back(dim);
    first.push_back(zero);
    end.push_back(rewriter.createOrFold<memref::DimOp>(
        loc, copy.getSource(), static_cast<int64_t>(dim)));
    step.push_back(one);
  }
  auto slice = [&](OpBuilder &builder, Value whole) -> Value {
    SmallVector<OpFoldResult> offsets, sizes;
    SmallVector<OpFoldResult> ones(shape.size(), builder.getIndexAttr(1));
    for (auto [dim, size] : llvm::enumerate(shape)) {
      bool isInner = dim >= outer;
      offsets.push_back(isInner ? OpFoldResult(builder.getIndexAttr(0))
                                : OpFoldResult(indices[dim]));
      sizes.push_back(builder.getIndexAttr(isInner ? size : 1));
    }
    auto type = cast<MemRefType>(memref::SubViewOp::inferRankReducedResultType(
        shape.drop_front(outer), cast<MemRefType>(whole.getType()), offsets,
        sizes, ones));
    return memref::SubViewOp::create(builder, loc, type, whole, offsets, sizes,
                                     ones);
  };
  scf::buildLoopNest(rewriter, loc, first, end, step,
                     [&](OpBuilder &builder, Location, ValueRange loops) {
                       for (auto [dim, index] : llvm::zip_equal(looped, loops))
                         indices[dim] = index;
                       if (isElement) {
                         Value element = memref::LoadOp::create(
                             builder, loc, copy.getSource(), indices);
                         memref::StoreOp::create(builder, loc, element,
                                                 copy.getTarget(), indices);
                         return;
                       }
                       Value piece = slice(builder, copy.getSource());
                       memref::CopyOp::create(builder, loc, piece,
                                              slice(builder, copy.getTarget()));
                     });
  rewriter.eraseOp(copy);
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
      } else if (auto copy = dyn_cast<memref::CopyOp>(op)) {
        copyPieces(copy, rewriter);
      }
    });
  }
};
} // namespace
