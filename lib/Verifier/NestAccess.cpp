//===- NestAccess.cpp - Bytes that loads and stores access ----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Verifier/NestAccess.h"

#include "Slots.h"
#include "memplan/IR/Constants.h"
#include "memplan/IR/IndexedAccess.h"
#include "memplan/IR/Strides.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace memplan::verifier {

/// Adds the bytes that `get(i)` steps along each dimension `i` of the memref
/// take.
template <typename GetFn>
static std::optional<Offset> addSteps(std::optional<Offset> begin, Value memref,
                                      int64_t size, GetFn get) {
  auto getStrides = [](Value memref) -> std::optional<SmallVector<int64_t>> {
    auto type = dyn_cast<MemRefType>(memref.getType());
    SmallVector<int64_t> strides;
    int64_t offset;
    if (!type || failed(getStridesAndOffset(type, strides, offset)))
      return std::nullopt;
    return strides;
  };
  std::optional<SmallVector<int64_t>> found = getStrides(memref);
  // The type of what is cast may say more.
  for (auto cast = memref.getDefiningOp<memref::CastOp>();
       cast && found && llvm::any_of(*found, ShapedType::isDynamic);
       cast = cast.getSource().getDefiningOp<memref::CastOp>()) {
    // What is cast from a memref without a rank may have another rank.
    if (!isa<MemRefType>(cast.getSource().getType()))
      break;
    if (auto source = getStrides(cast.getSource()))
      found = source;
  }
  if (!found)
    return std::nullopt;
  SmallVector<int64_t> &strides = *found;
  for (auto [i, stride] : llvm::enumerate(strides)) {
    int64_t bytes;
    if (ShapedType::isDynamic(stride) || llvm::MulOverflow(stride, size, bytes))
      return std::nullopt;
    begin = add(begin, scale(get(i), bytes));
  }
  return begin;
}

/// The offset in bytes at which the view begins in the buffer; std::nullopt if
/// it is not known.
static std::optional<Offset> findBegin(Value view, Value buffer, int64_t size) {
  std::optional<Offset> begin = Offset();
  // The offset of a memref.reinterpret_cast counts from the start of the
  // buffer, so the views that it is made of add nothing.
  bool isAbsolute = false;
  for (; view != buffer; view = view.getDefiningOp()->getOperand(0)) {
    Operation *op = view.getDefiningOp();
    if (!isRelativeView(op) &&
        !isa_and_present<memref::ReinterpretCastOp>(op) &&
        !(isAbsolute && isa_and_present<memref::ExtractStridedMetadataOp>(op)))
      return std::nullopt;
    if (isAbsolute)
      continue;
    auto evaluateAll = [](OpFoldResult offset) -> std::optional<Offset> {
      if (auto value = dyn_cast<Value>(offset))
        return evaluateInLoops(value);
      return Offset{*getConstantNumber(offset), {}};
    };
    if (auto part = dyn_cast<memref::SubViewOp>(op)) {
      SmallVector<OpFoldResult> offsets = part.getMixedOffsets();
      begin = addSteps(begin, part.getSource(), size,
                       [&](unsigned i) { return evaluateAll(offsets[i]); });
    } else if (auto other = dyn_cast<memref::ReinterpretCastOp>(op)) {
      begin =
          add(begin, scale(evaluateAll(other.getMixedOffsets().front()), size));
      isAbsolute = true;
    }
  }
  return begin;
}

/// The offset in bytes at which the element that the op loads or stores begins
/// in the buffer; std::nullopt if it is not known.
static std::optional<Offset> findElement(Operation *op, Value buffer,
                                         int64_t size) {
  std::optional<IndexedAccess> indexed = getIndexedAccess(op);
  auto whole = dyn_cast<MemRefType>(buffer.getType());
  if (!indexed || !whole || !whole.getLayout().isIdentity())
    return std::nullopt;
  auto getIndex = [&](unsigned i) {
    AffineMap map = indexed->map;
    return map ? evaluateInLoops(map.getResult(i), map.getNumDims(),
                                 indexed->operands, op)
               : evaluateInLoops(indexed->operands[i]);
  };
  return addSteps(findBegin(indexed->memref, buffer, size), indexed->memref,
                  size, getIndex);
}

