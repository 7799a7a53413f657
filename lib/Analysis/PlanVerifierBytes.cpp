//===- PlanVerifierBytes.cpp - Which bytes an op reads or writes ----------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanVerifierBytes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace memplan::planverifier {
namespace {

/// A set of more ranges than this is taken for one that is not known.
constexpr int64_t kMaxRanges = 1 << 14;

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
  return llvm::none_of(op.getStaticLoopRanges(),
                       [](int64_t range) { return range == 0; });
}

bool overwritesAll(Operation *op, Value memref) {
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

/// The indices of the one element that the op stores to or loads from `memref`.
std::optional<SmallVector<int64_t>> getConstantElement(Operation *op,
                                                       Value memref) {
  SmallVector<OpFoldResult> indices;
  if (auto store = dyn_cast<memref::StoreOp>(op);
      store && store.getMemRef() == memref)
    indices = getAsOpFoldResult(store.getIndices());
  else if (auto load = dyn_cast<memref::LoadOp>(op))
    indices = getAsOpFoldResult(load.getIndices());
  else if (isa<affine::AffineStoreOp, affine::AffineLoadOp>(op)) {
    auto store = dyn_cast<affine::AffineStoreOp>(op);
    AffineMap map = store ? store.getAffineMap()
                          : cast<affine::AffineLoadOp>(op).getAffineMap();
    if (!map.isConstant() && map.getNumResults() != 0)
      return std::nullopt;
    for (int64_t index : map.getConstantResults())
      indices.push_back(
          IntegerAttr::get(IndexType::get(op->getContext()), index));
  } else {
    return std::nullopt;
  }
  return getConstantIntValues(indices);
}

} // namespace

std::optional<ByteSet> Bytes::box(Value memref, ArrayRef<int64_t> offsets,
                                  ArrayRef<int64_t> sizes,
                                  Operation *scope) const {
  auto type = dyn_cast<MemRefType>(memref.getType());
  if (!type || !aliases.getFlows().isBased(memref))
    return std::nullopt;
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)) ||
      ShapedType::isDynamic(offset) ||
      llvm::any_of(strides, ShapedType::isDynamic))
    return std::nullopt;
  std::optional<int64_t> bytes = getElementBytes(type.getElementType(), scope);
  if (!bytes)
    return std::nullopt;
  int64_t reach = 0;
  if (llvm::MulOverflow(std::abs(offset), *bytes, reach))
    return std::nullopt;
  for (auto [start, size, stride] : llvm::zip(offsets, sizes, strides)) {
    int64_t span;
    if (llvm::AddOverflow(start, size, span) ||
        llvm::MulOverflow(span, std::abs(stride), span) ||
        llvm::MulOverflow(span, *bytes, span) ||
        llvm::AddOverflow(reach, span, reach))
      return std::nullopt;
  }
  // From the innermost dimension out, ranges that touch grow together.
  auto order = llvm::to_vector(llvm::seq<unsigned>(0, strides.size()));
  llvm::stable_sort(order, [&](unsigned a, unsigned b) {
    return std::abs(strides[a]) < std::abs(strides[b]);
  });
  ByteSet set = {{0, *bytes}};
  for (unsigned dim : order) {
    int64_t size = sizes[dim], step = strides[dim] * *bytes;
    offset += offsets[dim] * strides[dim];
    if (set.size() == 1 && set[0].end - set[0].begin == step) {
      set[0].end = set[0].begin + size * step;
      continue;
    }
    if (size > kMaxRanges ||
        static_cast<int64_t>(set.size()) * size > kMaxRanges)
      return std::nullopt;
    ByteSet grown;
    for (int64_t i = 0; i != size; ++i)
      for (ByteRange range : set)
        grown.push_back({range.begin + i * step, range.end + i * step});
    set = std::move(grown);
  }
  llvm::sort(set, [](ByteRange a, ByteRange b) { return a.begin < b.begin; });
  ByteSet merged;
  for (ByteRange range : set) {
    range.begin += offset * *bytes;
    range.end += offset * *bytes;
    if (!merged.empty() && range.begin <= merged.back().end)
      merged.back().end = std::max(merged.back().end, range.end);
    else
      merged.push_back(range);
  }
  return merged;
}

std::optional<ByteSet> Bytes::all(Value memref, Operation *scope) const {
  auto type = dyn_cast<MemRefType>(memref.getType());
  if (!type || !type.hasStaticShape())
    return std::nullopt;
  if (type.getNumElements() == 0)
    return ByteSet();
  SmallVector<int64_t> offsets(type.getRank(), 0);
  return box(memref, offsets, type.getShape(), scope);
}

ByteRange Bytes::extent(unsigned handle) const {
  ByteRange range;
  for (unsigned slot : model.handles[handle].slots) {
    ByteRange bytes = model.handles[slot].bytes;
    range.end = std::max(range.end, bytes.end - bytes.begin);
  }
  return range;
}

ByteSet Bytes::read(Operation *op, const Access &access) const {
  ByteSet whole = {extent(access.handle)};
  if (!access.memref || isa<CallOpInterface>(op))
    return whole;
  if (auto element = getConstantElement(op, access.memref)) {
    SmallVector<int64_t> sizes(element->size(), 1);
    return box(access.memref, *element, sizes, op).value_or(whole);
  }
  return all(access.memref, op).value_or(whole);
}

ByteSet Bytes::written(Operation *op, const Access &access) const {
  // Of a value that is one of several, only the handle's own state is sure to
  // be written; that is the state the caller mends.
  if (!access.memref)
    return {};
  if (overwritesAll(op, access.memref))
    return all(access.memref, op).value_or(ByteSet());
  if (auto element = getConstantElement(op, access.memref)) {
    SmallVector<int64_t> sizes(element->size(), 1);
    return box(access.memref, *element, sizes, op).value_or(ByteSet());
  }
  return {};
}

} // namespace memplan::planverifier
