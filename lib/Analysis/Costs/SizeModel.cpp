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
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

#include <map>

using namespace mlir;
using namespace memplan;

AffineExpr SizeModel::constant(int64_t value) const {
  return getAffineConstantExpr(value, context);
}

AffineExpr SizeModel::addSymbol(std::string name, Range hint, bool isHinted) {
  symbols.push_back({std::move(name), hint, isHinted});
  return getAffineSymbolExpr(symbols.size() - 1, context);
}

AffineExpr SizeModel::addUnknown() {
  return addSymbol("s" + std::to_string(symbols.size()),
                   {defaultHint, defaultHint}, false);
}

//===----------------------------------------------------------------------===//
// Callees
//===----------------------------------------------------------------------===//

static int64_t getHint(FunctionOpInterface function, unsigned argument) {
  auto hint = function.getArgAttrOfType<IntegerAttr>(argument, kHintAttr);
  return hint ? hint.getInt() : -1;
}

/// 0 if there is no hint.
static int64_t getHint(FunctionOpInterface function, unsigned argument,
                       unsigned dimension) {
  SmallVector<DenseI64ArrayAttr> hints = getDimHints(function, argument);
  return !hints.empty() && dimension < hints.front().size()
             ? hints.front()[dimension]
             : 0;
}

SizeModel::CallScope::CallScope(SizeModel &model, CallOpInterface call,
                                FunctionOpInterface callee)
    : model(model), previous(model.memo) {
  Memo *own = model.memos.front().get();
  auto operands = call.getArgOperands();
  if (callee.isExternal() || operands.size() != callee.getNumArguments()) {
    model.memo = own;
    return;
  }
  // Null if the callee has a hint and the caller has none.
  SmallVector<AffineExpr> sizes;
  auto add = [&](AffineExpr expr, bool hasHint) {
    bool isOwn = hasHint && !model.evaluateHinted(expr);
    sizes.push_back(isOwn ? AffineExpr() : expr);
  };
  for (auto [number, operand] : llvm::enumerate(operands)) {
    auto type = dyn_cast<ShapedType>(operand.getType());
    if (operand.getType() != callee.getArgument(number).getType())
      continue;
    if (operand.getType().isIntOrIndex())
      add(model.getIndex(operand), getHint(callee, number) >= 0);
    for (int64_t d = 0, e = type && type.hasRank() ? type.getRank() : 0; d < e;
         ++d)
      if (type.isDynamicDim(d))
        add(model.getExtent(operand, d), getHint(callee, number, d) > 0);
  }
  model.memo = own;
  bound = true;
  if (sizes.empty())
    return;
  SmallVector<Binding, 1> &known = model.bindings[callee];
  for (const Binding &binding : known)
    if (binding.sizes == sizes) {
      model.memo = binding.memo;
      return;
    }
  bound = known.size() < kMostScopes;
  if (!bound)
    return;
  Memo *memo = model.addMemo();
  known.push_back({sizes, memo});
  model.memo = memo;
  auto next = sizes.begin();
  for (auto [number, operand] : llvm::enumerate(operands)) {
    Value argument = callee.getArgument(number);
    if (operand.getType() != argument.getType())
      continue;
    if (operand.getType().isIntOrIndex())
      if (AffineExpr expr = *next++)
        memo->indices[argument] = expr;
    auto type = dyn_cast<ShapedType>(operand.getType());
    for (int64_t d = 0, e = type && type.hasRank() ? type.getRank() : 0; d < e;
         ++d)
      if (type.isDynamicDim(d))
        if (AffineExpr expr = *next++)
          memo->extents[{argument, static_cast<unsigned>(d)}] = expr;
  }
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
  if (AffineExpr known = memo->indices.lookup(value))
    return known;
  AffineExpr expr = computeIndex(value);
  memo->indices[value] = expr;
  return expr;
}

