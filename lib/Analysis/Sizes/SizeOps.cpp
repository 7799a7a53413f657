//===- SizeOps.cpp - What ops compute sizes with --------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Analysis/SizeOps.h"

#include "memplan/IR/Memplan.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace memplan;

static std::optional<SizeOp> getSizeOp(Operation *op) {
  using namespace arith;
  using Result = std::optional<SizeOp>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<AddIOp>([](auto) { return SizeOp::Add; })
      .Case<SubIOp>([](auto) { return SizeOp::Sub; })
      .Case<MulIOp>([](auto) { return SizeOp::Mul; })
      .Case<DivUIOp>([](auto) { return SizeOp::DivU; })
      .Case<DivSIOp>([](auto) { return SizeOp::DivS; })
      .Case<FloorDivSIOp>([](auto) { return SizeOp::FloorDivS; })
      .Case<CeilDivUIOp>([](auto) { return SizeOp::CeilDivU; })
      .Case<CeilDivSIOp>([](auto) { return SizeOp::CeilDivS; })
      .Case<RemUIOp>([](auto) { return SizeOp::RemU; })
      .Case<RemSIOp>([](auto) { return SizeOp::RemS; })
      .Case<MinUIOp>([](auto) { return SizeOp::MinU; })
      .Case<MinSIOp>([](auto) { return SizeOp::MinS; })
      .Case<MaxUIOp>([](auto) { return SizeOp::MaxU; })
      .Case<MaxSIOp>([](auto) { return SizeOp::MaxS; })
      .Default([](Operation *) { return std::nullopt; });
}

SizeDefinition memplan::getSizeDefinition(OpResult value, unsigned leastWidth) {
  using Kind = SizeDefinition::Kind;
  Operation *op = value.getOwner();
  ValueRange operands = op->getOperands();
  SizeDefinition other;
  if (auto dim = dyn_cast<memref::DimOp>(op)) {
    std::optional<int64_t> index = getConstantNumber(dim.getIndex());
    auto type = dyn_cast<MemRefType>(dim.getSource().getType());
    if (index && type && 0 <= *index && *index < type.getRank())
      return {Kind::Extent, {}, operands, *index};
    other.least = 0;
    return other;
  }
  if (auto metadata = dyn_cast<memref::ExtractStridedMetadataOp>(op)) {
    // Behind the buffer and the offset, before the strides.
    int64_t number = int64_t(value.getResultNumber()) - 2;
    if (0 <= number && number < metadata.getSource().getType().getRank())
      return {Kind::Extent, {}, operands, number};
    return other;
  }
  auto isWide = [&](Type type) {
    return type.isIndex() ||
           (type.isInteger() && type.getIntOrFloatBitWidth() >= leastWidth &&
            type.getIntOrFloatBitWidth() <= 64);
  };
  if (!isWide(value.getType()))
    return other;
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return {Kind::Affine, SizeOp::MinS, operands, 0, apply.getAffineMap()};
  if (auto min = dyn_cast<affine::AffineMinOp>(op))
    return {Kind::Affine, SizeOp::MinS, operands, 0, min.getMap()};
  if (auto max = dyn_cast<affine::AffineMaxOp>(op))
    return {Kind::Affine, SizeOp::MaxS, operands, 0, max.getMap()};
  if (isa<arith::SelectOp>(op))
    return {Kind::Select, {}, operands};
  if (isa<arith::IndexCastOp>(op) && isWide(operands[0].getType()))
    return {Kind::Same, {}, operands};
  if (std::optional<SizeOp> kind = getSizeOp(op))
    return {Kind::Operation, *kind, operands};
  return other;
}

