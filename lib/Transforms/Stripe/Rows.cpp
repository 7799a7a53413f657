//===- Rows.cpp - The rows of operands that rows of a result need ---------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Stripe/Rows.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace memplan;

static bool isStatic(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape();
}

bool memplan::isStripable(Operation *op) {
  if (op->getNumResults() != 1 || !isStatic(op->getResult(0)) ||
      llvm::is_contained(
          cast<RankedTensorType>(op->getResult(0).getType()).getShape(), 0))
    return false;
  if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
    // The body of an op may access memory, which other ops may change before
    // the stripes are computed.
    SmallVector<int64_t> ranges = structured.getStaticLoopRanges();
    return structured.hasPureTensorSemantics() && isMemoryEffectFree(op) &&
           !ShapedType::isDynamicShape(ranges) &&
           !llvm::is_contained(ranges, 0);
  }
  if (auto pad = dyn_cast<tensor::PadOp>(op))
    return isStatic(pad.getSource()) && pad.getConstantPaddingValue() &&
           !ShapedType::isDynamicShape(pad.getStaticLow());
  if (isa<tensor::ConcatOp>(op))
    return llvm::all_of(op->getOperands(), isStatic);
  return isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op) &&
         isStatic(op->getOperand(0));
}

/// True if iterations of the loop that follow each other access a slice of each
/// operand, as upstream computes it: from the first element of the first
/// iteration to the last one of the last.
static bool isSliceable(linalg::LinalgOp op, unsigned loop) {
  return llvm::all_of(op.getIndexingMapsArray(), [&](AffineMap map) {
    return llvm::all_of(map.getResults(), [&](AffineExpr expr) {
      SmallVector<int64_t> flat;
      return !expr.isFunctionOfDim(loop) ||
             (succeeded(getFlattenedAffineExpr(expr, map.getNumDims(),
                                               map.getNumSymbols(), &flat)) &&
              flat.size() == map.getNumDims() + map.getNumSymbols() + 1 &&
              llvm::all_of(flat, [](int64_t factor) { return factor >= 0; }));
    });
  });
}

bool memplan::hasSlices(Operation *op, unsigned dim) {
  if (isa<linalg::LinalgOp>(op))
    return getLoop(op, dim).has_value();
  if (auto concat = dyn_cast<tensor::ConcatOp>(op))
    return concat.getDim() != dim;
  return getOperandRows(op->getOpOperand(0), Rows{dim}).has_value();
}

SmallVector<std::pair<unsigned, int64_t>> memplan::getCuts(Operation *op) {
  SmallVector<std::pair<unsigned, int64_t>> cuts;
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured || !isStripable(op))
    return cuts;
  SmallVector<int64_t> ranges = structured.getStaticLoopRanges();
  bool isOutermost = true;
  for (auto [loop, kind] :
       llvm::enumerate(structured.getIteratorTypesArray())) {
    bool isReduction = kind == utils::IteratorType::reduction;
    if (ranges[loop] > 1 && (!isReduction || isOutermost) &&
        isSliceable(structured, loop))
      cuts.emplace_back(loop, ranges[loop]);
    isOutermost &= !isReduction || ranges[loop] == 1;
  }
  return cuts;
}

std::optional<unsigned> memplan::getLoop(Operation *op, unsigned dim) {
  auto structured = cast<linalg::LinalgOp>(op);
  AffineMap map = structured.getIndexingMapMatchingResult(op->getResult(0));
  auto loop = dyn_cast<AffineDimExpr>(map.getResult(dim));
  if (!loop ||
      structured.getIteratorTypesArray()[loop.getPosition()] !=
          utils::IteratorType::parallel ||
      !isSliceable(structured, loop.getPosition()))
    return std::nullopt;
  return loop.getPosition();
}

std::optional<Rows> memplan::getLoopRows(OpOperand &operand, Rows rows) {
  auto op = cast<linalg::LinalgOp>(operand.getOwner());
  AffineMap map = op.getMatchingIndexingMap(&operand);
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  std::optional<Rows> found;
  for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
    if (!expr.isFunctionOfDim(rows.dim))
      continue;
    // Coefficients of the loops, then the constant.
    SmallVector<int64_t> flat;
    if (found ||
        failed(getFlattenedAffineExpr(expr, map.getNumDims(), 0, &flat)))
      return std::nullopt;
    int64_t step = flat[rows.dim], last = flat.back();
    for (auto [loop, range] : llvm::enumerate(ranges))
      if (loop != rows.dim)
        last += flat[loop] * (range - 1);
    // Upstream's slices have what a constant skips, too.
    found = Rows{static_cast<unsigned>(dim), rows.step * step,
                 (rows.extent - 1) * step + last + 1, rows.offset * step};
  }
  return found;
}

/// The dimension of the other side of a reshape that has the same slices.
/// `from` and `to` are the shapes of both sides.
static std::optional<unsigned>
getReshapedDim(unsigned dim, ArrayRef<int64_t> from, ArrayRef<int64_t> to,
               ArrayRef<ReassociationIndices> groups, bool fromIsCollapsed) {
  for (auto [collapsed, group] : llvm::enumerate(groups)) {
    if (fromIsCollapsed) {
      if (collapsed != dim)
        continue;
      for (int64_t expanded : group)
        if (to[expanded] == from[dim])
          return expanded;
    } else if (llvm::is_contained(group, static_cast<int64_t>(dim)) &&
               from[dim] == to[collapsed]) {
      return collapsed;
    }
  }
  return std::nullopt;
}

std::optional<Rows> memplan::getOperandRows(OpOperand &operand, Rows rows) {
  Operation *op = operand.getOwner();
  if (isa<linalg::LinalgOp>(op)) {
    std::optional<unsigned> loop = getLoop(op, rows.dim);
    if (!loop)
      return std::nullopt;
    rows.dim = *loop;
    return getLoopRows(operand, rows);
  }
  if (isa<tensor::ConcatOp>(op))
    return rows;
  if (operand.getOperandNumber() != 0)
    return std::nullopt;
  if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    rows.offset -= pad.getStaticLow()[rows.dim];
    return rows;
  }
  auto reshape = [&](auto reshapeOp, bool isCollapse) -> std::optional<Rows> {
    std::optional<unsigned> dim =
        getReshapedDim(rows.dim, reshapeOp.getResultType().getShape(),
                       reshapeOp.getSrcType().getShape(),
                       reshapeOp.getReassociationIndices(), isCollapse);
    if (dim)
      rows.dim = *dim;
    return dim ? std::optional(rows) : std::nullopt;
  };
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    return reshape(collapse, true);
  return reshape(cast<tensor::ExpandShapeOp>(op), false);
}
