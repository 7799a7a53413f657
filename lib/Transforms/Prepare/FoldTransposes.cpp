//===- FoldTransposes.cpp - Transposes inside of contractions -------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A transposition becomes a copy of its operand when tensors become buffers.
// A contraction needs no copy: its indexing map says in which order it reads
// the operand. Importers write a linear layer as a transposition of the weight
// and a matmul, so that each call of the program copies each weight.
//
//===----------------------------------------------------------------------===//

#include "Prepare/MemoryOrder.h"
#include "memplan/Transforms/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <map>

using namespace mlir;

namespace memplan {
#define GEN_PASS_DEF_MEMPLANFOLDTRANSPOSES
#include "memplan/Transforms/PipelineParts.h.inc"
} // namespace memplan

using namespace memplan;

/// True if the operand is an input of a contraction on tensors, which reads
/// each element at an index that is a permutation of some of its loops.
static bool isContractionInput(OpOperand &operand) {
  auto op = dyn_cast<linalg::LinalgOp>(operand.getOwner());
  return op && op.hasPureTensorSemantics() && op.isDpsInput(&operand) &&
         linalg::isaContractionOpInterface(op) &&
         op.getMatchingIndexingMap(&operand).isProjectedPermutation();
}

/// True if some op uses the value and each use is an input of a contraction.
static bool feedsContractionsOnly(Value value) {
  return !value.use_empty() &&
         llvm::all_of(value.getUses(), isContractionInput);
}

/// The map by which the contraction reads the operand of the transposition
/// instead of its result.
static AffineMap composeWith(AffineMap map, ArrayRef<int64_t> permutation) {
  SmallVector<AffineExpr> results(permutation.size());
  for (auto [dimension, source] : llvm::enumerate(permutation))
    results[source] = map.getResult(dimension);
  return AffineMap::get(map.getNumDims(), 0, results, map.getContext());
}

/// True if the op may have the map for its operand. `linalg.matmul` and
/// `linalg.batch_matmul` permit other orders of rows and columns, behind the
/// batch.
static bool mayHaveMap(linalg::LinalgOp op, AffineMap map) {
  if (isa<linalg::GenericOp, linalg::ContractOp, linalg::MatmulOp>(op))
    return true;
  return isa<linalg::BatchMatmulOp>(op) &&
         map.getResult(0) == getAffineDimExpr(0, map.getContext());
}

/// Lets the contraction read the operand of the transposition. A named op may
/// become a generic one, with all its operands.
static LogicalResult foldInto(RewriterBase &rewriter, OpOperand &use,
                              linalg::TransposeOp transpose) {
  auto op = cast<linalg::LinalgOp>(use.getOwner());
  unsigned number = use.getOperandNumber();
  AffineMap map =
      composeWith(op.getMatchingIndexingMap(&use), transpose.getPermutation());
  if (!mayHaveMap(op, map)) {
    rewriter.setInsertionPoint(op);
    FailureOr<linalg::GenericOp> generic =
        linalg::generalizeNamedOp(rewriter, op);
    if (failed(generic))
      return failure();
    op = *generic;
  }
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  maps[number] = map;
  rewriter.modifyOpInPlace(op, [&] {
    op->setOperand(number, transpose.getInput());
    op->setAttr("indexing_maps", rewriter.getAffineMapArrayAttr(maps));
  });
  return success();
}

/// The dimensions of the operand that the groups of dimensions of the
/// transposed tensor are, if each group has consecutive dimensions of the
/// operand; the groups in the order of the operand. `permutation` gets the
/// permutation of the groups.
static std::optional<SmallVector<ReassociationIndices>>
findGroupsBefore(ArrayRef<ReassociationIndices> groups,
                 ArrayRef<int64_t> transposed,
                 SmallVectorImpl<int64_t> &permutation) {
  // By the first dimension of the operand, the number of the group.
  SmallVector<int64_t> groupAt(transposed.size(), -1);
  for (auto [number, group] : llvm::enumerate(groups)) {
    for (auto [offset, dimension] : llvm::enumerate(group))
      if (transposed[dimension] !=
          transposed[group.front()] + static_cast<int64_t>(offset))
        return std::nullopt;
    groupAt[transposed[group.front()]] = static_cast<int64_t>(number);
  }
  SmallVector<ReassociationIndices> before;
  permutation.resize(groups.size());
  int64_t dimension = 0;
  for (int64_t number : groupAt) {
    if (number < 0)
      continue;
    permutation[number] = static_cast<int64_t>(before.size());
    ReassociationIndices &group = before.emplace_back();
    for (size_t i = 0; i < groups[number].size(); ++i)
      group.push_back(dimension++);
  }
  return before;
}