DictionaryAttr memplan::getAttrsWithoutPoison(Operation *op) {
  NamedAttrList attributes(op->getAttrDictionary());
  if (auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op))
    attributes.set(flags.getIntegerOverflowAttrName(),
                   arith::IntegerOverflowFlagsAttr::get(
                       op->getContext(), arith::IntegerOverflowFlags::none));
  if (isa<arith::DivUIOp, arith::DivSIOp, arith::ShRUIOp, arith::ShRSIOp>(op))
    attributes.erase("isExact");
  // Such as memplan.step.
  for (NamedAttribute attribute : op->getDiscardableAttrs())
    attributes.erase(attribute.getName());
  return attributes.getDictionary(op->getContext());
}

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

/// The dimension of the source for `dimension` of a rank-reducing slice.
/// getDroppedDims of a subview compares strides, and fails if a step is not 1.
static unsigned undropDimension(unsigned dimension, ArrayRef<int64_t> sizes,
                                ArrayRef<int64_t> shape) {
  auto dropped = computeRankReductionMask(sizes, shape);
  for (unsigned i = 0; dropped && i < sizes.size(); ++i) {
    if (dropped->contains(i))
      continue;
    if (dimension-- == 0)
      return i;
  }
  llvm_unreachable("a slice has at most the dimensions of its source");
}

/// A program that does not run may ask for another dimension.
static bool hasDimension(ShapedType type, int64_t dimension) {
  return type && type.hasRank() && 0 <= dimension && dimension < type.getRank();
}

/// The extent, unless control flow carries the value.
static Extent findOwnExtent(Value shaped, int64_t dimension) {
  auto type = dyn_cast<ShapedType>(shaped.getType());
  if (!hasDimension(type, dimension))
    return {};
  auto number = static_cast<unsigned>(dimension);
  if (!type.isDynamicDim(number))
    return {
        {Builder(shaped.getContext()).getIndexAttr(type.getDimSize(number))},
        {}};
  Operation *op = shaped.getDefiningOp();
  if (!op)
    return {};
  auto ofSizes = [&](ValueRange sizes) -> Extent {
    return {{sizes[type.getDynamicDimIndex(number)]}, {}};
  };
  auto sameAs = [&](Value source) -> Extent {
    if (!cast<ShapedType>(source.getType()).hasRank())
      return {};
    return {{}, {{source, dimension}}};
  };
  return llvm::TypeSwitch<Operation *, Extent>(op)
      .Case<memref::AllocOp, memref::AllocaOp, tensor::EmptyOp>(
          [&](auto made) { return ofSizes(made.getDynamicSizes()); })
      .Case<memref::ViewOp, ViewOp>(
          [&](auto view) { return ofSizes(view.getSizes()); })
      .Case<memref::CastOp, tensor::CastOp>(
          [&](auto cast) { return sameAs(cast.getSource()); })
      .Case([&](RenewOp renew) { return sameAs(renew.getSlot()); })
      .Case<memref::ExpandShapeOp, tensor::ExpandShapeOp>(
          [&](auto expand) -> Extent {
            return {{expand.getMixedOutputShape()[number]}, {}};
          })
      .Case<memref::CollapseShapeOp, tensor::CollapseShapeOp>(
          [&](auto collapse) {
            Extent extent;
            ReassociationIndices group =
                collapse.getReassociationIndices()[number];
            for (int64_t inner : group)
              extent.extents.push_back({collapse.getSrc(), inner});
            return extent;
          })
      .Case([&](memref::TransposeOp transpose) -> Extent {
        return {{},
                {{transpose.getIn(),
                  transpose.getPermutation().getDimPosition(number)}}};
      })
      .Case<memref::SubViewOp, tensor::ExtractSliceOp>(
          [&](auto part) -> Extent {
            return {{part.getMixedSizes()[undropDimension(
                        number, part.getStaticSizes(), type.getShape())]},
                    {}};
          })
      .Case([&](memref::ReinterpretCastOp other) -> Extent {
        return {{other.getMixedSizes()[number]}, {}};
      })
      .Default([](Operation *) { return Extent(); });
}

