//===- SizeModel.cpp - Extents and bytes under hints ----------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Analysis/SizeModel.h"

#include "memplan/Analysis/ElementSize.h"
#include "memplan/IR/GraphAttributes.h"
#include "memplan/IR/OpCost.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace memplan;

AffineExpr SizeModel::constant(int64_t value) const {
  return getAffineConstantExpr(value, context);
}

AffineExpr SizeModel::addSymbol(std::string name, int64_t hint, bool isHinted) {
  symbols.push_back({std::move(name), hint, isHinted});
  return getAffineSymbolExpr(symbols.size() - 1, context);
}

AffineExpr SizeModel::addUnknown() {
  return addSymbol("s" + std::to_string(symbols.size()), defaultHint, false);
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

AffineExpr SizeModel::getIndex(OpFoldResult value) {
  if (auto attribute = dyn_cast<Attribute>(value))
    return constant(cast<IntegerAttr>(attribute).getInt());
  return getIndex(cast<Value>(value));
}

AffineExpr SizeModel::getIndex(Value value) {
  if (AffineExpr known = indices.lookup(value))
    return known;
  AffineExpr expr = computeIndex(value);
  indices[value] = expr;
  return expr;
}

AffineExpr SizeModel::computeIndex(Value value) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return number.getSignificantBits() <= 64 ? constant(number.getSExtValue())
                                             : addUnknown();
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto function = dyn_cast_or_null<FunctionOpInterface>(
        argument.getOwner()->getParentOp());
    if (!function || !argument.getOwner()->isEntryBlock())
      return addUnknown();
    std::string name = "arg" + std::to_string(argument.getArgNumber());
    if (auto hint = function.getArgAttrOfType<IntegerAttr>(
            argument.getArgNumber(), kHintAttr))
      return addSymbol(name, std::max<int64_t>(hint.getInt(), 0), true);
    return addSymbol(name, defaultHint, false);
  }
  Operation *op = value.getDefiningOp();
  // What is no affine expression becomes a symbol of its own.
  auto combine = [&](const char *name, Value lhs, Value rhs,
                     auto evaluateBoth) {
    AffineExpr a = getIndex(lhs), b = getIndex(rhs);
    bool isHinted = evaluateHinted(a) && evaluateHinted(b);
    return addSymbol(std::string(name) + "(" + print(a) + ", " + print(b) + ")",
                     evaluateBoth(evaluate(a), evaluate(b)), isHinted);
  };
  auto minimum = [](int64_t a, int64_t b) { return std::min(a, b); };
  auto maximum = [](int64_t a, int64_t b) { return std::max(a, b); };
  auto quotient = [](int64_t a, int64_t b) { return b > 0 ? a / b : 0; };
  auto ceiling = [](int64_t a, int64_t b) {
    return b > 0 ? a / b + (a % b != 0) : 0;
  };
  return llvm::TypeSwitch<Operation *, AffineExpr>(op)
      .Case<tensor::DimOp, memref::DimOp>([&](auto dim) -> AffineExpr {
        std::optional<int64_t> index = dim.getConstantIndex();
        auto type = dyn_cast<ShapedType>(dim.getSource().getType());
        if (!index || !type || !type.hasRank() || *index < 0 ||
            *index >= type.getRank())
          return addUnknown();
        return getExtent(dim.getSource(), *index);
      })
      .Case([&](arith::AddIOp add) {
        return getIndex(add.getLhs()) + getIndex(add.getRhs());
      })
      .Case([&](arith::SubIOp sub) {
        return getIndex(sub.getLhs()) - getIndex(sub.getRhs());
      })
      .Case([&](arith::MulIOp mul) {
        return getIndex(mul.getLhs()) * getIndex(mul.getRhs());
      })
      .Case<arith::DivUIOp, arith::DivSIOp, arith::FloorDivSIOp>([&](auto div) {
        return combine("floordiv", div.getLhs(), div.getRhs(), quotient);
      })
      .Case<arith::CeilDivUIOp, arith::CeilDivSIOp>([&](auto div) {
        return combine("ceildiv", div.getLhs(), div.getRhs(), ceiling);
      })
      .Case<arith::MinSIOp, arith::MinUIOp>([&](auto op) {
        return combine("min", op.getLhs(), op.getRhs(), minimum);
      })
      .Case<arith::MaxSIOp, arith::MaxUIOp>([&](auto op) {
        return combine("max", op.getLhs(), op.getRhs(), maximum);
      })
      .Case<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
            arith::ExtUIOp, arith::TruncIOp>(
          [&](auto cast) { return getIndex(cast.getIn()); })
      .Case([&](affine::AffineApplyOp apply) -> AffineExpr {
        AffineMap map = apply.getAffineMap();
        SmallVector<AffineExpr> dims, symbols;
        for (auto [i, operand] : llvm::enumerate(apply.getMapOperands()))
          (i < map.getNumDims() ? dims : symbols).push_back(getIndex(operand));
        return map.getResult(0).replaceDimsAndSymbols(dims, symbols);
      })
      .Default([&](Operation *) { return addUnknown(); });
}

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

