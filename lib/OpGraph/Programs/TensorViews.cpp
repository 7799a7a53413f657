//===- TensorViews.cpp - Tensors that are views ---------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Programs/TensorViews.h"

#include "memplan/Core/CheckedMath.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace memplan;

/// The linear index of the first element of a slice; 0 if it is not known.
static int64_t getLinearOffset(tensor::ExtractSliceOp slice) {
  RankedTensorType source = slice.getSourceType();
  int64_t offset = 0;
  for (auto [start, extent] :
       llvm::zip_equal(slice.getStaticOffsets(), source.getShape())) {
    if (ShapedType::isDynamic(start) || ShapedType::isDynamic(extent))
      return 0;
    std::optional<int64_t> next = checkedMul(offset, extent);
    next = next ? checkedAdd(*next, start) : std::nullopt;
    if (!next)
      return 0;
    offset = *next;
  }
  return offset;
}

/// True if the elements of a slice are contiguous in its source: it has all
/// elements of each dimension behind its first one with more than one element.
static bool isContiguous(tensor::ExtractSliceOp slice) {
  ArrayRef<int64_t> sizes = slice.getStaticSizes();
  ArrayRef<int64_t> extents = slice.getSourceType().getShape();
  bool isWhole = false;
  for (auto [size, extent, stride] :
       llvm::zip_equal(sizes, extents, slice.getStaticStrides())) {
    if (stride != 1)
      return false;
    if (isWhole && (size != extent || ShapedType::isDynamic(size)))
      return false;
    isWhole |= size != 1;
  }
  return true;
}

static bool collapsesDimensions(tensor::CollapseShapeOp op) {
  ArrayRef<int64_t> shape = op.getSrcType().getShape();
  for (const ReassociationIndices &group : op.getReassociationIndices())
    if (llvm::count_if(group, [&](int64_t d) { return shape[d] != 1; }) > 1)
      return true;
  return false;
}

std::optional<TensorView>
memplan::getTensorView(OpResult result, llvm::DenseSet<Value> &strided) {
  auto same = [&](Value source) -> std::optional<TensorView> {
    if (strided.contains(source))
      strided.insert(result);
    return TensorView{source, 0};
  };
  return llvm::TypeSwitch<Operation *, std::optional<TensorView>>(
             result.getOwner())
      .Case<tensor::CastOp, tensor::ExpandShapeOp>(
          [&](auto op) { return same(op->getOperand(0)); })
      .Case<tensor::CollapseShapeOp>(
          [&](tensor::CollapseShapeOp op) -> std::optional<TensorView> {
            if (strided.contains(op.getSrc()) && collapsesDimensions(op))
              return std::nullopt;
            return same(op.getSrc());
          })
      .Case<tensor::ReshapeOp, tosa::ReshapeOp>(
          [&](auto op) -> std::optional<TensorView> {
            Value source = op->getOperand(0);
            if (strided.contains(source))
              return std::nullopt;
            return TensorView{source, 0};
          })
      .Case<tensor::ExtractSliceOp>([&](tensor::ExtractSliceOp op) {
        if (!isContiguous(op) || strided.contains(op.getSource()))
          strided.insert(result);
        return TensorView{op.getSource(), getLinearOffset(op)};
      })
      .Case<bufferization::ToTensorOp>([&](bufferization::ToTensorOp op) {
        return TensorView{op.getBuffer(), 0};
      })
      .Default([](Operation *) { return std::nullopt; });
}
