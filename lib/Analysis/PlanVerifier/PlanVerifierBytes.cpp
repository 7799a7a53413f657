//===- PlanVerifierBytes.cpp - Which bytes an op reads or writes ----------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanVerifierBytes.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace memplan::planverifier {
namespace {

/// A set of more ranges than this is taken for one that is not known.
constexpr int64_t kMaxRanges = 1 << 12;

} // namespace

std::optional<ByteSet> Bytes::bytesOf(const Box &box, Operation *scope) const {
  Value memref = box.memref;
  if (!box.isConstant())
    return std::nullopt;
  SmallVector<int64_t> offsets, sizes;
  for (const BoxDim &dim : box.dims) {
    offsets.push_back(dim.offset);
    sizes.push_back(dim.span);
    if (dim.span == 0)
      return ByteSet();
    if (dim.offset < 0)
      return std::nullopt;
  }
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

bool Bytes::hasKnownPlace(Value memref) const {
  auto type =
      dyn_cast_if_present<MemRefType>(memref ? memref.getType() : Type());
  if (!type || !type.hasStaticShape() || !aliases.getFlows().isBased(memref))
    return false;
  SmallVector<int64_t> strides;
  int64_t offset;
  return succeeded(type.getStridesAndOffset(strides, offset)) &&
         !ShapedType::isDynamic(offset) &&
         llvm::none_of(strides, ShapedType::isDynamic);
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
  if (!access.memref)
    return whole;
  std::optional<Box> box = getElements(op, access.memref);
  if (!box || !box->isConstant()) {
    // The type says at least what part of its slot the memref is.
    auto type = dyn_cast<MemRefType>(access.memref.getType());
    if (!type || !type.hasStaticShape())
      return whole;
    box = Box{access.memref, {}};
    for (int64_t size : type.getShape())
      box->dims.push_back({{}, 0, size});
  }
  return bytesOf(*box, op).value_or(whole);
}

ByteSet Bytes::written(Operation *op, const Access &access) const {
  if (!access.memref || access.reads)
    return {};
  std::optional<Box> box = access.overwrites ? getWhole(access.memref)
                                             : getWritten(op, access.memref);
  return box ? bytesOf(*box, op).value_or(ByteSet()) : ByteSet();
}

LoopKey Bytes::findCoveringLoop(Operation *op, const Access &access,
                                Loops &loops) const {
  // What is in no loop is most, and seen soonest.
  if (!access.memref || access.reads)
    return {};
  if (op->getParentRegion()->hasOneBlock() && !getLoopRanges(op->getParentOp()))
    return {};
  std::optional<Box> box = getWritten(op, access.memref);
  if (!box)
    return {};
  llvm::SmallDenseSet<Value> open;
  for (const BoxDim &dim : box->dims)
    open.insert(dim.variables.begin(), dim.variables.end());
  if (open.empty())
    return {};
  LoopKey covering;
  loops.forEachAround(op, [&](LoopKey loop, ArrayRef<LoopRange> ranges) {
    for (const LoopRange &range : ranges)
      open.erase(range.variable);
    if (open.empty())
      covering = loop;
    return !open.empty();
  });
  return covering;
}

ByteSet Bytes::covered(LoopKey loop, Operation *op, const Access &access,
                       Loops &loops) const {
  Box box = *getWritten(op, access.memref);
  bool grows = true;
  loops.forEachAround(op, [&](LoopKey around, ArrayRef<LoopRange> ranges) {
    for (const LoopRange &range : llvm::reverse(ranges))
      grows = grows && box.grow(range);
    return grows && around != loop;
  });
  return grows ? bytesOf(box, op).value_or(ByteSet()) : ByteSet();
}

} // namespace memplan::planverifier
