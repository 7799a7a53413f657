//===- Copies.cpp - Ops that only copy, and the bytes they copy -----------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Analysis/Copies.h"

#include "memplan/Analysis/ElementSize.h"
#include "memplan/IR/Strides.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace memplan;

/// True if the body of the op only yields its first input.
static bool yieldsInput(linalg::LinalgOp op) {
  Block *body = op.getBlock();
  auto yield = dyn_cast<linalg::YieldOp>(body->front());
  return yield && yield.getNumOperands() == 1 &&
         yield.getOperand(0) == body->getArgument(0);
}

std::optional<PlainCopy> memplan::matchPlainCopy(Operation *op) {
  if (auto copy = dyn_cast<memref::CopyOp>(op)) {
    if (!isa<MemRefType>(copy.getSource().getType()) ||
        !isa<MemRefType>(copy.getTarget().getType()))
      return std::nullopt;
    return PlainCopy{copy.getSource(), copy.getTarget()};
  }
  if (!isa<linalg::CopyOp, linalg::GenericOp>(op))
    return std::nullopt;
  auto structured = cast<linalg::LinalgOp>(op);
  if (!structured.hasPureBufferSemantics() ||
      structured.getNumDpsInputs() != 1 || structured.getNumDpsInits() != 1 ||
      structured.getNumLoops() != structured.getNumParallelLoops() ||
      !yieldsInput(structured))
    return std::nullopt;
  OpOperand *input = structured.getDpsInputOperand(0);
  OpOperand *init = structured.getDpsInitOperand(0);
  auto from = dyn_cast<MemRefType>(input->get().getType());
  auto to = dyn_cast<MemRefType>(init->get().getType());
  AffineMap map = structured.getMatchingIndexingMap(input);
  if (!from || !to || from.getElementType() != to.getElementType() ||
      map != structured.getMatchingIndexingMap(init) || !map.isPermutation())
    return std::nullopt;
  return PlainCopy{input->get(), init->get()};
}

std::optional<int64_t> Slice::getContiguousBytes() const {
  int64_t bytes = element;
  for (auto [size, stride] : llvm::reverse(llvm::zip_equal(sizes, strides))) {
    if (stride != bytes)
      return std::nullopt;
    bytes *= size;
  }
  return bytes;
}

std::optional<Slice> memplan::findSlice(Value memref) {
  auto type = dyn_cast<MemRefType>(memref.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  if (!type || !type.hasStaticShape() ||
      failed(getStridesAndOffset(type, strides, offset)) ||
      ShapedType::isDynamic(offset) || ShapedType::isDynamicShape(strides))
    return std::nullopt;
  Operation *op = memref.getDefiningOp();
  auto element = getElementLayout(
      type.getElementType(),
      DataLayout::closest(op ? op : memref.getParentBlock()->getParentOp()));
  if (!element)
    return std::nullopt;
  // The offset in a layout counts from the begin of the root, also behind these
  // view ops.
  Slice slice{memref, 0, {}, {}, element->stride};
  while (
      isa_and_present<memref::SubViewOp, memref::CastOp, memref::ExpandShapeOp,
                      memref::CollapseShapeOp, memref::TransposeOp,
                      memref::ReinterpretCastOp>(slice.root.getDefiningOp())) {
    Value source = slice.root.getDefiningOp()->getOperand(0);
    if (!isa<MemRefType>(source.getType()))
      return std::nullopt;
    slice.root = source;
  }
  if (slice.root != memref &&
      !cast<MemRefType>(slice.root.getType()).getLayout().isIdentity())
    return std::nullopt;
  if (llvm::MulOverflow(offset, element->stride, slice.begin))
    return std::nullopt;
  for (auto [size, stride] : llvm::zip_equal(type.getShape(), strides)) {
    int64_t bytes;
    if (llvm::MulOverflow(stride, element->stride, bytes))
      return std::nullopt;
    if (size == 1)
      continue;
    slice.sizes.push_back(size);
    slice.strides.push_back(bytes);
  }
  return slice;
}

Value memplan::findWholeRoot(Value memref) {
  // These views have all elements of their source, whatever its extents are.
  Value source = memref;
  while (isa_and_present<memref::CastOp, memref::ExpandShapeOp,
                         memref::CollapseShapeOp>(source.getDefiningOp()))
    source = source.getDefiningOp()->getOperand(0);
  if (auto root = dyn_cast<MemRefType>(source.getType());
      root && !root.hasStaticShape() && root.getLayout().isIdentity())
    return source;
  std::optional<Slice> slice = findSlice(memref);
  if (!slice || slice->begin != 0)
    return Value();
  auto type = cast<MemRefType>(slice->root.getType());
  bool isAll =
      type.hasStaticShape() &&
      slice->getContiguousBytes() == type.getNumElements() * slice->element;
  return isAll ? slice->root : Value();
}

bool memplan::overwritesAll(OpOperand &operand) {
  if (auto copy = dyn_cast<memref::CopyOp>(operand.getOwner()))
    return &operand == &copy.getTargetMutable();
  auto op = dyn_cast<linalg::LinalgOp>(operand.getOwner());
  return op && op.hasPureBufferSemantics() && op.isDpsInit(&operand) &&
         !op.payloadUsesValueFromOperand(&operand) &&
         op.getMatchingIndexingMap(&operand).isPermutation();
}
