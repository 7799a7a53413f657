//===- KeepRows.cpp - Stripes that keep rows for the next one -------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A row of a 3x3 convolution needs three rows of its operand; two of them have
// been computed for the row before. They are kept in a tensor that the loop
// over the stripes carries:
//
//     %r:2 = scf.for %i = -2 to 32 iter_args(%out = %empty, %kept = %two_rows)
//       %new = row %i + 2 of the operand, computed
//       %window = %kept and %new, three rows
//       row %i of the convolution of %window, inserted into %out
//       the last two rows of %window, copied to %kept
//
// The loop starts so early that the first row that is needed finds its rows
// kept. No op computes a row that its result does not have: stripes before the
// first row and behind the last one are shorter, or empty. So nothing is
// computed twice.
//
//===----------------------------------------------------------------------===//

#include "Stripe/Chain.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/TilingInterface.h"

#include "llvm/Support/MathExtras.h"

#include <map>
#include <tuple>

using namespace mlir;
using namespace memplan;

namespace {
/// Slices [first, first + count) of a tensor along one dimension.
struct RowRange {
  OpFoldResult first, count;
};

/// The slices of the result of an op that exist in a stripe.
struct StripePart {
  Value tensor;
  RowRange range;
};

/// The type of some slices of an op's result along one dimension.
RankedTensorType getSliceType(Operation *op, unsigned dim, int64_t count) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = count;
  return type.clone(shape);
}

/// Computes one stripe of a chain, at the start of the loop's body.
class StripeWriter {
public:
  StripeWriter(RewriterBase &rewriter, const Chain &chain, scf::ForOp loop)
      : rewriter(rewriter), chain(chain), loop(loop),
        row(getAffineDimExpr(0, rewriter.getContext())) {}

  /// Computes the stripe, inserts it into the tensor that the loop carries
  /// first, and yields it with the rows that are kept.
  LogicalResult write(Operation *starter) {
    SmallVector<Value> yielded(1);
    for (Operation *op : orderInStripe(chain)) {
      Value out = op == starter ? loop.getRegionIterArg(0) : Value();
      if (op == chain.root) {
        FailureOr<Value> result = writeRoot(out);
        if (failed(result))
          return failure();
        yielded.front() = *result;
        continue;
      }
      FailureOr<StripePart> part = compute(op, out);
      if (failed(part))
        return failure();
      if (chain.keeps(op))
        yielded.push_back(
            keep(op, *part, loop.getRegionIterArg(yielded.size())));
      parts[op] = *part;
    }
    scf::YieldOp::create(rewriter, loop.getLoc(), yielded);
    return success();
  }

private:
  OpFoldResult apply(AffineExpr expr, ArrayRef<OpFoldResult> operands) {
    return affine::makeComposedFoldedAffineApply(rewriter, loop.getLoc(), expr,
                                                 operands);
  }
  AffineMap getMap(ArrayRef<AffineExpr> exprs, size_t operands) {
    return AffineMap::get(operands, 0, exprs, rewriter.getContext());
  }
  OpFoldResult least(ArrayRef<AffineExpr> exprs,
                     ArrayRef<OpFoldResult> operands) {
    return affine::makeComposedFoldedAffineMin(
        rewriter, loop.getLoc(), getMap(exprs, operands.size()), operands);
  }
  OpFoldResult greatest(ArrayRef<AffineExpr> exprs,
                        ArrayRef<OpFoldResult> operands) {
    return affine::makeComposedFoldedAffineMax(
        rewriter, loop.getLoc(), getMap(exprs, operands.size()), operands);
  }
  AffineExpr constant(int64_t value) {
    return getAffineConstantExpr(value, rewriter.getContext());
  }
  OpFoldResult iteration() { return loop.getInductionVar(); }

  /// The first of the rows in this stripe, which may be one that the tensor
  /// does not have.
  AffineExpr first(const Rows &rows) { return row * rows.step + rows.offset; }