AffineExpr SizeModel::getExtent(Value shaped, unsigned dimension) {
  auto type = cast<ShapedType>(shaped.getType());
  if (!type.isDynamicDim(dimension))
    return constant(type.getDimSize(dimension));
  if (AffineExpr known = extents.lookup({shaped, dimension}))
    return known;
  AffineExpr expr = computeExtent(shaped, dimension);
  extents[{shaped, dimension}] = expr;
  return expr;
}

AffineExpr SizeModel::computeArgumentExtent(BlockArgument argument,
                                            unsigned dimension) {
  Operation *parent = argument.getOwner()->getParentOp();
  if (auto loop = dyn_cast_or_null<LoopLikeOpInterface>(parent)) {
    if (OpOperand *init = loop.getTiedLoopInit(argument))
      return getExtent(init->get(), dimension);
    return addUnknown();
  }
  auto function = dyn_cast_or_null<FunctionOpInterface>(parent);
  if (!function || !argument.getOwner()->isEntryBlock())
    return addUnknown();
  unsigned number = argument.getArgNumber();
  std::string name =
      "arg" + std::to_string(number) + "_d" + std::to_string(dimension);
  auto hints =
      function.getArgAttrOfType<DenseI64ArrayAttr>(number, kDimHintsAttr);
  if (hints && dimension < hints.size() && hints[dimension] > 0)
    return addSymbol(name, hints[dimension], true);
  return addSymbol(name, defaultHint, false);
}

AffineExpr SizeModel::computeExtent(Value shaped, unsigned dimension) {
  if (auto argument = dyn_cast<BlockArgument>(shaped))
    return computeArgumentExtent(argument, dimension);
  return computeResultExtent(cast<OpResult>(shaped), dimension);
}

/// The dimension of the source that `dimension` of a rank-reducing slice is.
static unsigned undropDimension(unsigned dimension,
                                const llvm::SmallBitVector &dropped) {
  for (unsigned i = 0; i < dropped.size(); ++i) {
    if (dropped[i])
      continue;
    if (dimension-- == 0)
      return i;
  }
  llvm_unreachable("a slice has at most the dimensions of its source");
}

