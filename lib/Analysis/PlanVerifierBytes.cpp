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
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace memplan::planverifier {
namespace {

/// A set of more ranges than this is taken for one that is not known.
constexpr int64_t kMaxRanges = 1 << 12;

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

/// Everything that `memref` names; nothing if that is not known.
std::optional<Box> getWhole(Value memref) {
  auto type = dyn_cast<MemRefType>(memref.getType());
  if (!type || !type.hasStaticShape())
    return std::nullopt;
  Box box;
  box.memref = memref;
  for (int64_t size : type.getShape())
    box.dims.push_back({Value(), 0, size});
  // A part whose place depends on the iteration is a box of what it is part of.
  auto part = memref.getDefiningOp<memref::SubViewOp>();
  if (!part || !part.hasUnitStride() ||
      !llvm::all_of(part.getStaticSizes(),
                    [](int64_t size) { return !ShapedType::isDynamic(size); }))
    return box;
  box.memref = part.getSource();
  box.dims.clear();
  for (auto [offset, size] :
       llvm::zip(part.getMixedOffsets(), part.getStaticSizes())) {
    if (std::optional<int64_t> constant = getConstantIntValue(offset))
      box.dims.push_back({Value(), *constant, size});
    else
      box.dims.push_back({cast<Value>(offset), 0, size});
  }
  return box;
}

/// The element of `memref` at indices that are results of `map`.
std::optional<Box> getElement(Value memref, AffineMap map, ValueRange operands,
                              ArrayRef<int64_t> spans) {
  Box box;
  box.memref = memref;
  for (auto [i, expr] : llvm::enumerate(map.getResults())) {
    // A loop's variable, or one plus a constant, or a constant.
    int64_t offset = 0;
    AffineExpr base = expr;
    if (auto sum = dyn_cast<AffineBinaryOpExpr>(expr);
        sum && sum.getKind() == AffineExprKind::Add)
      if (auto constant = dyn_cast<AffineConstantExpr>(sum.getRHS())) {
        offset = constant.getValue();
        base = sum.getLHS();
      }
    std::optional<int64_t> value;
    Value variable;
    if (auto constant = dyn_cast<AffineConstantExpr>(base))
      value = constant.getValue();
    else if (auto dim = dyn_cast<AffineDimExpr>(base))
      variable = operands[dim.getPosition()];
    else if (auto symbol = dyn_cast<AffineSymbolExpr>(base))
      variable = operands[map.getNumDims() + symbol.getPosition()];
    else
      return std::nullopt;
    if (variable)
      value = getConstantIntValue(variable);
    if (llvm::AddOverflow(offset, value.value_or(0), offset))
      return std::nullopt;
    box.dims.push_back({value ? Value() : variable, offset, spans[i]});
  }
  return box;
}

std::optional<Box> getElement(Value memref, ValueRange indices,
                              ArrayRef<int64_t> spans) {
  return getElement(
      memref,
      AffineMap::getMultiDimIdentityMap(indices.size(), memref.getContext()),
      indices, spans);
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

/// The box that `op` loads from or stores to `memref`; nothing for other ops,
/// and for those of which it is not known.
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

/// A box that `op` surely writes, and does not read, through `memref`.
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

bool isConstant(const Box &box) {
  return llvm::none_of(
      box.dims, [](const BoxDim &dim) { return dim.variable != nullptr; });
}

} // namespace

std::optional<SmallVector<LoopRange, 2>> getLoopRanges(Operation *op) {
  SmallVector<LoopRange, 2> ranges;
  if (auto loop = dyn_cast<affine::AffineParallelOp>(op)) {
    for (auto [i, variable] : llvm::enumerate(loop.getIVs())) {
      auto begin =
          dyn_cast<AffineConstantExpr>(loop.getLowerBoundMap(i).getResult(0));
      auto end =
          dyn_cast<AffineConstantExpr>(loop.getUpperBoundMap(i).getResult(0));
      if (!begin || !end || loop.getLowerBoundMap(i).getNumResults() != 1 ||
          loop.getUpperBoundMap(i).getNumResults() != 1)
        return std::nullopt;
      ranges.push_back(
          {variable, begin.getValue(), end.getValue(), loop.getSteps()[i]});
    }
  } else if (auto loop = dyn_cast<LoopLikeOpInterface>(op)) {
    auto variables = loop.getLoopInductionVars();
    auto lower = loop.getLoopLowerBounds(), upper = loop.getLoopUpperBounds();
    auto steps = loop.getLoopSteps();
    if (!variables || !lower || !upper || !steps || variables->empty())
      return std::nullopt;
    for (auto [variable, lb, ub, by] :
         llvm::zip(*variables, *lower, *upper, *steps)) {
      auto begin = getConstantIntValue(lb), end = getConstantIntValue(ub);
      auto step = getConstantIntValue(by);
      if (!begin || !end || !step)
        return std::nullopt;
      ranges.push_back({variable, *begin, *end, *step});
    }
    // An unsigned comparison orders negative bounds the other way.
    if (auto forOp = dyn_cast<scf::ForOp>(op);
        forOp && forOp.getUnsignedCmp() && ranges[0].begin < 0)
      return std::nullopt;
  } else {
    return std::nullopt;
  }
  int64_t extent;
  for (const LoopRange &range : ranges)
    if (range.begin >= range.end || range.step < 1 ||
        llvm::SubOverflow(range.end, range.begin, extent))
      return std::nullopt;
  return ranges;
}

std::optional<ByteSet> Bytes::bytesOf(const Box &box, Operation *scope) const {
  Value memref = box.memref;
  if (!isConstant(box))
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
  if (!box || !isConstant(*box)) {
    // The type says at least what part of its slot the memref is.
    auto type = dyn_cast<MemRefType>(access.memref.getType());
    if (!type || !type.hasStaticShape())
      return whole;
    box = Box{access.memref, {}};
    for (int64_t size : type.getShape())
      box->dims.push_back({Value(), 0, size});
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

Operation *Bytes::findCoveringLoop(Operation *op, const Access &access) const {
  // What is in no loop is most, and seen soonest.
  if (!access.memref || access.reads || !getLoopRanges(op->getParentOp()))
    return nullptr;
  std::optional<Box> box = getWritten(op, access.memref);
  if (!box)
    return nullptr;
  llvm::SmallDenseSet<Value> open;
  for (const BoxDim &dim : box->dims)
    // Along a diagonal most elements are left out.
    if (dim.variable && !open.insert(dim.variable).second)
      return nullptr;
  // Every op on the way must be a loop that runs, and that holds the store in
  // each of its iterations.
  Operation *loop = nullptr;
  for (Operation *inner = op; !open.empty(); inner = loop) {
    loop = inner->getParentOp();
    auto ranges = getLoopRanges(loop);
    if (!ranges || !inner->getParentRegion()->hasOneBlock())
      return nullptr;
    for (const LoopRange &range : *ranges)
      open.erase(range.variable);
  }
  return loop;
}

ByteSet Bytes::covered(Operation *loop, Operation *op,
                       const Access &access) const {
  Box box = *getWritten(op, access.memref);
  for (Operation *inner = op; inner != loop; inner = inner->getParentOp()) {
    auto ranges = getLoopRanges(inner->getParentOp());
    for (const LoopRange &range : *ranges)
      for (BoxDim &dim : box.dims) {
        if (dim.variable != range.variable)
          continue;
        if (dim.span < range.step)
          return {};
        int64_t last = (range.end - 1 - range.begin) / range.step * range.step;
        dim.variable = nullptr;
        if (llvm::AddOverflow(dim.offset, range.begin, dim.offset) ||
            llvm::AddOverflow(dim.span, last, dim.span))
          return {};
      }
  }
  return bytesOf(box, op).value_or(ByteSet());
}

bool Bytes::writesAllThatIsRead(Operation *op, Operation *reader,
                                Value memref) const {
  std::optional<Box> written = getWritten(op, memref);
  if (!written)
    return false;
  if (overwritesAll(op, memref))
    return true;
  std::optional<Box> read = getElements(reader, memref);
  return read && llvm::equal(written->dims, read->dims,
                             [](const BoxDim &a, const BoxDim &b) {
                               return a.variable == b.variable &&
                                      a.offset == b.offset && a.span == b.span;
                             });
}

} // namespace memplan::planverifier