/// True if all users of the transposition, also of its collapsed result, read
/// the same elements when they read its operand: no memory that this may be is
/// written in between.
static bool mayReadLater(linalg::TransposeOp transpose,
                         const MemoryOrder &order) {
  auto mayRead = [&](Operation *user) {
    Operation *place = transpose->getBlock()->findAncestorOpInBlock(*user);
    return place && order.mayMove(transpose, place) &&
           (place == user || isMemoryEffectFree(place));
  };
  return llvm::all_of(transpose->getUsers(), [&](Operation *user) {
    return mayRead(user) && (!isa<tensor::CollapseShapeOp>(user) ||
                             llvm::all_of(user->getUsers(), mayRead));
  });
}

/// Collapses before it transposes, if contractions alone use the collapsed
/// tensor; returns the new transposition. Otherwise returns null.
static linalg::TransposeOp moveBehindCollapse(RewriterBase &rewriter,
                                              linalg::TransposeOp transpose) {
  if (!transpose.hasPureTensorSemantics() || !transpose->hasOneUse())
    return nullptr;
  auto collapse =
      dyn_cast<tensor::CollapseShapeOp>(*transpose->getUsers().begin());
  if (!collapse || !feedsContractionsOnly(collapse.getResult()))
    return nullptr;
  SmallVector<int64_t> permutation;
  auto groups = findGroupsBefore(collapse.getReassociationIndices(),
                                 transpose.getPermutation(), permutation);
  if (!groups)
    return nullptr;
  rewriter.setInsertionPoint(collapse);
  Location loc = collapse.getLoc();
  Value collapsed = tensor::CollapseShapeOp::create(
      rewriter, loc, transpose.getInput(), *groups);
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(rewriter, loc, collapsed);
  SmallVector<OpFoldResult> transposed;
  for (int64_t source : permutation)
    transposed.push_back(sizes[source]);
  Value empty = tensor::EmptyOp::create(rewriter, loc, transposed,
                                        collapse.getType().getElementType());
  auto moved =
      linalg::TransposeOp::create(rewriter, loc, collapsed, empty, permutation);
  // The static sizes of the two may be known in one of them only.
  if (moved->getResult(0).getType() != collapse.getType()) {
    rewriter.eraseOp(moved);
    return nullptr;
  }
  rewriter.replaceOp(collapse, moved);
  rewriter.eraseOp(transpose);
  return moved;
}

namespace {
struct FoldTransposesPass
    : memplan::impl::MemplanFoldTransposesBase<FoldTransposesPass> {
  void runOnOperation() override {
    SmallVector<linalg::TransposeOp> transposes;
    getOperation()->walk(
        [&](linalg::TransposeOp op) { transposes.push_back(op); });
    if (transposes.empty())
      return;
    IRRewriter rewriter(&getContext());
    bool readsMemRefs = hasTensorsOfMemRefs(getOperation());
    std::map<Block *, MemoryOrder> orders;
    // Users first: a transposition of a transposition is folded before it.
    for (linalg::TransposeOp transpose : llvm::reverse(transposes)) {
      Block *block = transpose->getBlock();
      const MemoryOrder &order =
          orders.try_emplace(block, *block, readsMemRefs).first->second;
      if (!mayReadLater(transpose, order))
        continue;
      if (linalg::TransposeOp moved = moveBehindCollapse(rewriter, transpose))
        transpose = moved;
      if (!transpose.hasPureTensorSemantics() ||
          !feedsContractionsOnly(transpose->getResult(0)))
        continue;
      while (!transpose->use_empty() &&
             succeeded(foldInto(rewriter, *transpose->use_begin(), transpose)))
        continue;
      if (transpose->use_empty())
        rewriter.eraseOp(transpose);
    }
  }
};
} // namespace