AffineExpr SizeModel::computeResultExtent(OpResult result, unsigned dimension) {
  auto sameAs = [&](Value other) -> AffineExpr {
    auto type = dyn_cast<ShapedType>(other.getType());
    if (!type || !type.hasRank() || dimension >= type.getRank())
      return addUnknown();
    return getExtent(other, dimension);
  };
  auto sameAsLoopInit = [&](LoopLikeOpInterface loop) -> AffineExpr {
    OpOperand *init = loop.getTiedLoopInit(result);
    return init ? sameAs(init->get()) : addUnknown();
  };
  auto mixed = [&](ArrayRef<OpFoldResult> sizes) {
    return getIndex(sizes[dimension]);
  };
  return llvm::TypeSwitch<Operation *, AffineExpr>(result.getOwner())
      .Case<tensor::EmptyOp, memref::AllocOp, memref::AllocaOp>(
          [&](auto op) { return mixed(op.getMixedSizes()); })
      .Case([&](bufferization::AllocTensorOp op) -> AffineExpr {
        if (op.getCopy())
          return sameAs(op.getCopy());
        return getIndex(
            op.getDynamicSizes()[op.getType().getDynamicDimIndex(dimension)]);
      })
      .Case<tensor::CastOp, memref::CastOp>(
          [&](auto op) { return sameAs(op.getSource()); })
      .Case(
          [&](bufferization::ToTensorOp op) { return sameAs(op.getBuffer()); })
      .Case(
          [&](bufferization::ToBufferOp op) { return sameAs(op.getTensor()); })
      .Case<tensor::ExpandShapeOp, memref::ExpandShapeOp>(
          [&](auto op) { return mixed(op.getMixedOutputShape()); })
      .Case<tensor::CollapseShapeOp, memref::CollapseShapeOp>([&](auto op) {
        AffineExpr product = constant(1);
        ReassociationIndices group = op.getReassociationIndices()[dimension];
        for (int64_t d : group)
          product = product * getExtent(op.getSrc(), d);
        return product;
      })
      .Case<tensor::ExtractSliceOp, memref::SubViewOp>([&](auto op) {
        return getIndex(op.getMixedSizes()[undropDimension(
            dimension, op.getDroppedDims())]);
      })
      .Case<tensor::InsertSliceOp, tensor::InsertOp, tensor::ScatterOp>(
          [&](auto op) { return sameAs(op.getDest()); })
      .Case([&](tensor::PadOp op) {
        return getExtent(op.getSource(), dimension) +
               getIndex(op.getMixedLowPad()[dimension]) +
               getIndex(op.getMixedHighPad()[dimension]);
      })
      .Case([&](tensor::ConcatOp op) {
        if (op.getDim() != dimension)
          return sameAs(op.getInputs().front());
        AffineExpr sum = constant(0);
        for (Value input : op.getInputs())
          sum = sum + getExtent(input, dimension);
        return sum;
      })
      .Case([&](tensor::GenerateOp op) {
        unsigned index = op.getType().getDynamicDimIndex(dimension);
        return getIndex(op.getDynamicExtents()[index]);
      })
      .Case([&](memref::ReinterpretCastOp op) {
        return mixed(op.getMixedSizes());
      })
      .Case([&](memref::TransposeOp op) {
        return getExtent(op.getIn(),
                         op.getPermutation().getDimPosition(dimension));
      })
      .Case([&](DestinationStyleOpInterface op) {
        return sameAs(op.getTiedOpOperand(result)->get());
      })
      .Case([&](LoopLikeOpInterface loop) { return sameAsLoopInit(loop); })
      .Default([&](Operation *op) -> AffineExpr {
        if (op->hasTrait<OpTrait::Elementwise>())
          for (Value operand : op->getOperands())
            if (isa<ShapedType>(operand.getType()))
              return sameAs(operand);
        return addUnknown();
      });
}

//===----------------------------------------------------------------------===//
// Numbers and names
//===----------------------------------------------------------------------===//

static std::optional<int64_t>
evaluateExpr(AffineExpr expr,
             llvm::function_ref<std::optional<int64_t>(unsigned)> symbol) {
  if (auto number = dyn_cast<AffineConstantExpr>(expr))
    return number.getValue();
  if (auto name = dyn_cast<AffineSymbolExpr>(expr))
    return symbol(name.getPosition());
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return std::nullopt;
  std::optional<int64_t> lhs = evaluateExpr(binary.getLHS(), symbol);
  std::optional<int64_t> rhs = evaluateExpr(binary.getRHS(), symbol);
  if (!lhs || !rhs)
    return std::nullopt;
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return checkedAdd(*lhs, *rhs).value_or(kMost);
  case AffineExprKind::Mul:
    return checkedMul(*lhs, *rhs).value_or(kMost);
  case AffineExprKind::Mod:
    return *rhs > 0 ? llvm::mod(*lhs, *rhs) : 0;
  case AffineExprKind::FloorDiv:
    return *rhs > 0 ? llvm::divideFloorSigned(*lhs, *rhs) : 0;
  case AffineExprKind::CeilDiv:
    return *rhs > 0 ? llvm::divideCeilSigned(*lhs, *rhs) : 0;
  default:
    return std::nullopt;
  }
}