  /// Those of the rows in this stripe that a tensor with `size` of them has.
  /// Equal arguments give equal values.
  RowRange clamp(const Rows &rows, int64_t size) {
    int64_t most = rows.of(chain.rows);
    auto [entry, isNew] =
        ranges.try_emplace(std::tuple(rows.step, rows.offset, most, size));
    if (!isNew)
      return entry->second;
    RowRange &range = entry->second;
    OpFoldResult start = apply(first(rows), iteration());
    range.first = greatest({row, constant(0)}, start);
    range.first = least({row, constant(size)}, range.first);
    // It may have fewer than the stripe needs, above and below.
    range.count = least(
        {constant(std::min(most, size)), row + most, constant(size) - row},
        start);
    range.count = greatest({row, constant(0)}, range.count);
    return range;
  }

  static int64_t getSize(Value tensor, unsigned dim) {
    return cast<RankedTensorType>(tensor.getType()).getDimSize(dim);
  }

  /// The slices along one dimension, all of the others.
  SmallVector<Range> getSlices(Value tensor, unsigned dim, RowRange range) {
    SmallVector<Range> slices;
    for (OpFoldResult size :
         tensor::getMixedSizes(rewriter, loop.getLoc(), tensor))
      slices.push_back(
          {rewriter.getIndexAttr(0), size, rewriter.getIndexAttr(1)});
    slices[dim].offset = range.first;
    slices[dim].size = range.count;
    return slices;
  }
  Value slice(Value tensor, unsigned dim, RowRange range) {
    return tensor::ExtractSliceOp::create(rewriter, loop.getLoc(), tensor,
                                          getSlices(tensor, dim, range));
  }
  Value insert(Value source, Value dest, unsigned dim, RowRange range) {
    return tensor::InsertSliceOp::create(rewriter, loop.getLoc(), source, dest,
                                         getSlices(source, dim, range));
  }

  /// Where `range` starts behind slice `origin`. An empty range, which may lie
  /// anywhere, gets a place of its own between `low` and `high`.
  OpFoldResult getPlace(RowRange range, OpFoldResult origin, int64_t low,
                        int64_t high) {
    AffineExpr other = getAffineDimExpr(1, rewriter.getContext());
    OpFoldResult place = apply(row - other, {range.first, origin});
    if (isa<Attribute>(place))
      return place;
    if (!ShapedType::isDynamic(high))
      place = least({row, constant(high) - other}, {place, range.count});
    return greatest({row, constant(low)}, place);
  }

  /// The slices of what an op of the chain reads, from those that the stripe
  /// has of it, or from a tensor that exists as a whole.
  Value take(Value source, unsigned dim, RowRange range) {
    auto found = parts.find(source.getDefiningOp());
    if (found == parts.end())
      return slice(source, dim, range);
    const StripePart &part = found->second;
    if (part.range.first == range.first && part.range.count == range.count)
      return part.tensor;
    range.first =
        getPlace(range, part.range.first, 0, getSize(part.tensor, dim));
    return slice(part.tensor, dim, range);
  }

  /// Computes iterations `range` of loop `cut`. The result starts from `out`,
  /// if there is one.
  FailureOr<Value> tile(linalg::LinalgOp op, unsigned cut, RowRange range,
                        Value out) {
    SmallVector<OpFoldResult> offsets, sizes;
    for (int64_t size : op.getStaticLoopRanges()) {
      offsets.push_back(rewriter.getIndexAttr(0));
      sizes.push_back(rewriter.getIndexAttr(size));
    }
    offsets[cut] = range.first;
    sizes[cut] = range.count;
    FailureOr<TilingResult> result =
        cast<TilingInterface>(op.getOperation())
            .getTiledImplementation(rewriter, offsets, sizes);
    if (failed(result) || result->tiledOps.size() != 1)
      return failure();
    // The slices of the operands, from what the stripe has of them.
    Operation *tiled = result->tiledOps.front();
    rewriter.setInsertionPoint(tiled);
    for (OpOperand &operand : op->getOpOperands()) {
      Value whole = out && op.isDpsInit(&operand) ? out : operand.get();
      Value needed = whole;
      if (op.getMatchingIndexingMap(&operand).isFunctionOfDim(cut)) {
        std::optional<Rows> rows = getLoopRows(operand, Rows{cut});
        if (!rows)
          return failure();
        OpFoldResult first = apply(row * rows->step, range.first);
        OpFoldResult count =
            apply((row - 1) * rows->step + rows->extent, range.count);
        // No iteration needs nothing, not less.
        if (rows->extent < rows->step)
          count = greatest({row, constant(0)}, count);
        needed = take(whole, rows->dim, {first, count});
      }
      tiled->setOperand(operand.getOperandNumber(), needed);
    }
    for (Operation *slice : llvm::reverse(result->generatedSlices))
      if (slice->use_empty())
        rewriter.eraseOp(slice);
    rewriter.setInsertionPointAfter(tiled);
    return tiled->getResult(0);
  }

