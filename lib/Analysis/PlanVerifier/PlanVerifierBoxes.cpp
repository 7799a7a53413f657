//===- PlanVerifierBoxes.cpp - Which elements an op touches ---------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanVerifierBoxes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;

namespace memplan::planverifier {

bool Box::isConstant() const {
  return llvm::all_of(dims,
                      [](const BoxDim &dim) { return dim.variables.empty(); });
}

bool Box::grow(const LoopRange &range) {
  bool isFilled = true, isVaried = false;
  for (BoxDim &dim : dims) {
    auto variable = llvm::find(dim.variables, range.variable);
    if (variable == dim.variables.end())
      continue;
    // Along a diagonal most elements are left out.
    isFilled &= dim.span >= range.step && !isVaried;
    isVaried = true;
    int64_t last = (range.end - 1 - range.begin) / range.step * range.step;
    dim.variables.erase(variable);
    if (llvm::AddOverflow(dim.offset, range.begin, dim.offset) ||
        llvm::AddOverflow(dim.span, last, dim.span)) {
      dim.offset = std::numeric_limits<int64_t>::min();
      isFilled = false;
    }
  }
  return isFilled;
}

bool Box::contains(const Box &other) const {
  auto holds = [](const BoxDim &outer, const BoxDim &inner) {
    int64_t end, innerEnd;
    return outer.variables == inner.variables && outer.offset <= inner.offset &&
           !llvm::AddOverflow(outer.offset, outer.span, end) &&
           !llvm::AddOverflow(inner.offset, inner.span, innerEnd) &&
           innerEnd <= end;
  };
  return memref == other.memref && llvm::equal(dims, other.dims, holds);
}

namespace {

/// Sums of more variables are not taken apart, nor are those that are nested
/// deeper: a sum of a sum with itself, and so on, has no end.
constexpr unsigned kMaxVariables = 4;
constexpr unsigned kMaxDepth = 6;

bool addIndex(BoxDim &dim, Value index, unsigned depth = kMaxDepth);

/// Adds a sum of dimensions, symbols and constants; false for what is none.
bool addSum(BoxDim &dim, AffineExpr expr, ValueRange operands, unsigned numDims,
            unsigned depth = kMaxDepth) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return !llvm::AddOverflow(dim.offset, constant.getValue(), dim.offset);
  if (auto variable = dyn_cast<AffineDimExpr>(expr))
    return addIndex(dim, operands[variable.getPosition()], depth);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return addIndex(dim, operands[numDims + symbol.getPosition()], depth);
  auto sum = dyn_cast<AffineBinaryOpExpr>(expr);
  return sum && sum.getKind() == AffineExprKind::Add &&
         addSum(dim, sum.getLHS(), operands, numDims, depth) &&
         addSum(dim, sum.getRHS(), operands, numDims, depth);
}

/// Moves `dim` by `index`; false if it is a sum of too much.
bool addIndex(BoxDim &dim, Value index, unsigned depth) {
  if (std::optional<int64_t> constant = getConstantIntValue(index))
    return !llvm::AddOverflow(dim.offset, *constant, dim.offset);
  BoxDim whole = dim;
  auto sum = index.getDefiningOp<arith::AddIOp>();
  auto apply = index.getDefiningOp<affine::AffineApplyOp>();
  if (sum && depth > 0) {
    if (addIndex(dim, sum.getLhs(), depth - 1) &&
        addIndex(dim, sum.getRhs(), depth - 1))
      return true;
  } else if (apply && depth > 0) {
    AffineMap map = apply.getAffineMap();
    if (addSum(dim, map.getResult(0), apply.getMapOperands(), map.getNumDims(),
               depth - 1))
      return true;
  }
  dim = std::move(whole);
  dim.variables.push_back(index);
  return dim.variables.size() <= kMaxVariables;
}

/// A part whose place depends on the iteration is a box of what it is part of.
void lookThroughParts(Box &box) {
  while (auto part = box.memref.getDefiningOp<memref::SubViewOp>()) {
    if (!part.hasUnitStride())
      return;
    llvm::SmallBitVector dropped = part.getDroppedDims();
    Box around;
    around.memref = part.getSource();
    unsigned next = 0;
    for (auto [i, offset] : llvm::enumerate(part.getMixedOffsets())) {
      BoxDim dim = dropped[i] ? BoxDim() : box.dims[next++];
      std::optional<int64_t> constant = getConstantIntValue(offset);
      if (constant ? llvm::AddOverflow(dim.offset, *constant, dim.offset) != 0
                   : !addIndex(dim, cast<Value>(offset)))
        return;
      around.dims.push_back(std::move(dim));
    }
    box = std::move(around);
  }
}

std::optional<Box> makeBox(Value memref, SmallVector<BoxDim, 4> dims) {
  Box box{memref, std::move(dims)};
  lookThroughParts(box);
  return box;
}

/// `spans` elements of `memref` at indices that are results of `map`.
std::optional<Box> getElement(Value memref, AffineMap map, ValueRange operands,
                              ArrayRef<int64_t> spans) {
  SmallVector<BoxDim, 4> dims;
  for (auto [expr, span] : llvm::zip(map.getResults(), spans)) {
    dims.push_back({{}, 0, span});
    if (!addSum(dims.back(), expr, operands, map.getNumDims()))
      return std::nullopt;
  }
  return makeBox(memref, std::move(dims));
}

std::optional<Box> getElement(Value memref, ValueRange indices,
                              ArrayRef<int64_t> spans) {
  SmallVector<BoxDim, 4> dims;
  for (auto [index, span] : llvm::zip(indices, spans)) {
    dims.push_back({{}, 0, span});
    if (!addIndex(dims.back(), index))
      return std::nullopt;
  }
  return makeBox(memref, std::move(dims));
}

/// True if each execution of the op writes every element of its init: each
/// dimension of the init is a loop of its own, or has one element.
bool coversInit(linalg::LinalgOp op, OpOperand &init) {
  auto type = cast<MemRefType>(init.get().getType());
  AffineMap map = op.getMatchingIndexingMap(&init);
  llvm::SmallDenseSet<unsigned> loops;
  for (auto [expr, dim] : llvm::zip(map.getResults(), type.getShape())) {
    if (auto loop = dyn_cast<AffineDimExpr>(expr)) {
      if (!loops.insert(loop.getPosition()).second)
        return false;
      continue;
    }
    if (dim != 1 || !isa<AffineConstantExpr>(expr))
      return false;
  }
  // A reduction over nothing writes nothing.
  for (auto [loop, range] : llvm::enumerate(op.getStaticLoopRanges()))
    if (range == 0 || (ShapedType::isDynamic(range) && !loops.contains(loop)))
      return false;
  return true;
}

/// True if the transfer moves a plain box.
bool isPlain(VectorTransferOpInterface transfer) {
  return transfer.getPermutationMap().isMinorIdentity() &&
         !transfer.getMask() && !transfer.hasOutOfBoundsDim() &&
         !transfer.getVectorType().isScalable();
}

/// The vector's shape as spans of the innermost dimensions of the memref.
SmallVector<int64_t> getSpans(int64_t rank, VectorType vector) {
  SmallVector<int64_t> spans(rank, 1);
  for (int64_t i = 0, e = vector.getRank(); i != e; ++i)
    if (rank - e + i >= 0)
      spans[rank - e + i] = vector.getDimSize(i);
  return spans;
}

} // namespace

