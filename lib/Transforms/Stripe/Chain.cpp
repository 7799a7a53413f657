//===- Chain.cpp - Ops that are computed in stripes together --------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Stripe/Chain.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include <map>

using namespace mlir;
using namespace memplan;

bool memplan::isForFree(Operation *op) {
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    return structured.getNumReductionLoops() == 0 &&
           llvm::hasSingleElement(*structured.getBlock());
  return isa<tensor::PadOp, tensor::ConcatOp, tensor::CollapseShapeOp,
             tensor::ExpandShapeOp>(op);
}

/// True for an op for free that makes a tensor of a smaller one or of a scalar:
/// a fill, the broadcast of a bias.
static bool isRepeatable(Operation *op) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  return structured && isForFree(op) &&
         llvm::all_of(structured.getDpsInputOperands(), [&](OpOperand *input) {
           return structured.getRank(input) <
                  structured.getRank(structured.getDpsInitOperand(0));
         });
}

void memplan::splitRepeatables(Block &block) {
  MemoryOrder order(block);
  SmallVector<Operation *> shared;
  for (Operation &op : block)
    if (isStripable(&op) && isRepeatable(&op) && !op.use_empty() &&
        !op.hasOneUse() && llvm::all_of(op.getUsers(), [&](Operation *user) {
          return order.mayMove(&op, block.findAncestorOpInBlock(*user));
        }))
      shared.push_back(&op);
  for (Operation *op : shared) {
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : op->getUses())
      uses.push_back(&use);
    uses.pop_back();
    for (OpOperand *use : uses) {
      OpBuilder builder(block.findAncestorOpInBlock(*use->getOwner()));
      use->set(builder.clone(*op)->getResult(0));
    }
    // One use is left.
    if (!op->use_empty())
      op->moveBefore(block.findAncestorOpInBlock(**op->getUsers().begin()));
  }
}

/// Adds what the slices insert into an empty tensor, one after the other along
/// one dimension, to `parts`. std::nullopt if they do not fill it so.
static std::optional<int64_t> getParts(tensor::InsertSliceOp last,
                                       const MemoryOrder &order,
                                       SmallVectorImpl<Value> &parts) {
  ArrayRef<int64_t> whole = last.getType().getShape();
  if (ShapedType::isDynamicShape(whole))
    return std::nullopt;
  std::optional<int64_t> dim;
  SmallVector<tensor::InsertSliceOp> inserts = {last};
  while (auto next =
             inserts.back().getDest().getDefiningOp<tensor::InsertSliceOp>()) {
    if (!next->hasOneUse() || !order.mayMove(next, last))
      return std::nullopt;
    inserts.push_back(next);
  }
  if (inserts.size() < 2 ||
      !inserts.back().getDest().getDefiningOp<tensor::EmptyOp>())
    return std::nullopt;
  int64_t end = 0;
  for (tensor::InsertSliceOp insert : llvm::reverse(inserts)) {
    ArrayRef<int64_t> sizes = insert.getStaticSizes();
    if (!insert.hasUnitStride() ||
        ShapedType::isDynamicShape(insert.getStaticOffsets()) ||
        insert.getSourceType().getShape() != sizes)
      return std::nullopt;
    for (auto [at, size] : llvm::enumerate(sizes)) {
      int64_t offset = insert.getStaticOffsets()[at];
      if (size == whole[at] && offset == 0)
        continue;
      if (dim.value_or(at) != static_cast<int64_t>(at) || offset != end)
        return std::nullopt;
      dim = at;
    }
    if (!dim)
      return std::nullopt;
    end += sizes[*dim];
    parts.push_back(insert.getSource());
  }
  return end == whole[*dim] ? dim : std::nullopt;
}

void memplan::raiseConcats(Block &block) {
  IRRewriter rewriter(block.getParentOp()->getContext());
  MemoryOrder order(block);
  SmallVector<tensor::InsertSliceOp> lasts;
  for (auto insert : block.getOps<tensor::InsertSliceOp>())
    if (!insert->hasOneUse() ||
        !isa<tensor::InsertSliceOp>(*insert->getUsers().begin()))
      lasts.push_back(insert);
  for (tensor::InsertSliceOp insert : lasts) {
    SmallVector<Value> parts;
    std::optional<int64_t> dim = getParts(insert, order, parts);
    if (!dim)
      continue;
    rewriter.setInsertionPoint(insert);
    Operation *dead = insert;
    rewriter.replaceAllUsesWith(
        insert.getResult(),
        tensor::ConcatOp::create(rewriter, insert.getLoc(), insert.getType(),
                                 *dim, parts)
            .getResult());
    while (auto unused = dyn_cast_or_null<tensor::InsertSliceOp>(dead)) {
      if (!unused->use_empty())
        break;
      dead = unused.getDest().getDefiningOp();
      rewriter.eraseOp(unused);
    }
  }
}