  FailureOr<Value> writeRoot(Value out) {
    auto root = cast<linalg::LinalgOp>(chain.root);
    RowRange range = clamp(Rows{chain.loop}, chain.count);
    FailureOr<Value> result = tile(root, chain.loop, range, out);
    if (failed(result))
      return failure();
    AffineMap map = root.getIndexingMapMatchingResult(root->getResult(0));
    if (!map.isFunctionOfDim(chain.loop))
      return *result;
    std::optional<unsigned> dim =
        map.getResultPosition(getAffineDimExpr(chain.loop, map.getContext()));
    if (!dim)
      return failure();
    return insert(*result, loop.getRegionIterArg(0), *dim, range);
  }

  FailureOr<StripePart> compute(Operation *op, Value out) {
    Rows rows = chain.computed(op);
    if (auto pad = dyn_cast<tensor::PadOp>(op))
      return computePad(pad, rows);
    RowRange range = clamp(rows, getSize(op->getResult(0), rows.dim));
    if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
      FailureOr<Value> result =
          tile(structured, *getLoop(op, rows.dim), range, out);
      if (failed(result))
        return failure();
      return StripePart{*result, range};
    }
    SmallVector<Value> operands;
    for (OpOperand &operand : op->getOpOperands()) {
      std::optional<Rows> needed = getOperandRows(operand, rows);
      if (!needed)
        return failure();
      operands.push_back(take(operand.get(), needed->dim, range));
    }
    RankedTensorType type = getSliceType(
        op, rows.dim,
        getConstantIntValue(range.count).value_or(ShapedType::kDynamic));
    SmallVector<OpFoldResult> sizes =
        getAsIndexOpFoldResult(rewriter.getContext(), type.getShape());
    sizes[rows.dim] = range.count;
    Location loc = op->getLoc();
    if (auto concat = dyn_cast<tensor::ConcatOp>(op))
      return StripePart{tensor::ConcatOp::create(rewriter, loc, type,
                                                 concat.getDim(), operands),
                        range};
    if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
      return StripePart{
          tensor::CollapseShapeOp::create(rewriter, loc, type, operands.front(),
                                          collapse.getReassociationIndices()),
          range};
    auto expand = cast<tensor::ExpandShapeOp>(op);
    return StripePart{
        tensor::ExpandShapeOp::create(rewriter, loc, type, operands.front(),
                                      expand.getReassociationIndices(), sizes),
        range};
  }

  /// A pad makes as many slices in each stripe, so that its size is static:
  /// where its operand has none it pads, also beyond its result.
  FailureOr<StripePart> computePad(tensor::PadOp pad, const Rows &rows) {
    int64_t count = rows.of(chain.rows);
    Rows sourceRows = *getOperandRows(pad->getOpOperand(0), rows);
    RowRange range = clamp(sourceRows, getSize(pad.getSource(), rows.dim));
    Value source = take(pad.getSource(), rows.dim, range);
    SmallVector<OpFoldResult> low = pad.getMixedLowPad();
    SmallVector<OpFoldResult> high = pad.getMixedHighPad();
    OpFoldResult above =
        greatest({-first(sourceRows), constant(0)}, iteration());
    low[rows.dim] = least({row, constant(count)}, above);
    high[rows.dim] = apply(constant(count) - row -
                               getAffineDimExpr(1, rewriter.getContext()),
                           {range.count, low[rows.dim]});
    auto part = tensor::PadOp::create(rewriter, pad.getLoc(),
                                      getSliceType(pad, rows.dim, count),
                                      source, low, high, pad.getNofold());
    rewriter.cloneRegionBefore(pad.getRegion(), part.getRegion(),
                               part.getRegion().end());
    return StripePart{
        part, {apply(first(rows), iteration()), rewriter.getIndexAttr(count)}};
  }

  /// Puts the slices that were kept and those that are new together, as `part`,
  /// and returns the last of them, kept for the next stripe.
  Value keep(Operation *op, StripePart &part, Value kept) {
    Rows rows = chain.producers.lookup(op);
    int64_t count = rows.of(chain.rows), halo = rows.halo();
    Value window = tensor::EmptyOp::create(rewriter, op->getLoc(),
                                           getSliceType(op, rows.dim, count),
                                           ValueRange());
    OpFoldResult origin = apply(first(rows), iteration());
    OpFoldResult keptCount = rewriter.getIndexAttr(halo);
    window =
        insert(kept, window, rows.dim, {rewriter.getIndexAttr(0), keptCount});
    RowRange added = {getPlace(part.range, origin, halo, count),
                      part.range.count};
    window = insert(part.tensor, window, rows.dim, added);
    part = {window, {origin, rewriter.getIndexAttr(count)}};
    Value last = slice(window, rows.dim,
                       {rewriter.getIndexAttr(count - halo), keptCount});
    return bufferization::MaterializeInDestinationOp::create(
               rewriter, op->getLoc(), last, kept)
        .getResult();
  }

  RewriterBase &rewriter;
  const Chain &chain;
  scf::ForOp loop;
  /// The only, or the first, operand of an affine map.
  AffineExpr row;
  std::map<std::tuple<int64_t, int64_t, int64_t, int64_t>, RowRange> ranges;
  llvm::DenseMap<Operation *, StripePart> parts;
};
} // namespace