AffineExpr SizeModel::combine(Combination kind, AffineExpr a, AffineExpr b) {
  AffineExpr &known = combined[{static_cast<unsigned>(kind), {a, b}}];
  if (known)
    return known;
  if (a == b && (kind == Combination::Min || kind == Combination::Max))
    return known = a;
  if (auto divisor = dyn_cast<AffineConstantExpr>(b);
      divisor && divisor.getValue() > 0 &&
      (kind == Combination::FloorDiv || kind == Combination::CeilDiv))
    if (AffineExpr dividend = simplify(a);
        dividend.getLargestKnownDivisor() % divisor.getValue() == 0)
      return known = dividend.floorDiv(divisor.getValue());
  Range unknown{defaultHint, defaultHint};
  Range x = getRange(a, /*onlyHinted=*/false).value_or(unknown);
  Range y = getRange(b, /*onlyHinted=*/false).value_or(unknown);
  StringRef name;
  Range value = unknown;
  switch (kind) {
  case Combination::Min:
    name = "min";
    value = {std::min(x.least, y.least), std::min(x.most, y.most)};
    break;
  case Combination::Max:
    name = "max";
    value = {std::max(x.least, y.least), std::max(x.most, y.most)};
    break;
  case Combination::FloorDiv:
    name = "floordiv";
    value = {y.most > 0 ? llvm::divideFloorSigned(x.least, y.most) : 0,
             y.least > 0 ? llvm::divideFloorSigned(x.most, y.least) : 0};
    break;
  case Combination::CeilDiv:
    name = "ceildiv";
    value = {y.most > 0 ? llvm::divideCeilSigned(x.least, y.most) : 0,
             y.least > 0 ? llvm::divideCeilSigned(x.most, y.least) : 0};
    break;
  }
  bool isHinted = evaluateHinted(a) && evaluateHinted(b);
  if (isa<AffineConstantExpr>(a) && isa<AffineConstantExpr>(b))
    return known = constant(value.most);
  return known =
             addSymbol((name + "(" + print(a) + ", " + print(b) + ")").str(),
                       value, isHinted);
}

