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

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace memplan;

Formula SizeModel::addSymbol(std::string name, Range hint, bool isHinted) {
  if (symbols.contains(name))
    name += "#" + std::to_string(symbols.size());
  symbols[name] = {hint, isHinted};
  return Formula::symbol(std::move(name));
}

Formula SizeModel::addUnknown() {
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
  // Absent if the callee has a hint and the caller has none.
  SmallVector<MaybeFormula> sizes;
  auto add = [&](const Formula &size, bool hasHint) {
    bool isOwn = hasHint && !model.evaluateHinted(size);
    sizes.push_back(isOwn ? MaybeFormula() : size);
  };
  for (auto [number, operand] : llvm::enumerate(operands)) {
    auto type = dyn_cast<ShapedType>(operand.getType());
    if (operand.getType() != callee.getArgument(number).getType())
      continue;
    if (operand.getType().isIntOrIndex())
      add(model.get(operand), getHint(callee, number) >= 0);
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
      if (MaybeFormula size = *next++)
        memo->indices[argument] = *size;
    auto type = dyn_cast<ShapedType>(operand.getType());
    for (int64_t d = 0, e = type && type.hasRank() ? type.getRank() : 0; d < e;
         ++d)
      if (type.isDynamicDim(d))
        if (MaybeFormula size = *next++)
          memo->extents[{argument, static_cast<unsigned>(d)}] = *size;
  }
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

Formula SizeModel::ofConstant(int64_t number) {
  return number == INT64_MIN ? addUnknown() : Formula(number);
}

/// What varies with the iterations of loops has a range, which a formula in
/// canonical form would widen. A function of it is a symbol of its own, and so
/// is what is no formula.
Formula SizeModel::combine(SizeOp op, const Formula &a, const Formula &b) {
  Range unknown{defaultHint, defaultHint};
  Range x = getRange(a, /*onlyHinted=*/false).value_or(unknown);
  Range y = getRange(b, /*onlyHinted=*/false).value_or(unknown);
  bool isVariable = x.least != x.most || y.least != y.most;
  auto isProduct = [](const Formula &formula) {
    return formula.terms().size() <= 1;
  };
  auto unlessVariable = [&](const MaybeFormula &formula) {
    return isVariable ? MaybeFormula() : formula;
  };
  MaybeFormula result;
  StringRef name;
  switch (op) {
  case SizeOp::Add:
    result = add(a, b);
    break;
  case SizeOp::Sub:
    result = subtract(a, b);
    break;
  case SizeOp::Mul:
    if (x.least == x.most || y.least == y.most ||
        (isProduct(a) && isProduct(b)))
      result = multiply(a, b);
    break;
  case SizeOp::MinU:
  case SizeOp::MinS:
    name = "min";
    result = a == b ? a : unlessVariable(memplan::min(a, b));
    break;
  case SizeOp::MaxU:
  case SizeOp::MaxS:
    name = "max";
    result = a == b ? a : unlessVariable(memplan::max(a, b));
    break;
  case SizeOp::DivU:
  case SizeOp::DivS:
  case SizeOp::FloorDivS:
    name = "floordiv";
    result = unlessVariable(floorDiv(a, b));
    break;
  case SizeOp::CeilDivU:
  case SizeOp::CeilDivS:
    name = "ceildiv";
    result = unlessVariable(ceilDiv(a, b));
    break;
  case SizeOp::RemU:
  case SizeOp::RemS:
  case SizeOp::Mod:
    name = "mod";
    result = unlessVariable(mod(a, b));
    break;
  }
  if (result)
    return *result;
  std::string text = "s" + std::to_string(symbols.size());
  if (!name.empty() && a.complexity() + b.complexity() < 16)
    text = (name + "(" + a.print() + ", " + b.print() + ")").str();
  if (symbols.contains(text))
    return Formula::symbol(text);
  return addSymbol(text, apply(op, x, y),
                   evaluateHinted(a) && evaluateHinted(b));
}

/// A symbol with the values from the first to the last iteration, if the bounds
/// of the loop are known.
Formula SizeModel::computeInductionVariable(BlockArgument argument) {
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
  std::optional<int64_t> from = evaluateHinted(get((*lower)[index]));
  std::optional<int64_t> to = evaluateHinted(get((*upper)[index]));
  std::optional<int64_t> by = evaluateHinted(get((*step)[index]));
  if (!from || !to || !by || *by <= 0 || *to <= *from || *from < 0)
    return addUnknown();
  return addSymbol("s" + std::to_string(symbols.size()),
                   {*from, *from + (*to - *from - 1) / *by * *by}, false);
}

Formula SizeModel::ofArgument(BlockArgument argument) {
  auto function =
      dyn_cast_or_null<FunctionOpInterface>(argument.getOwner()->getParentOp());
  if (!function || !argument.getOwner()->isEntryBlock())
    return computeInductionVariable(argument);
  std::string name = "arg" + std::to_string(argument.getArgNumber());
  int64_t hint = getHint(function, argument.getArgNumber());
  int64_t number = hint >= 0 ? hint : defaultHint;
  return addSymbol(name, {number, number}, hint >= 0);
}

/// Tensors, and conversions, which do not change an estimate.
Formula SizeModel::ofOther(Value value, int64_t /*least*/) {
  Operation *op = value.getDefiningOp();
  if (auto dim = dyn_cast_or_null<tensor::DimOp>(op)) {
    std::optional<int64_t> index = dim.getConstantIndex();
    auto type = dyn_cast<RankedTensorType>(dim.getSource().getType());
    if (index && type && 0 <= *index && *index < type.getRank())
      return getExtent(dim.getSource(), static_cast<unsigned>(*index));
  }
  if (isa_and_present<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
                      arith::ExtUIOp, arith::TruncIOp>(op))
    if (Type from = op->getOperand(0).getType();
        from.isIndex() ||
        (from.isInteger() && from.getIntOrFloatBitWidth() <= 64))
      return get(op->getOperand(0));
  return addUnknown();
}

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

Formula SizeModel::computeArgumentExtent(BlockArgument argument,
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

Formula SizeModel::computeExtent(Value shaped, unsigned dimension) {
  if (std::optional<Formula> followed = followExtent(shaped, dimension))
    return *followed;
  if (auto argument = dyn_cast<BlockArgument>(shaped))
    return computeArgumentExtent(argument, dimension);
  return computeResultExtent(cast<OpResult>(shaped), dimension);
}

/// The extent of the value that the callee returns, if it has one block.
Formula SizeModel::computeCalleeExtent(CallOpInterface call, unsigned result,
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
  MaybeFormula extent;
  {
    CallScope scope(*this, call, callee);
    if (scope.isBound())
      extent = getExtent(exit->getOperand(result), dimension);
  }
  activeCallees.erase(callee);
  return extent ? *extent : addUnknown();
}

/// Of what findExtent does not know.
Formula SizeModel::computeResultExtent(OpResult result, unsigned dimension) {
  auto sameAs = [&](Value other) -> Formula {
    auto type = dyn_cast<ShapedType>(other.getType());
    if (!type || !type.hasRank() || dimension >= type.getRank())
      return addUnknown();
    return getExtent(other, dimension);
  };
  auto sameAsDimension = [&](Value other, unsigned d) -> Formula {
    auto type = dyn_cast<RankedTensorType>(other.getType());
    return type && d < type.getRank() ? getExtent(other, d) : addUnknown();
  };
  auto sameAsLoopInit = [&](LoopLikeOpInterface loop) -> Formula {
    OpOperand *init = loop.getTiedLoopInit(result);
    return init ? sameAs(init->get()) : addUnknown();
  };
  return llvm::TypeSwitch<Operation *, Formula>(result.getOwner())
      .Case([&](bufferization::AllocTensorOp op) -> Formula {
        if (op.getCopy())
          return sameAs(op.getCopy());
        return get(
            op.getDynamicSizes()[op.getType().getDynamicDimIndex(dimension)]);
      })
      .Case(
          [&](bufferization::ToTensorOp op) { return sameAs(op.getBuffer()); })
      .Case(
          [&](bufferization::ToBufferOp op) { return sameAs(op.getTensor()); })
      .Case<tensor::InsertSliceOp, tensor::InsertOp, tensor::ScatterOp>(
          [&](auto op) { return sameAs(op.getDest()); })
      .Case([&](tensor::PadOp op) {
        Formula begin =
            combine(SizeOp::Add, getExtent(op.getSource(), dimension),
                    get(op.getMixedLowPad()[dimension]));
        return combine(SizeOp::Add, begin,
                       get(op.getMixedHighPad()[dimension]));
      })
      .Case([&](tensor::ConcatOp op) {
        if (op.getDim() != dimension)
          return sameAs(op.getInputs().front());
        Formula sum;
        for (Value input : op.getInputs())
          sum = combine(SizeOp::Add, sum, getExtent(input, dimension));
        return sum;
      })
      .Case([&](tensor::GenerateOp op) {
        unsigned index = op.getType().getDynamicDimIndex(dimension);
        return get(op.getDynamicExtents()[index]);
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
            MaybeFormula all;
            for (Region &region : branch->getRegions()) {
              auto yield =
                  region.hasOneBlock()
                      ? dyn_cast<scf::YieldOp>(region.front().getTerminator())
                      : scf::YieldOp();
              if (!yield)
                return addUnknown();
              Formula one = sameAs(yield.getOperand(result.getResultNumber()));
              all = all ? combine(SizeOp::MaxS, *all, one) : one;
            }
            return *all;
          })
      .Case([&](tosa::TransposeOp op) {
        return sameAsDimension(op.getInput1(), op.getPerms()[dimension]);
      })
      .Case([&](tosa::ReshapeOp op) -> Formula {
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
        return combine(SizeOp::FloorDivS, getNumElements(op.getInput1()),
                       Formula(std::max<int64_t>(others, 1)));
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
      .Default([&](Operation *op) -> Formula {
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

/// Bounds of the results; 0 counts for a quotient or remainder of what is not
/// positive.
SizeModel::Range SizeModel::apply(SizeOp op, Range a, Range b) {
  auto corners = [&](auto fn) {
    auto [least, most] = std::minmax({fn(a.least, b.least), fn(a.least, b.most),
                                      fn(a.most, b.least), fn(a.most, b.most)});
    return Range{least, most};
  };
  auto atPositive = [&](auto fn) {
    return corners(
        [&](int64_t x, int64_t y) -> int64_t { return y > 0 ? fn(x, y) : 0; });
  };
  switch (op) {
  case SizeOp::Add:
    return {saturate(__int128(a.least) + b.least),
            saturate(__int128(a.most) + b.most)};
  case SizeOp::Sub:
    return {saturate(__int128(a.least) - b.most),
            saturate(__int128(a.most) - b.least)};
  case SizeOp::Mul:
    return corners(
        [](int64_t x, int64_t y) { return saturate(__int128(x) * y); });
  case SizeOp::DivU:
  case SizeOp::DivS:
  case SizeOp::FloorDivS:
    return atPositive(
        [](int64_t x, int64_t y) { return llvm::divideFloorSigned(x, y); });
  case SizeOp::CeilDivU:
  case SizeOp::CeilDivS:
    return atPositive(
        [](int64_t x, int64_t y) { return llvm::divideCeilSigned(x, y); });
  case SizeOp::RemU:
  case SizeOp::RemS:
  case SizeOp::Mod:
    return a.least == a.most ? atPositive([](int64_t x, int64_t y) {
      return llvm::mod(x, y);
    })
                             : Range{0, std::max<int64_t>(b.most - 1, 0)};
  case SizeOp::MinU:
  case SizeOp::MinS:
    return {std::min(a.least, b.least), std::min(a.most, b.most)};
  case SizeOp::MaxU:
  case SizeOp::MaxS:
    return {std::max(a.least, b.least), std::max(a.most, b.most)};
  }
  llvm_unreachable("all operations are above");
}

std::optional<SizeModel::Range>
SizeModel::getRange(const Formula::Factor &factor, bool onlyHinted) const {
  if (!factor.function) {
    const Symbol &symbol = symbols.find(factor.symbol)->second;
    return onlyHinted && !symbol.isHinted ? std::nullopt
                                          : std::optional(symbol.hint);
  }
  using Kind = Formula::Function::Kind;
  SizeOp op = factor.function->kind == Kind::FloorDiv ? SizeOp::FloorDivS
              : factor.function->kind == Kind::Max    ? SizeOp::MaxS
                                                      : SizeOp::MinS;
  std::optional<Range> all;
  for (const Formula &operand : factor.function->operands) {
    std::optional<Range> one = getRange(operand, onlyHinted);
    if (!one)
      return std::nullopt;
    all = all ? apply(op, *all, *one) : *one;
  }
  return all;
}

std::optional<SizeModel::Range> SizeModel::getRange(const Formula &formula,
                                                    bool onlyHinted) const {
  Range sum{0, 0};
  for (const Formula::Term &term : formula.terms()) {
    Range product{term.coefficient, term.coefficient};
    for (const Formula::Factor &factor : term.factors) {
      std::optional<Range> one = getRange(factor, onlyHinted);
      if (!one)
        return std::nullopt;
      product = apply(SizeOp::Mul, product, *one);
    }
    sum = apply(SizeOp::Add, sum, product);
  }
  return sum;
}

int64_t SizeModel::evaluate(const Formula &formula) const {
  std::optional<Range> range = getRange(formula, /*onlyHinted=*/false);
  return std::max<int64_t>(range ? range->most : defaultHint, 0);
}

std::optional<int64_t> SizeModel::evaluateHinted(const Formula &formula) const {
  std::optional<Range> range = getRange(formula, /*onlyHinted=*/true);
  return range ? std::optional(range->most) : std::nullopt;
}

Formula SizeModel::getNumElements(Value value) {
  auto type = dyn_cast<ShapedType>(value.getType());
  Formula product(1);
  if (!type || !type.hasRank())
    return product;
  // The static extents apart: their product saturates.
  int64_t known = 1;
  for (unsigned d = 0; d < type.getRank(); ++d) {
    if (type.isDynamicDim(d))
      product = combine(SizeOp::Mul, product, getExtent(value, d));
    else
      known = saturatingMul(known, type.getDimSize(d));
  }
  return combine(SizeOp::Mul, product, Formula(known));
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
  SymbolicBytes size{getBytes(value)};
  auto type = dyn_cast<ShapedType>(value.getType());
  // There is no formula of a size that overflows.
  if (!type || !type.hasRank() || type.hasStaticShape() ||
      size.bytes == std::numeric_limits<int64_t>::max())
    return size;
  Formula formula = combine(
      SizeOp::Mul, getNumElements(value),
      Formula(getElementBytes(type.getElementType(), getScopeOp(value))));
  if (!formula.getConstant())
    size.formula = formula;
  return size;
}

std::string SizeModel::printFormula(const SymbolicBytes &bytes) {
  std::string text = bytes.formula ? bytes.formula->print() : "";
  for (size_t i = text.find('#'); i != text.npos; i = text.find('#', i))
    text.erase(
        i,
        std::min(text.find_first_not_of("0123456789", i + 1), text.size()) - i);
  return text;
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

static Formula getFormula(const SymbolicBytes &size) {
  return size.formula.value_or(Formula(size.bytes));
}

/// The formula of bytes that depend on `a` or `b`.
static MaybeFormula unlessConstant(const MaybeFormula &formula,
                                   const SymbolicBytes &a,
                                   const SymbolicBytes &b) {
  bool isSymbolic = (a.formula || b.formula) && formula;
  return isSymbolic && !formula->getConstant() ? formula : MaybeFormula();
}

SymbolicBytes SizeModel::getSum(ArrayRef<SymbolicBytes> parts) {
  // Longer formulas are not readable.
  constexpr size_t kMostTerms = 64;
  SymbolicBytes sum;
  MaybeFormula formula = Formula();
  bool hasFormula = false;
  for (const SymbolicBytes &part : parts) {
    sum.bytes = saturatingAdd(sum.bytes, part.bytes);
    hasFormula |= part.formula.has_value();
    formula = add(formula, getFormula(part));
    if (formula && formula->terms().size() > kMostTerms)
      formula.reset();
  }
  if (hasFormula)
    sum.formula = formula;
  return sum;
}

SymbolicBytes SizeModel::getMax(const SymbolicBytes &a,
                                const SymbolicBytes &b) {
  Formula x = getFormula(a), y = getFormula(b);
  // No symbol is negative.
  if (isNeverGreater(y, x, {}))
    return a;
  if (isNeverGreater(x, y, {}))
    return b;
  return {std::max(a.bytes, b.bytes), unlessConstant(max(x, y), a, b)};
}

SymbolicBytes SizeModel::getDifference(const SymbolicBytes &a,
                                       const SymbolicBytes &b) {
  return {std::max<int64_t>(a.bytes - b.bytes, 0),
          unlessConstant(subtract(getFormula(a), getFormula(b)), a, b)};
}
