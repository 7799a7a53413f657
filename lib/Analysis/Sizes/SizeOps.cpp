//===- SizeOps.cpp - What ops compute sizes with --------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Analysis/SizeOps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

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