bool Chain::keeps(Operation *op) const {
  if (!keepsRows || producers.lookup(op).halo() == 0)
    return false;
  auto pad = dyn_cast<tensor::PadOp>(op);
  return !pad || producers.contains(pad.getSource().getDefiningOp());
}

bool Chain::keepsAny() const {
  return llvm::any_of(producers,
                      [&](const auto &entry) { return keeps(entry.first); });
}

Chain memplan::growChain(
    Operation *root, unsigned loop, int64_t count, bool keepsRows,
    llvm::function_ref<bool(Operation *, const Rows &)> mayJoin) {
  Chain chain;
  chain.root = root;
  chain.loop = loop;
  chain.count = count;
  chain.keepsRows = keepsRows;
  // The ops that make operands of the chain, the last of the block first.
  // std::nullopt: not all users need the same slices.
  struct Later {
    bool operator()(Operation *a, Operation *b) const {
      return b->isBeforeInBlock(a);
    }
  };
  std::map<Operation *, std::optional<Rows>, Later> needs;
  auto need = [&](OpOperand &operand, std::optional<Rows> rows) {
    Operation *maker = operand.get().getDefiningOp();
    if (!maker || maker->getBlock() != root->getBlock() || !isStripable(maker))
      return;
    auto [entry, isNew] = needs.try_emplace(maker, rows);
    if (!isNew && entry->second != rows)
      entry->second = std::nullopt;
  };
  // The start of a sum that is cut does not depend on the loop: it stays whole.
  for (OpOperand &operand : root->getOpOperands())
    need(operand, getLoopRows(operand, Rows{loop}));
  while (!needs.empty()) {
    auto [op, rows] = *needs.begin();
    needs.erase(needs.begin());
    if (!rows)
      continue;
    bool isPrivate = llvm::all_of(op->getUsers(), [&](Operation *user) {
      return user == root || chain.producers.contains(user);
    });
    if (!isPrivate)
      continue;
    if (!hasSlices(op, rows->dim))
      continue;
    if (!mayJoin(op, *rows))
      continue;
    chain.producers.insert({op, *rows});
    if (keepsRows)
      rows = rows->withoutHalo();
    for (OpOperand &operand : op->getOpOperands())
      need(operand, getOperandRows(operand, *rows));
  }
  return chain;
}

SmallVector<Operation *> memplan::orderInStripe(const Chain &chain) {
  SmallVector<Operation *> order;
  llvm::DenseSet<Operation *> met;
  SmallVector<std::pair<Operation *, unsigned>> open = {{chain.root, 0}};
  while (!open.empty()) {
    auto &[op, next] = open.back();
    if (next == op->getNumOperands()) {
      order.push_back(op);
      open.pop_back();
      continue;
    }
    Operation *maker = op->getOperand(next++).getDefiningOp();
    if (maker && chain.producers.contains(maker) && met.insert(maker).second)
      open.emplace_back(maker, 0);
  }
  return order;
}

/// True if each stripe of the chain needs something of what the pad pads.
static bool isNeverOnlyPadding(tensor::PadOp pad, const Rows &rows,
                               const Chain &chain) {
  int64_t low = pad.getStaticLow()[rows.dim];
  int64_t size = pad.getSourceType().getDimSize(rows.dim);
  int64_t last = (chain.count - chain.rows) * rows.step + rows.offset;
  return rows.offset + rows.of(chain.rows) > low && last < low + size;
}

/// Upstream guards against slices of pads that have no element of the operand.
/// Where there are none, the branch would only hide that the slice has one
/// place.
static void dropGuards(RewriterBase &rewriter, Operation *loop) {
  SmallVector<scf::IfOp> guards;
  loop->walk<WalkOrder::PreOrder>([&](Operation *op) {
    // What is inside of a structured op is the program's.
    if (isa<linalg::LinalgOp>(op))
      return WalkResult::skip();
    auto branch = dyn_cast<scf::IfOp>(op);
    if (branch && !branch.thenBlock()->getOps<tensor::GenerateOp>().empty())
      guards.push_back(branch);
    return WalkResult::advance();
  });
  for (scf::IfOp guard : guards) {
    auto yield = guard.elseYield();
    rewriter.inlineBlockBefore(guard.elseBlock(), guard);
    rewriter.replaceOp(guard, yield.getOperands());
    rewriter.eraseOp(yield);
  }
}