/// The op of the chain that starts what the root computes: the root, or the op
/// that fills the tensor that the root adds to.
static linalg::LinalgOp findStarter(const Chain &chain) {
  auto starter = cast<linalg::LinalgOp>(chain.root);
  while (auto maker =
             starter.getDpsInits()[0].getDefiningOp<linalg::LinalgOp>()) {
    if (!chain.producers.contains(maker))
      break;
    starter = maker;
  }
  return starter;
}

FailureOr<Value> memplan::computeKeepingRows(RewriterBase &rewriter,
                                             const Chain &chain) {
  Location loc = chain.root->getLoc();
  rewriter.setInsertionPoint(chain.root);
  linalg::LinalgOp starter = findStarter(chain);
  SmallVector<Value> carried = {starter.getDpsInits()[0]};
  // The first stripe finds nothing kept: whatever is kept for it comes before
  // slice 0.
  int64_t early = 0;
  for (Operation *op : orderInStripe(chain)) {
    if (op == chain.root || !chain.keeps(op))
      continue;
    Rows rows = chain.producers.lookup(op);
    early = std::max(
        early, llvm::divideCeilSigned(rows.offset + rows.halo(), rows.step));
    carried.push_back(tensor::EmptyOp::create(
        rewriter, op->getLoc(), getSliceType(op, rows.dim, rows.halo()),
        ValueRange()));
  }
  early = llvm::alignTo(early, chain.rows);
  auto index = [&](int64_t value) {
    return arith::ConstantIndexOp::create(rewriter, loc, value);
  };
  auto loop =
      scf::ForOp::create(rewriter, loc, index(-early), index(chain.count),
                         index(chain.rows), carried);
  rewriter.setInsertionPointToStart(loop.getBody());
  if (failed(StripeWriter(rewriter, chain, loop).write(starter))) {
    rewriter.eraseOp(loop);
    return failure();
  }
  return loop.getResult(0);
}