int64_t SizeModel::evaluate(AffineExpr expr) const {
  std::optional<int64_t> value =
      evaluateExpr(expr, [&](unsigned position) -> std::optional<int64_t> {
        return symbols[position].hint;
      });
  return std::max<int64_t>(value.value_or(defaultHint), 0);
}

std::optional<int64_t> SizeModel::evaluateHinted(AffineExpr expr) const {
  return evaluateExpr(expr, [&](unsigned position) -> std::optional<int64_t> {
    if (!symbols[position].isHinted)
      return std::nullopt;
    return symbols[position].hint;
  });
}

AffineExpr SizeModel::getNumElements(Value value) {
  auto type = dyn_cast<ShapedType>(value.getType());
  AffineExpr product = constant(1);
  if (!type || !type.hasRank())
    return product;
  // In two parts: constants that overflow must not wrap in a formula.
  int64_t known = 1;
  for (unsigned d = 0; d < type.getRank(); ++d) {
    if (type.isDynamicDim(d))
      product = product * getExtent(value, d);
    else
      known = saturatingMul(known, type.getDimSize(d));
  }
  if (type.hasStaticShape())
    return constant(known);
  return product * known;
}

int64_t SizeModel::getElementBytes(Type elementType, Operation *scope) {
  auto it = elementBytes.find(elementType);
  if (it != elementBytes.end())
    return it->second;
  DataLayout layout = DataLayout::closest(scope);
  std::optional<ElementLayout> element = getElementLayout(elementType, layout);
  int64_t bytes = element ? element->stride : 0;
  elementBytes[elementType] = bytes;
  return bytes;
}

static Operation *getScope(Value value) {
  if (Operation *op = value.getDefiningOp())
    return op;
  return cast<BlockArgument>(value).getOwner()->getParentOp();
}

int64_t SizeModel::getBytes(Value value) {
  Type elementType = getElementTypeOrSelf(value.getType());
  return saturatingMul(evaluate(getNumElements(value)),
                       getElementBytes(elementType, getScope(value)));
}

std::string SizeModel::getFormula(Value value) {
  auto type = dyn_cast<ShapedType>(value.getType());
  if (!type || !type.hasRank() || type.hasStaticShape())
    return "";
  return print(getNumElements(value) *
               getElementBytes(type.getElementType(), getScope(value)));
}

std::string SizeModel::print(AffineExpr expr) const {
  if (auto number = dyn_cast<AffineConstantExpr>(expr))
    return std::to_string(number.getValue());
  if (auto name = dyn_cast<AffineSymbolExpr>(expr))
    return symbols[name.getPosition()].name;
  auto binary = cast<AffineBinaryOpExpr>(expr);
  AffineExpr lhs = binary.getLHS(), rhs = binary.getRHS();
  auto operand = [&](AffineExpr expr) {
    std::string text = print(expr);
    return expr.getKind() == AffineExprKind::Add ? "(" + text + ")" : text;
  };
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return print(lhs) + "+" + print(rhs);
  case AffineExprKind::Mul:
    // Constants first, as people write them.
    if (isa<AffineConstantExpr>(rhs))
      std::swap(lhs, rhs);
    return operand(lhs) + "*" + operand(rhs);
  case AffineExprKind::Mod:
    return "mod(" + print(lhs) + ", " + print(rhs) + ")";
  case AffineExprKind::FloorDiv:
    return "floordiv(" + print(lhs) + ", " + print(rhs) + ")";
  default:
    return "ceildiv(" + print(lhs) + ", " + print(rhs) + ")";
  }
}