std::optional<ElementBytes> findElementBytes(Operation *op, Value buffer,
                                             int64_t size) {
  std::optional<Offset> begin = findElement(op, buffer, size);
  if (!begin)
    return std::nullopt;
  auto bounds = getBounds(*begin);
  int64_t end;
  if (!bounds || llvm::AddOverflow(bounds->second, size, end))
    return std::nullopt;
  return ElementBytes{{bounds->first, end}, bounds->first == bounds->second};
}

bool areSameElement(Operation *load, Value loaded, Operation *store,
                    Value stored, int64_t size, int64_t distance,
                    Operation *nest) {
  std::optional<Offset> from = findElement(load, loaded, size);
  std::optional<Offset> to = findElement(store, stored, size);
  int64_t begin;
  if (!from || !to || llvm::AddOverflow(from->constant, distance, begin) ||
      begin != to->constant || from->terms.size() != to->terms.size())
    return false;
  auto isSmaller = [](const LoopTerm &a, const LoopTerm &b) {
    return a.stride < b.stride;
  };
  llvm::stable_sort(from->terms, isSmaller);
  llvm::stable_sort(to->terms, isSmaller);
  // An iteration that comes later in a loop accesses bytes behind all those of
  // the loops with smaller strides.
  int64_t extent = size;
  llvm::SmallDenseSet<Value> variables;
  for (auto [a, b] : llvm::zip_equal(from->terms, to->terms)) {
    if (a.variable != b.variable || a.stride != b.stride)
      return false;
    if (a.count == 1)
      continue;
    if (a.stride < extent || llvm::MulOverflow(a.stride, a.count, extent))
      return false;
    variables.insert(a.variable);
  }
  for (Operation *loop = store->getParentOp();; loop = loop->getParentOp()) {
    if (isCountedLoop(loop)) {
      auto ranges = getLoopRanges(loop);
      if (!ranges || !llvm::all_of(*ranges, [&](const LoopRange &range) {
            return range.count == 1 || variables.contains(range.variable);
          }))
        return false;
    }
    if (loop == nest)
      return true;
  }
}

std::optional<StoredBytes> findStoredBytes(Operation *store, Value stored,
                                           int64_t size, Operation *widest) {
  std::optional<Offset> element = findElement(store, stored, size);
  if (!element)
    return std::nullopt;
  auto &terms = element->terms;
  llvm::sort(terms, [](const LoopTerm &a, const LoopTerm &b) {
    return a.stride < b.stride;
  });
  int64_t begin = element->constant;
  Operation *nest = store;
  for (const LoopTerm &term : terms) {
    if (term.count == 1)
      continue;
    if (term.stride != size || llvm::MulOverflow(size, term.count, size))
      return std::nullopt;
    Operation *loop = term.variable.getOwner()->getParentOp();
    if (!widest->isAncestor(loop))
      return std::nullopt;
    if (loop->isAncestor(nest))
      nest = loop;
  }
  // findElementBytes gives the bytes of a store that no loop repeats.
  if (nest == store)
    return std::nullopt;
  // Each op between the store and the nest must be a loop of at least one
  // iteration: no branch may skip the store.
  for (Operation *inner = store->getParentOp(); inner != nest;
       inner = inner->getParentOp())
    if (!isCountedLoop(inner) || !getLoopRanges(inner))
      return std::nullopt;
  int64_t end;
  if (begin < 0 || llvm::AddOverflow(begin, size, end))
    return std::nullopt;
  return StoredBytes{nest, {begin, end}};
}

} // namespace memplan::verifier