/// The memrefs of which the argument of a loop, or the result of a loop or a
/// conditional, is one; empty for other memrefs.
static SmallVector<Value, 2> findSources(Value memref) {
  if (auto branch = memref.getDefiningOp<scf::IfOp>()) {
    unsigned number = cast<OpResult>(memref).getResultNumber();
    return {branch.thenYield().getOperand(number),
            branch.elseYield().getOperand(number)};
  }
  auto argument = dyn_cast<BlockArgument>(memref);
  Operation *op =
      argument ? argument.getOwner()->getParentOp() : memref.getDefiningOp();
  auto loop = dyn_cast_or_null<LoopLikeOpInterface>(op);
  if (!loop || loop->getNumRegions() != 1)
    return {};
  auto results = loop.getLoopResults();
  ValueRange carried = argument  ? ValueRange(loop.getRegionIterArgs())
                       : results ? ValueRange(*results)
                                 : ValueRange();
  ValueRange yielded = loop.getYieldedValues();
  OperandRange inits = loop.getInits();
  auto it = llvm::find(carried, memref);
  size_t number = it - carried.begin();
  if (it == carried.end() || number >= yielded.size() || number >= inits.size())
    return {};
  return {inits[number], yielded[number]};
}

/// The extent of a memref that control flow carries, if it is the same value in
/// all memrefs that it may be. Each of these is one that is not carried or,
/// earlier, another carried one.
static Extent findCarriedExtent(Value memref, int64_t dimension) {
  constexpr size_t kMost = 64;
  llvm::SmallSetVector<std::pair<Value, int64_t>, 8> reached;
  reached.insert({memref, dimension});
  std::optional<Extent> found;
  for (size_t i = 0; i != reached.size(); ++i) {
    auto [next, inner] = reached[i];
    if (reached.size() > kMost)
      return {};
    Extent extent = findOwnExtent(next, inner);
    if (!extent.isKnown()) {
      SmallVector<Value, 2> sources = findSources(next);
      for (Value source : sources)
        reached.insert({source, inner});
      if (!sources.empty())
        continue;
      extent.extents.push_back({next, inner});
    } else {
      // Collapsed dimensions are mostly of one element, but for one.
      llvm::erase_if(extent.values, [](OpFoldResult value) {
        return getConstantNumber(value) == 1;
      });
      llvm::erase_if(extent.extents, [](std::pair<Value, int64_t> of) {
        return cast<MemRefType>(of.first.getType()).getDimSize(of.second) == 1;
      });
      if (extent.values.size() + extent.extents.size() != 1)
        return {};
      if (!extent.extents.empty()) {
        reached.insert(extent.extents.front());
        continue;
      }
      auto dim = dyn_cast_or_null<memref::DimOp>(
          dyn_cast<Value>(extent.values.front())
              ? cast<Value>(extent.values.front()).getDefiningOp()
              : nullptr);
      std::optional<int64_t> index =
          dim ? getConstantNumber(dim.getIndex()) : std::nullopt;
      auto source =
          index ? dyn_cast<MemRefType>(dim.getSource().getType()) : nullptr;
      if (source && !hasDimension(source, *index))
        return {};
      if (source) {
        reached.insert({dim.getSource(), *index});
        continue;
      }
      // One number may be several values.
      if (auto number = getConstantNumber(extent.values.front()))
        extent.values.front() =
            Builder(memref.getContext()).getIndexAttr(*number);
    }
    if (found &&
        (found->values != extent.values || found->extents != extent.extents))
      return {};
    found = std::move(extent);
  }
  return found.value_or(Extent());
}

Extent memplan::findExtent(Value shaped, int64_t dimension) {
  Extent extent = findOwnExtent(shaped, dimension);
  auto type = dyn_cast<MemRefType>(shaped.getType());
  if (!extent.isKnown() && type && hasDimension(type, dimension) &&
      !findSources(shaped).empty())
    return findCarriedExtent(shaped, dimension);
  return extent;
}