namespace {
/// A slice of a concatenation is one of slices, unless it cuts the dimension
/// that is concatenated.
struct SliceOfConcat : OpRewritePattern<tensor::ExtractSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractSliceOp slice,
                                PatternRewriter &rewriter) const override {
    auto concat = slice.getSource().getDefiningOp<tensor::ConcatOp>();
    if (!concat || !slice.hasUnitStride() || !isStripable(concat) ||
        slice.getType().getRank() != concat.getType().getRank())
      return failure();
    auto dim = static_cast<size_t>(concat.getDim());
    if (slice.getStaticOffsets()[dim] != 0 ||
        slice.getStaticSizes()[dim] != concat.getType().getDimSize(dim))
      return failure();
    SmallVector<Value> parts;
    for (Value part : concat.getInputs()) {
      SmallVector<OpFoldResult> sizes = slice.getMixedSizes();
      sizes[dim] = rewriter.getIndexAttr(
          cast<RankedTensorType>(part.getType()).getDimSize(dim));
      parts.push_back(tensor::ExtractSliceOp::create(
          rewriter, slice.getLoc(), part, slice.getMixedOffsets(), sizes,
          slice.getMixedStrides()));
    }
    rewriter.replaceOpWithNewOp<tensor::ConcatOp>(slice, slice.getType(), dim,
                                                  parts);
    return success();
  }
};
} // namespace

/// Replaces the ops of the chain by a loop in which upstream fuses them.
static FailureOr<Value> computeAgain(RewriterBase &rewriter,
                                     const Chain &chain) {
  auto root = cast<TilingInterface>(chain.root);
  SmallVector<OpFoldResult> sizes(root.getLoopIteratorTypes().size(),
                                  rewriter.getIndexAttr(0));
  sizes[chain.loop] = rewriter.getIndexAttr(chain.rows);
  scf::SCFTilingOptions tiling;
  tiling.setTileSizes(sizes);
  scf::SCFTileAndFuseOptions options;
  options.setTilingOptions(tiling);
  options.setFusionControlFn(
      [&](tensor::ExtractSliceOp, OpResult producer,
          bool) -> std::optional<scf::SCFTileAndFuseOptions::ControlFnResult> {
        if (!chain.producers.contains(producer.getOwner()))
          return std::nullopt;
        return scf::SCFTileAndFuseOptions::ControlFnResult{};
      });
  // Reshapes of the chain are no tilable ops: their slices move before them.
  RewritePatternSet patterns(rewriter.getContext());
  tensor::populateBubbleUpExtractSliceOpPatterns(patterns);
  patterns.add<SliceOfConcat>(rewriter.getContext());
  options.cleanupPatterns = FrozenRewritePatternSet(std::move(patterns));
  rewriter.setInsertionPoint(root);
  FailureOr<scf::SCFTileAndFuseResult> result =
      scf::tileConsumerAndFuseProducersUsingSCF(rewriter, root, options);
  if (failed(result))
    return failure();
  bool needsGuards = llvm::any_of(chain.producers, [&](const auto &entry) {
    auto pad = dyn_cast<tensor::PadOp>(entry.first);
    return pad && !isNeverOnlyPadding(pad, entry.second, chain);
  });
  if (!needsGuards && !result->loops.empty())
    dropGuards(rewriter, result->loops.front());
  return result->replacements[chain.root->getResult(0)];
}

LogicalResult memplan::computeInStripes(RewriterBase &rewriter,
                                        const Chain &chain) {
  FailureOr<Value> result = chain.keepsAny()
                                ? computeKeepingRows(rewriter, chain)
                                : computeAgain(rewriter, chain);
  if (failed(result))
    return failure();
  rewriter.replaceAllUsesWith(chain.root->getResult(0), *result);
  rewriter.eraseOp(chain.root);
  for (const auto &[op, rows] : chain.producers)
    if (op->use_empty())
      rewriter.eraseOp(op);
  return success();
}

LogicalResult memplan::foldStripes(Operation *function) {
  MLIRContext *context = function->getContext();
  RewritePatternSet patterns(context);
  tensor::populateDecomposeTensorConcatPatterns(patterns);
  tensor::populateFoldTensorEmptyPatterns(patterns);
  tensor::populateMergeConsecutiveInsertExtractSlicePatterns(patterns);
  for (Dialect *dialect : context->getLoadedDialects())
    dialect->getCanonicalizationPatterns(patterns);
  for (RegisteredOperationName op : context->getRegisteredOperations())
    op.getCanonicalizationPatterns(patterns, context);
  if (failed(applyPatternsGreedily(function, std::move(patterns))))
    return failure();
  // Not between loops: a fill that two ops start from would be copied for one.
  SmallVector<Operation *> loops;
  function->walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
    loops.push_back(loop);
    return WalkResult::skip();
  });
  IRRewriter rewriter(context);
  for (Operation *loop : loops) {
    DominanceInfo dominance(loop);
    eliminateCommonSubExpressions(rewriter, dominance, loop);
  }
  return success();
}
