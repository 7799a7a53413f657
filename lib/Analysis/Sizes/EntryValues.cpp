//===- EntryValues.cpp - Index values at the entry ------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Analysis/EntryValues.h"

#include "memplan/Analysis/ElementSize.h"
#include "memplan/Analysis/SizeOps.h"
#include "memplan/IR/AffineExprs.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace memplan;

bool EntryValues::isArgument(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && argument.getOwner() == &function.getFunctionBody().front();
}

/// The stack holds so many ops that depend on each other.
static constexpr unsigned kMostDepth = 2000;

Value EntryValues::findUnknown(OpFoldResult value) {
  if (getConstantNumber(value))
    return nullptr;
  auto dynamic = cast<Value>(value);
  // A value that depends on itself passes through a block argument, which is
  // not known.
  if (auto it = unknown.find(dynamic); it != unknown.end())
    return it->second;
  if (depth == kMostDepth)
    return dynamic;
  ++depth;
  Value found = computeUnknown(dynamic);
  --depth;
  return unknown[dynamic] = found;
}

/// The divisor of a division that ends the program if it is 0, and only then.
/// The program divides by 0 nowhere, so where it is, any quotient will do.
static bool needsDivisor(Operation *op) {
  return isa<arith::DivUIOp, arith::RemUIOp, arith::CeilDivUIOp>(op) &&
         getConstantNumber(op->getOperand(1)).value_or(0) == 0;
}

/// True for an op that the entry may run although the program may not reach it:
/// it ends for all operands, its result is poison for none if it has no flags,
/// and is the same each time (that of floats may not be). Pure ops may be
/// poison, and some of those that divide even trap. Of affine ops, isUnsafe has
/// the rest.
static bool isSafeAtEntry(Operation *op) {
  if (!llvm::all_of(op->getOperandTypes(),
                    [](Type type) { return type.isIntOrIndex(); }))
    return false;
  auto isConstantOf = [&](function_ref<bool(int64_t)> accepts) {
    std::optional<int64_t> number = getConstantNumber(op->getOperand(1));
    return number && accepts(*number);
  };
  if (isa<arith::ShLIOp, arith::ShRUIOp, arith::ShRSIOp>(op)) {
    Type type = op->getOperand(1).getType();
    int64_t width = type.isIndex() ? 32 : type.getIntOrFloatBitWidth();
    return isConstantOf([&](int64_t n) { return n >= 0 && n < width; });
  }
  if (isa<arith::DivSIOp, arith::RemSIOp, arith::FloorDivSIOp,
          arith::CeilDivSIOp>(op))
    return isConstantOf([](int64_t n) { return n != 0 && n != -1; });
  return isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::AndIOp,
             arith::OrIOp, arith::XOrIOp, arith::MinSIOp, arith::MinUIOp,
             arith::MaxSIOp, arith::MaxUIOp, arith::DivUIOp, arith::RemUIOp,
             arith::CeilDivUIOp, arith::CmpIOp, arith::SelectOp,
             arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
             arith::ExtUIOp, arith::TruncIOp, index::AddOp, index::SubOp,
             index::MulOp, index::AndOp, index::OrOp, index::XOrOp,
             index::MinSOp, index::MinUOp, index::MaxSOp, index::MaxUOp,
             index::CmpOp, index::CastSOp, index::CastUOp,
             affine::AffineApplyOp, affine::AffineMinOp, affine::AffineMaxOp>(
             op) ||
         matchPattern(op, m_Constant());
}

/// The map of an op of the affine dialect that isSafeAtEntry accepts.
static AffineMap getMap(Operation *op) {
  return cast<AffineMapAttr>(op->getAttr("map")).getValue();
}

/// True if the map divides by what is not known to be positive. Its products
/// are safe, as emitAffine does not promise that they do not overflow.
static bool isUnsafe(AffineMap map) {
  bool isFound = false;
  map.walkExprs([&](AffineExpr expr) {
    auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
    if (!binary || expr.getKind() == AffineExprKind::Add ||
        expr.getKind() == AffineExprKind::Mul)
      return;
    auto number = dyn_cast<AffineConstantExpr>(binary.getRHS());
    isFound |= !number || number.getValue() <= 0;
  });
  return isFound;
}