/// A symbol with the values from the first to the last iteration, if the bounds
/// of the loop are known.
AffineExpr SizeModel::computeInductionVariable(BlockArgument argument) {
  auto loop = dyn_cast<LoopLikeOpInterface>(argument.getOwner()->getParentOp());
  std::optional<SmallVector<Value>> variables =
      loop ? loop.getLoopInductionVars() : std::nullopt;
  if (!variables || !llvm::is_contained(*variables, argument))
    return addUnknown();
  auto lower = loop.getLoopLowerBounds(), upper = loop.getLoopUpperBounds(),
       step = loop.getLoopSteps();
  size_t index = llvm::find(*variables, argument) - variables->begin();
  if (!lower || !upper || !step || lower->size() <= index ||
      upper->size() <= index || step->size() <= index)
    return addUnknown();
  std::optional<int64_t> from = evaluateHinted(getIndex((*lower)[index]));
  std::optional<int64_t> to = evaluateHinted(getIndex((*upper)[index]));
  std::optional<int64_t> by = evaluateHinted(getIndex((*step)[index]));
  if (!from || !to || !by || *by <= 0 || *to <= *from || *from < 0)
    return addUnknown();
  return addSymbol("s" + std::to_string(symbols.size()),
                   {*from, *from + (*to - *from - 1) / *by * *by}, false);
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
      return computeInductionVariable(argument);
    std::string name = "arg" + std::to_string(argument.getArgNumber());
    int64_t hint = getHint(function, argument.getArgNumber());
    int64_t number = hint >= 0 ? hint : defaultHint;
    return addSymbol(name, {number, number}, hint >= 0);
  }
  Operation *op = value.getDefiningOp();
  // An expression that is not affine becomes a symbol of its own.
  auto combineOperands = [&](Combination kind, auto op) {
    return combine(kind, getIndex(op.getLhs()), getIndex(op.getRhs()));
  };
  auto combineResults = [&](Combination kind, AffineMap map,
                            ValueRange operands) {
    SmallVector<AffineExpr> dims, symbols;
    for (auto [i, operand] : llvm::enumerate(operands))
      (i < map.getNumDims() ? dims : symbols).push_back(getIndex(operand));
    AffineExpr all;
    for (AffineExpr result : map.getResults()) {
      AffineExpr expr = result.replaceDimsAndSymbols(dims, symbols);
      all = all ? combine(kind, all, expr) : expr;
    }
    return all;
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
      .Case<arith::DivUIOp, arith::DivSIOp, arith::FloorDivSIOp>(
          [&](auto div) { return combineOperands(Combination::FloorDiv, div); })
      .Case<arith::CeilDivUIOp, arith::CeilDivSIOp>(
          [&](auto div) { return combineOperands(Combination::CeilDiv, div); })
      .Case<arith::MinSIOp, arith::MinUIOp>(
          [&](auto op) { return combineOperands(Combination::Min, op); })
      .Case<arith::MaxSIOp, arith::MaxUIOp>(
          [&](auto op) { return combineOperands(Combination::Max, op); })
      .Case<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
            arith::ExtUIOp, arith::TruncIOp>(
          [&](auto cast) { return getIndex(cast.getIn()); })
      .Case([&](affine::AffineApplyOp apply) {
        return combineResults(Combination::Min, apply.getAffineMap(),
                              apply.getMapOperands());
      })
      .Case([&](affine::AffineMinOp op) {
        return combineResults(Combination::Min, op.getMap(), op.getOperands());
      })
      .Case([&](affine::AffineMaxOp op) {
        return combineResults(Combination::Max, op.getMap(), op.getOperands());
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
  if (AffineExpr known = memo->extents.lookup({shaped, dimension}))
    return known;
  AffineExpr expr = computeExtent(shaped, dimension);
  memo->extents[{shaped, dimension}] = expr;
  return expr;
}

AffineExpr SizeModel::computeArgumentExtent(BlockArgument argument,
                                            unsigned dimension) {
  Operation *parent = argument.getOwner()->getParentOp();
  if (auto loop = dyn_cast_or_null<scf::WhileOp>(parent);
      loop && argument.getOwner() == loop.getAfterBody())
    return getExtent(loop.getConditionOp().getArgs()[argument.getArgNumber()],
                     dimension);
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
  if (int64_t hint = getHint(function, number, dimension); hint > 0)
    return addSymbol(name, {hint, hint}, true);
  return addSymbol(name, {defaultHint, defaultHint}, false);
}

AffineExpr SizeModel::computeExtent(Value shaped, unsigned dimension) {
  if (auto argument = dyn_cast<BlockArgument>(shaped))
    return computeArgumentExtent(argument, dimension);
  return computeResultExtent(cast<OpResult>(shaped), dimension);
}

/// The extent of the value that the callee returns, if it has one block.
AffineExpr SizeModel::computeCalleeExtent(CallOpInterface call, unsigned result,
                                          unsigned dimension) {
  auto callee = dyn_cast_or_null<FunctionOpInterface>(
      call.resolveCallableInTable(&symbolTables));
  if (!callee || callee.isExternal() || !callee.getFunctionBody().hasOneBlock())
    return addUnknown();
  Operation *exit = callee.getFunctionBody().front().getTerminator();
  if (!exit->hasTrait<OpTrait::ReturnLike>() ||
      result >= exit->getNumOperands() ||
      exit->getOperand(result).getType() != call->getResult(result).getType() ||
      !activeCallees.insert(callee).second)
    return addUnknown();
  AffineExpr extent;
  {
    CallScope scope(*this, call, callee);
    if (scope.isBound())
      extent = getExtent(exit->getOperand(result), dimension);
  }
  activeCallees.erase(callee);
  return extent ? extent : addUnknown();
}

/// The dimension of the source for `dimension` of a rank-reducing slice.
static unsigned undropDimension(unsigned dimension, ArrayRef<int64_t> sizes,
                                ArrayRef<int64_t> shape) {
  // getDroppedDims of a subview compares strides, and fails if a step is not 1.
  auto dropped = computeRankReductionMask(sizes, shape);
  for (unsigned i = 0; dropped && i < sizes.size(); ++i) {
    if (dropped->contains(i))
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
  auto sameAsDimension = [&](Value other, unsigned d) -> AffineExpr {
    auto type = dyn_cast<RankedTensorType>(other.getType());
    return type && d < type.getRank() ? getExtent(other, d) : addUnknown();
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
            dimension, op.getStaticSizes(), op.getType().getShape())]);
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
      .Case([&](scf::WhileOp loop) {
        return sameAs(
            loop.getConditionOp().getArgs()[result.getResultNumber()]);
      })
      .Case([&](LoopLikeOpInterface loop) { return sameAsLoopInit(loop); })
      .Case([&](CallOpInterface call) {
        return computeCalleeExtent(call, result.getResultNumber(), dimension);
      })
      .Case<scf::IfOp, scf::IndexSwitchOp, scf::ExecuteRegionOp>(
          [&](auto branch) {
            // The largest, as it is not known which region is executed.
            AffineExpr all;
            for (Region &region : branch->getRegions()) {
              auto yield =
                  region.hasOneBlock()
                      ? dyn_cast<scf::YieldOp>(region.front().getTerminator())
                      : scf::YieldOp();
              if (!yield)
                return addUnknown();
              AffineExpr one =
                  sameAs(yield.getOperand(result.getResultNumber()));
              all = all ? combine(Combination::Max, all, one) : one;
            }
            return all;
          })
      .Case([&](tosa::TransposeOp op) {
        return sameAsDimension(op.getInput1(), op.getPerms()[dimension]);
      })
      .Case([&](tosa::ReshapeOp op) -> AffineExpr {
        // The one dynamic extent is the quotient of the elements and the
        // others.
        auto type = cast<ShapedType>(op.getType());
        auto source = dyn_cast<RankedTensorType>(op.getInput1().getType());
        if (!source || type.getNumDynamicDims() != 1)
          return addUnknown();
        int64_t others = 1;
        for (int64_t extent : type.getShape())
          if (!ShapedType::isDynamic(extent))
            others = saturatingMul(others, extent);
        AffineExpr elements = getNumElements(op.getInput1());
        others = std::max<int64_t>(others, 1);
        return combine(Combination::FloorDiv, elements, constant(others));
      })
      // Only the batch dimension is known.
      .Case<tosa::Conv2DOp, tosa::Conv3DOp, tosa::DepthwiseConv2DOp,
            tosa::TransposeConv2DOp, tosa::MaxPool2dOp, tosa::AvgPool2dOp>(
          [&](auto op) {
            return dimension == 0 ? sameAs(op.getInput()) : addUnknown();
          })
      .Case([&](tosa::MatMulOp op) {
        return sameAs(dimension == 2 ? op.getB() : op.getA());
      })
      .Default([&](Operation *op) -> AffineExpr {
        if (op->hasTrait<OpTrait::Elementwise>() ||
            op->hasTrait<OpTrait::tosa::TosaElementwiseOperator>() ||
            isa<tosa::MulOp, tosa::NegateOp, tosa::CastOp, tosa::IdentityOp>(
                op))
          for (Value operand : op->getOperands())
            if (auto type = dyn_cast<ShapedType>(operand.getType());
                type && type.hasRank() && dimension < type.getRank() &&
                type.isDynamicDim(dimension))
              return getExtent(operand, dimension);
        return addUnknown();
      });
}

//===----------------------------------------------------------------------===//
// Numbers and names
//===----------------------------------------------------------------------===//

static int64_t saturate(__int128 value) {
  constexpr __int128 kLeast = std::numeric_limits<int64_t>::min();
  constexpr __int128 kMost = std::numeric_limits<int64_t>::max();
  return static_cast<int64_t>(std::clamp(value, kLeast, kMost));
}

std::optional<SizeModel::Range> SizeModel::getRange(AffineExpr expr,
                                                    bool onlyHinted) const {
  if (auto number = dyn_cast<AffineConstantExpr>(expr))
    return Range{number.getValue(), number.getValue()};
  if (auto name = dyn_cast<AffineSymbolExpr>(expr)) {
    const Symbol &symbol = symbols[name.getPosition()];
    if (onlyHinted && !symbol.isHinted)
      return std::nullopt;
    return symbol.hint;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return std::nullopt;
  std::optional<Range> lhs = getRange(binary.getLHS(), onlyHinted);
  std::optional<Range> rhs = getRange(binary.getRHS(), onlyHinted);
  if (!lhs || !rhs)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Add)
    return Range{saturate(__int128(lhs->least) + rhs->least),
                 saturate(__int128(lhs->most) + rhs->most)};
  if (expr.getKind() == AffineExprKind::Mod && lhs->least != lhs->most)
    return Range{0, std::max<int64_t>(rhs->most - 1, 0)};
  // The least and the greatest value are at corners of the ranges.
  auto apply = [&](int64_t a, int64_t b) -> int64_t {
    if (expr.getKind() == AffineExprKind::Mul)
      return saturate(__int128(a) * b);
    if (b <= 0)
      return 0;
    switch (expr.getKind()) {
    case AffineExprKind::Mod:
      return llvm::mod(a, b);
    case AffineExprKind::FloorDiv:
      return llvm::divideFloorSigned(a, b);
    default:
      return llvm::divideCeilSigned(a, b);
    }
  };
  int64_t corners[] = {
      apply(lhs->least, rhs->least), apply(lhs->least, rhs->most),
      apply(lhs->most, rhs->least), apply(lhs->most, rhs->most)};
  return Range{*llvm::min_element(corners), *llvm::max_element(corners)};
}

int64_t SizeModel::evaluate(AffineExpr expr) const {
  std::optional<Range> range = getRange(expr, /*onlyHinted=*/false);
  return std::max<int64_t>(range ? range->most : defaultHint, 0);
}

std::optional<int64_t> SizeModel::evaluateHinted(AffineExpr expr) const {
  std::optional<Range> range = getRange(expr, /*onlyHinted=*/true);
  return range ? std::optional(range->most) : std::nullopt;
}

AffineExpr SizeModel::getNumElements(Value value) {
  auto type = dyn_cast<ShapedType>(value.getType());
  AffineExpr product = constant(1);
  if (!type || !type.hasRank())
    return product;
  // The static extents apart: their product saturates, but would wrap around in
  // a formula.
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

static Operation *getScopeOp(Value value) {
  if (Operation *op = value.getDefiningOp())
    return op;
  return cast<BlockArgument>(value).getOwner()->getParentOp();
}

int64_t SizeModel::getBytes(Value value) {
  Type elementType = getElementTypeOrSelf(value.getType());
  return saturatingMul(evaluate(getNumElements(value)),
                       getElementBytes(elementType, getScopeOp(value)));
}

SymbolicBytes SizeModel::getSymbolicBytes(Value value) {
  SymbolicBytes size{getBytes(value), AffineExpr()};
  auto type = dyn_cast<ShapedType>(value.getType());
  // A size that overflows would wrap around in a formula.
  if (!type || !type.hasRank() || type.hasStaticShape() ||
      size.bytes == std::numeric_limits<int64_t>::max())
    return size;
  AffineExpr formula =
      getNumElements(value) *
      getElementBytes(type.getElementType(), getScopeOp(value));
  if (!isa<AffineConstantExpr>(formula))
    size.formula = formula;
  return size;
}

std::string SizeModel::printFormula(const SymbolicBytes &bytes) const {
  return bytes.formula ? print(bytes.formula) : "";
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

namespace {
/// A sum of products of symbols and of expressions that are no sum or product.
class Polynomial {
public:
  static std::optional<Polynomial> make(AffineExpr expr) {
    Polynomial result;
    if (!result.add(expr))
      return std::nullopt;
    return result;
  }

  /// False if a coefficient does not fit into 64 bits.
  bool add(AffineExpr expr) { return add(expr, {}, 1); }
  size_t size() const { return terms.size(); }

  AffineExpr getExpr(MLIRContext *context) const {
    AffineExpr sum = getAffineConstantExpr(0, context);
    int64_t constant = 0;
    // Negative terms come last.
    for (bool isAdded : {true, false})
      for (const auto &[factors, coefficient] : terms) {
        if (factors.empty()) {
          constant = coefficient;
          continue;
        }
        if (coefficient == 0 || (coefficient > 0) != isAdded)
          continue;
        AffineExpr product = factors.front().second;
        for (const Factor &factor : llvm::drop_begin(factors))
          product = product * factor.second;
        sum = sum + product * coefficient;
      }
    return sum + constant;
  }

  /// True if no term is negative, as the symbols are not.
  bool isNeverNegative() const {
    return llvm::all_of(terms,
                        [](const auto &term) { return term.second >= 0; });
  }

private:
  /// An expression with a number that orders it: the number of a symbol, or a
  /// hash of the printed expression.
  using Factor = std::pair<uint64_t, AffineExpr>;
  using Factors = std::vector<Factor>;
  struct Less {
    bool operator()(const Factors &a, const Factors &b) const {
      return std::lexicographical_compare(
          a.begin(), a.end(), b.begin(), b.end(),
          [](const Factor &x, const Factor &y) { return x.first < y.first; });
    }
  };

  bool add(AffineExpr expr, const Factors &factors, int64_t coefficient) {
    if (auto number = dyn_cast<AffineConstantExpr>(expr)) {
      std::optional<int64_t> value = checkedMul(coefficient, number.getValue());
      return value && addTerm(factors, *value);
    }
    auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
    if (binary && expr.getKind() == AffineExprKind::Add)
      return add(binary.getLHS(), factors, coefficient) &&
             add(binary.getRHS(), factors, coefficient);
    if (binary && expr.getKind() == AffineExprKind::Mul) {
      std::optional<Polynomial> right = make(binary.getRHS());
      if (!right)
        return false;
      for (const auto &[more, times] : right->terms) {
        Factors product = factors;
        product.insert(product.end(), more.begin(), more.end());
        std::optional<int64_t> scaled = checkedMul(coefficient, times);
        if (!scaled || !add(binary.getLHS(), product, *scaled))
          return false;
      }
      return true;
    }
    Factors product = factors;
    if (auto symbol = dyn_cast<AffineSymbolExpr>(expr)) {
      product.push_back({symbol.getPosition(), expr});
    } else {
      std::string text;
      llvm::raw_string_ostream(text) << expr;
      product.push_back({(uint64_t(1) << 63) | llvm::xxh3_64bits(text), expr});
    }
    return addTerm(product, coefficient);
  }

  bool addTerm(Factors factors, int64_t coefficient) {
    llvm::sort(factors, [](const Factor &a, const Factor &b) {
      return a.first < b.first;
    });
    int64_t &sum = terms[std::move(factors)];
    std::optional<int64_t> total = checkedAdd(sum, coefficient);
    sum = total.value_or(0);
    return total.has_value();
  }

  std::map<Factors, int64_t, Less> terms;
};
} // namespace

AffineExpr SizeModel::simplify(AffineExpr expr) {
  std::optional<Polynomial> sum = Polynomial::make(expr);
  return sum ? sum->getExpr(context) : expr;
}

SymbolicBytes SizeModel::getSum(ArrayRef<SymbolicBytes> parts) {
  // Longer formulas are not readable.
  constexpr size_t kMostTerms = 64;
  SymbolicBytes sum;
  Polynomial formula;
  bool hasFormula = false, isKept = true;
  for (const SymbolicBytes &part : parts) {
    sum.bytes = saturatingAdd(sum.bytes, part.bytes);
    hasFormula |= bool(part.formula);
    isKept = isKept && formula.size() <= kMostTerms &&
             formula.add(part.formula ? part.formula : constant(part.bytes));
  }
  if (hasFormula && isKept && formula.size() <= kMostTerms)
    sum.formula = formula.getExpr(context);
  return sum;
}

SymbolicBytes SizeModel::getMax(const SymbolicBytes &a,
                                const SymbolicBytes &b) {
  if (!a.formula && !b.formula)
    return a.bytes >= b.bytes ? a : b;
  AffineExpr x = a.formula ? a.formula : constant(a.bytes);
  AffineExpr y = b.formula ? b.formula : constant(b.bytes);
  if (std::optional<Polynomial> more = Polynomial::make(x - y);
      more && more->isNeverNegative())
    return a;
  if (std::optional<Polynomial> more = Polynomial::make(y - x);
      more && more->isNeverNegative())
    return b;
  return {std::max(a.bytes, b.bytes), combine(Combination::Max, x, y)};
}

SymbolicBytes SizeModel::getDifference(const SymbolicBytes &a,
                                       const SymbolicBytes &b) {
  SymbolicBytes rest{std::max<int64_t>(a.bytes - b.bytes, 0), AffineExpr()};
  if (!a.formula && !b.formula)
    return rest;
  AffineExpr formula = simplify((a.formula ? a.formula : constant(a.bytes)) -
                                (b.formula ? b.formula : constant(b.bytes)));
  if (!isa<AffineConstantExpr>(formula))
    rest.formula = formula;
  return rest;
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
  case AffineExprKind::Add: {
    std::string text = print(rhs);
    return print(lhs) + (text.front() == '-' ? "" : "+") + text;
  }
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