std::optional<Box> getWhole(Value memref) {
  auto type = dyn_cast<MemRefType>(memref.getType());
  if (!type || !type.hasStaticShape())
    return std::nullopt;
  SmallVector<BoxDim, 4> dims;
  for (int64_t size : type.getShape())
    dims.push_back({{}, 0, size});
  return makeBox(memref, std::move(dims));
}

bool overwritesAll(Operation *op, Value memref) {
  if (llvm::count(op->getOperands(), memref) != 1)
    return false;
  if (auto copy = dyn_cast<memref::CopyOp>(op))
    return copy.getTarget() == memref;
  if (auto softmax = dyn_cast<linalg::SoftmaxOp>(op))
    return softmax.getOutput() == memref;
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return llvm::any_of(linalgOp.getDpsInitsMutable(), [&](OpOperand &init) {
      return init.get() == memref &&
             !linalgOp.payloadUsesValueFromOperand(&init) &&
             coversInit(linalgOp, init);
    });
  return false;
}

std::optional<Box> getElements(Operation *op, Value memref) {
  auto type = dyn_cast<MemRefType>(memref.getType());
  if (!type)
    return std::nullopt;
  int64_t rank = type.getRank();
  SmallVector<int64_t> one(rank, 1);
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return getElement(memref, store.getIndices(), one);
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return getElement(memref, load.getIndices(), one);
  if (auto store = dyn_cast<affine::AffineStoreOp>(op))
    return getElement(memref, store.getAffineMap(), store.getMapOperands(),
                      one);
  if (auto load = dyn_cast<affine::AffineLoadOp>(op))
    return getElement(memref, load.getAffineMap(), load.getMapOperands(), one);
  if (isa<VectorType>(type.getElementType()))
    return std::nullopt;
  if (auto store = dyn_cast<vector::StoreOp>(op))
    return getElement(memref, store.getIndices(),
                      getSpans(rank, store.getVectorType()));
  if (auto load = dyn_cast<vector::LoadOp>(op))
    return getElement(memref, load.getIndices(),
                      getSpans(rank, load.getVectorType()));
  if (auto transfer = dyn_cast<VectorTransferOpInterface>(op);
      transfer && isPlain(transfer))
    return getElement(memref, transfer.getIndices(),
                      getSpans(rank, transfer.getVectorType()));
  return std::nullopt;
}

std::optional<Box> getWritten(Operation *op, Value memref) {
  if (overwritesAll(op, memref))
    return getWhole(memref);
  if (!isa<memref::StoreOp, affine::AffineStoreOp, vector::StoreOp,
           vector::TransferWriteOp>(op))
    return std::nullopt;
  if (auto store = dyn_cast<vector::StoreOp>(op);
      store && store.getVectorType().isScalable())
    return std::nullopt;
  return getElements(op, memref);
}

} // namespace memplan::planverifier