Value EntryValues::computeUnknown(Value value) {
  // `@f.arena_bytes` has the integers of the arguments alone.
  Operation *op = value.getDefiningOp();
  if (!op)
    return isArgument(value) && value.getType().isIntOrIndex() ? nullptr
                                                               : value;
  if (auto dim = dyn_cast<memref::DimOp>(op)) {
    std::optional<int64_t> index = getConstantNumber(dim.getIndex());
    Value found = index ? findUnknownExtent(dim.getSource(), *index) : value;
    return found == dim.getSource() ? value : found;
  }
  if (!isSafeAtEntry(op))
    return value;
  for (Value operand : op->getOperands())
    if (Value found = findUnknown(operand))
      return found;
  if (isa<affine::AffineDialect>(op->getDialect()) && isUnsafe(getMap(op)))
    return value;
  return nullptr;
}

Value EntryValues::findUnknownExtent(Value memref, int64_t dimension) {
  Extent extent = findExtent(memref, dimension);
  if (!extent.isKnown()) {
    auto type = dyn_cast<MemRefType>(memref.getType());
    bool isKnown = isArgument(memref) && type && 0 <= dimension &&
                   dimension < type.getRank();
    return isKnown ? nullptr : memref;
  }
  if (depth == kMostDepth)
    return memref;
  ++depth;
  Value found;
  for (OpFoldResult value : extent.values)
    found = found ? found : findUnknown(value);
  for (auto [source, inner] : extent.extents)
    found = found ? found : findUnknownExtent(source, inner);
  --depth;
  return found;
}

Value EntryValues::createConstant(OpBuilder &builder, int64_t value) {
  Value &constant = numbers[value];
  if (!constant)
    constant = constants.createIndex(builder, function.getLoc(), value);
  return constant;
}

/// The flags of an op may promise what does not hold at the entry, as the
/// program may not reach the op. The result is unused then, but would be
/// poison, and LLVM would derive wrong facts. So it would behind an assertion
/// that fails: the entry is ahead of it. Its discardable attributes belong to
/// its place.
static Operation *cloneSafely(OpBuilder &builder, Operation *op,
                              IRMapping &mapping) {
  Operation *clone = builder.clone(*op, mapping);
  clone->setAttrs(getAttrsWithoutPoison(op));
  return clone;
}

/// The lowering of affine expressions promises that products do not overflow,
/// so they are ops of arith. Divisions stay affine: their lowering promises
/// nothing, and the proof knows them as they are.
Value EntryValues::emitAffine(OpBuilder &builder, Operation *op) {
  Location loc = function.getLoc();
  AffineMap map = getMap(op);
  auto get = [&](OpFoldResult value) { return emit(builder, value); };
  auto combine = [&](AffineExprKind kind, Value a, Value b) -> Value {
    if (kind == AffineExprKind::Add)
      return arith::AddIOp::create(builder, loc, a, b);
    if (kind == AffineExprKind::Mul)
      return arith::MulIOp::create(builder, loc, a, b);
    AffineExpr quotient = getAffineBinaryOpExpr(
        kind, builder.getAffineDimExpr(0),
        builder.getAffineConstantExpr(*getConstantNumber(b)));
    return affine::AffineApplyOp::create(
        builder, loc, AffineMap::get(1, 0, quotient), ValueRange(a));
  };
  Value all;
  for (AffineExpr expr : map.getResults()) {
    Value one =
        computeAffine(expr, map.getNumDims(), op->getOperands(), get, combine);
    if (!all)
      all = one;
    else if (isa<affine::AffineMaxOp>(op))
      all = arith::MaxSIOp::create(builder, loc, all, one);
    else
      all = arith::MinSIOp::create(builder, loc, all, one);
  }
  return all;
}

Value EntryValues::emit(OpBuilder &builder, OpFoldResult value) {
  auto dynamic = dyn_cast<Value>(value);
  if (!dynamic || dynamic.getType().isIndex())
    if (std::optional<int64_t> constant = getConstantNumber(value))
      return createConstant(builder, *constant);
  if (isArgument(dynamic))
    return dynamic;
  if (Value known = emitted.lookup(dynamic))
    return known;
  Operation *op = dynamic.getDefiningOp();
  Value result;
  if (auto dim = dyn_cast<memref::DimOp>(op)) {
    result = emitExtent(builder, dim.getSource(),
                        *getConstantNumber(dim.getIndex()));
  } else if (isa<affine::AffineDialect>(op->getDialect())) {
    result = emitAffine(builder, op);
  } else {
    IRMapping mapping;
    for (Value operand : op->getOperands())
      mapping.map(operand, emit(builder, operand));
    if (needsDivisor(op)) {
      Value divisor = op->getOperand(1);
      Value one = arith::ConstantOp::create(
          builder, function.getLoc(),
          builder.getIntegerAttr(divisor.getType(), 1));
      // The dividend may be the same value.
      Operation *clone = cloneSafely(builder, op, mapping);
      builder.setInsertionPoint(clone);
      clone->setOperand(1, arith::MaxUIOp::create(builder, function.getLoc(),
                                                  clone->getOperand(1), one));
      builder.setInsertionPointAfter(clone);
      return emitted[dynamic] = clone->getResult(0);
    }
    Operation *clone = cloneSafely(builder, op, mapping);
    for (auto [from, to] :
         llvm::zip_equal(op->getResults(), clone->getResults()))
      emitted[from] = to;
    return emitted[dynamic];
  }
  return emitted[dynamic] = result;
}

Value EntryValues::emitExtent(OpBuilder &builder, Value memref,
                              int64_t dimension) {
  Extent extent = findExtent(memref, dimension);
  if (!extent.isKnown()) {
    Value &known = extents[{memref, dimension}];
    if (!known)
      known = memref::DimOp::create(builder, function.getLoc(), memref,
                                    createConstant(builder, dimension));
    return known;
  }
  int64_t constant = 1;
  SmallVector<Value> factors;
  auto add = [&](Value value) {
    if (std::optional<int64_t> number = getConstantNumber(value))
      constant *= *number;
    else
      factors.push_back(value);
  };
  for (OpFoldResult value : extent.values)
    add(emit(builder, value));
  for (auto [source, inner] : extent.extents)
    add(emitExtent(builder, source, inner));
  return createProduct(builder, std::move(factors), constant);
}

SmallVector<Value> EntryValues::emitExtents(OpBuilder &builder,
                                            Operation *allocation) {
  SmallVector<Value> values;
  for (Value extent : allocation->getOperands())
    values.push_back(emit(builder, extent));
  return values;
}

Value EntryValues::emitBytes(OpBuilder &builder, Operation *allocation) {
  auto type = cast<MemRefType>(allocation->getResult(0).getType());
  int64_t constant =
      getElementLayout(type.getElementType(), DataLayout::closest(function))
          ->stride;
  for (int64_t extent : type.getShape())
    if (!ShapedType::isDynamic(extent))
      constant *= extent;
  return createProduct(builder, emitExtents(builder, allocation), constant);
}

/// The product of the factors and the constant, computed once.
Value EntryValues::createProduct(OpBuilder &builder, SmallVector<Value> factors,
                                 int64_t constant) {
  if (factors.empty() || constant == 0)
    return createConstant(builder, constant);
  std::vector<const void *> key;
  for (Value factor : factors)
    key.push_back(factor.getAsOpaquePointer());
  llvm::sort(key);
  Value &product = products[{constant, key}];
  if (product)
    return product;
  if (constant != 1) {
    Value rest = createProduct(builder, factors, 1);
    return products[{constant, key}] =
               arith::MulIOp::create(builder, function.getLoc(), rest,
                                     createConstant(builder, constant));
  }
  product = factors.front();
  for (Value factor : ArrayRef(factors).drop_front())
    product =
        arith::MulIOp::create(builder, function.getLoc(), product, factor);
  return product;
}
