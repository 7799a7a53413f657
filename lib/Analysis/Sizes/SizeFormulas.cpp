//===- SizeFormulas.cpp - Exact formulas of sizes -------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Analysis/SizeFormulas.h"

#include "memplan/Analysis/ElementSize.h"
#include "memplan/IR/GraphAttributes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"

#include <map>

using namespace mlir;
using namespace memplan;

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

static bool isName(StringRef text) {
  return !text.empty() && (llvm::isAlpha(text.front()) || text[0] == '_') &&
         llvm::all_of(text, [](char c) {
           return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$';
         });
}

Formula
SizeFormulas::addSymbol(SizeSymbol symbol, std::vector<int64_t> values,
                        std::optional<std::pair<unsigned, unsigned>> extent) {
  // Two extents of one name need not be equal.
  std::string name = symbol.name;
  for (unsigned i = 2; numbers.contains(symbol.name); ++i)
    symbol.name = name + "_" + std::to_string(i);
  numbers[symbol.name] = symbols.size();
  Formula result = Formula::symbol(symbol.name);
  symbols.push_back(std::move(symbol));
  hints.push_back(std::move(values));
  extents.push_back(extent);
  return result;
}

static void setBounds(SizeSymbol &symbol, const IndexRange &range) {
  symbol.least = range.least;
  if (range.greatest != INT64_MAX)
    symbol.greatest = range.greatest;
  symbol.multipleOf = range.multipleOf;
}

Formula SizeFormulas::addUnknown(int64_t least) {
  return addSymbol(
      {"v" + std::to_string(symbols.size()), least, std::nullopt, 1}, {},
      std::nullopt);
}

Formula SizeFormulas::orUnknown(const MaybeFormula &formula, int64_t least) {
  return formula ? *formula : addUnknown(least);
}

Formula SizeFormulas::addArgumentExtent(unsigned argument, unsigned dimension) {
  SizeSymbol symbol;
  symbol.name =
      "arg" + std::to_string(argument) + "_d" + std::to_string(dimension);
  if (auto names =
          function.getArgAttrOfType<ArrayAttr>(argument, kDimNamesAttr))
    if (dimension < names.size())
      if (auto name = dyn_cast<StringAttr>(names[dimension]);
          name && isName(name.getValue()))
        symbol.name = name.str();
  setBounds(symbol, bounds.getExtent(function.getArgument(argument),
                                     static_cast<int64_t>(dimension)));
  std::vector<int64_t> values;
  for (DenseI64ArrayAttr hint : getDimHints(function, argument))
    values.push_back(dimension < hint.size() ? hint[dimension] : 0);
  if (llvm::all_of(values, [](int64_t value) { return value == 0; }))
    values.clear();
  return addSymbol(std::move(symbol), std::move(values),
                   std::pair(argument, dimension));
}

Formula SizeFormulas::addArgument(unsigned argument) {
  SizeSymbol symbol;
  symbol.name = "arg" + std::to_string(argument);
  setBounds(symbol, bounds.get(function.getArgument(argument)));
  std::vector<int64_t> values;
  if (auto hint = function.getArgAttrOfType<IntegerAttr>(argument, kHintAttr))
    values.push_back(hint.getInt());
  return addSymbol(std::move(symbol), std::move(values), std::nullopt);
}

std::vector<std::vector<int64_t>> SizeFormulas::getHints() const {
  size_t count = 0;
  for (const std::vector<int64_t> &values : hints)
    count = std::max(count, values.size());
  std::vector<std::vector<int64_t>> all(count);
  // A value that is given once, or not at all, counts for all hints.
  constexpr int64_t kDefault = 64;
  for (auto [symbol, values] : llvm::zip_equal(symbols, hints))
    for (size_t i = 0; i < count; ++i) {
      int64_t value =
          values.empty() ? kDefault : values[std::min(i, values.size() - 1)];
      value = std::max(value, symbol.least);
      all[i].push_back(std::min(value, symbol.greatest.value_or(value)));
    }
  return all;
}

/// True if the memory of the argument has as many elements as the dimensions
/// together: no other extent is 0, and no two elements are one.
bool SizeFormulas::hasMemoryOf(unsigned argument,
                               ArrayRef<unsigned> dimensions) {
  Value value = function.getArgument(argument);
  auto type = dyn_cast<MemRefType>(value.getType());
  if (!type)
    return false;
  SmallVector<int64_t> strides;
  int64_t offset;
  bool isVector = type.getRank() == 1 &&
                  succeeded(type.getStridesAndOffset(strides, offset)) &&
                  !ShapedType::isDynamic(strides[0]) && strides[0] != 0;
  if (!isVector && !type.getLayout().isIdentity())
    return false;
  for (unsigned d = 0; d != type.getRank(); ++d)
    if (!llvm::is_contained(dimensions, d) &&
        bounds.getExtent(value, d).least < 1)
      return false;
  return true;
}

/// The bytes of an element and the constant extents of an argument together.
int64_t SizeFormulas::getConstantBytes(unsigned argument) {
  auto type = cast<MemRefType>(function.getArgument(argument).getType());
  auto layout =
      getElementLayout(type.getElementType(), DataLayout::closest(function));
  int64_t bytes = layout ? layout->stride : 1;
  for (int64_t extent : type.getShape())
    if (!ShapedType::isDynamic(extent))
      bytes = llvm::SaturatingMultiply<uint64_t>(bytes, extent);
  return std::clamp<int64_t>(bytes, 0, kMostExtent);
}

bool SizeFormulas::isPartOfArgument(const Formula &formula, bool isInBranch) {
  if (formula.terms().size() > 1)
    return false;
  std::optional<unsigned> argument;
  llvm::SmallVector<unsigned, 4> dimensions;
  for (const Formula::Term &term : formula.terms())
    for (const Formula::Factor &factor : term.factors) {
      auto it = numbers.find(factor.symbol);
      if (factor.function || it == numbers.end() || !extents[it->second])
        return false;
      auto [number, dimension] = *extents[it->second];
      if (argument.value_or(number) != number ||
          llvm::is_contained(dimensions, dimension))
        return false;
      argument = number;
      dimensions.push_back(dimension);
    }
  // A loop that does not iterate is rare; a branch that is taken for small
  // inputs alone, with much memory for each element, is not.
  constexpr int64_t kMost = int64_t(1) << 20, kMostTimes = 16;
  int64_t most = kMost;
  if (argument) {
    if (!hasMemoryOf(*argument, dimensions))
      return false;
    if (isInBranch)
      most = std::min(most, kMostTimes * getConstantBytes(*argument));
  }
  return formula.terms().empty() ||
         (formula.terms().front().coefficient > 0 &&
          formula.terms().front().coefficient <= most);
}

int64_t SizeFormulas::getMostDynamic(unsigned argument) {
  int64_t most = kMostExtent;
  for (int64_t extent :
       cast<ShapedType>(function.getArgument(argument).getType()).getShape())
    if (extent > 0)
      most /= extent;
  return std::max<int64_t>(most, 1);
}

std::optional<int64_t>
SizeFormulas::getMagnitude(const Formula::Factor &factor) {
  if (factor.function) {
    // A quotient is at most the dividend, as divisors are positive.
    int64_t greatest = 0;
    for (const Formula &operand : factor.function->operands) {
      std::optional<int64_t> one = getMagnitude(operand);
      if (!one)
        return std::nullopt;
      greatest = std::max(greatest, *one);
    }
    return greatest;
  }
  auto it = numbers.find(factor.symbol);
  if (it == numbers.end())
    return kMostExtent;
  const SizeSymbol &symbol = symbols[it->second];
  if (!symbol.greatest || symbol.least < -kMostExtent)
    return kMostExtent;
  return std::min(kMostExtent,
                  std::max(std::abs(symbol.least), std::abs(*symbol.greatest)));
}

std::optional<int64_t> SizeFormulas::getMagnitude(const Formula::Term &term) {
  std::optional<int64_t> product =
      std::abs(std::max(term.coefficient, -INT64_MAX));
  // Different extents of an argument are few elements together.
  std::map<unsigned, int64_t> elements;
  const Formula::Factor *previous = nullptr;
  for (const Formula::Factor &factor : term.factors) {
    std::optional<int64_t> one = getMagnitude(factor);
    if (!one)
      return std::nullopt;
    auto it = numbers.find(factor.symbol);
    bool isSame = previous && previous->symbol == factor.symbol;
    previous = &factor;
    if (!factor.function && !isSame && it != numbers.end() &&
        extents[it->second]) {
      unsigned argument = extents[it->second]->first;
      int64_t &count = elements.try_emplace(argument, 1).first->second;
      int64_t most = getMostDynamic(argument);
      count = std::min(llvm::SaturatingMultiply<uint64_t>(count, *one),
                       static_cast<uint64_t>(most));
      continue;
    }
    product = llvm::checkedMul(*product, *one);
    if (!product)
      return std::nullopt;
  }
  for (auto [argument, count] : elements)
    if (product)
      product = llvm::checkedMul(*product, count);
  return product;
}

std::optional<int64_t> SizeFormulas::getMagnitude(const Formula &formula) {
  constexpr int64_t kMost = int64_t(1) << 62;
  int64_t sum = 0;
  for (const Formula::Term &term : formula.terms()) {
    std::optional<int64_t> one = getMagnitude(term);
    if (!one || *one > kMost - sum)
      return std::nullopt;
    sum += *one;
  }
  return sum;
}

bool SizeFormulas::isBounded(const Formula &formula) {
  auto isKnown = [&](const std::string &name) {
    auto it = numbers.find(name);
    if (it == numbers.end())
      return false;
    const SizeSymbol &symbol = symbols[it->second];
    return extents[it->second] ||
           (symbol.greatest && *symbol.greatest <= kMostExtent &&
            symbol.least >= -kMostExtent);
  };
  return getMagnitude(formula) && llvm::all_of(formula.getSymbols(), isKnown);
}

bool SizeFormulas::isAlwaysExact(const Formula &formula) {
  const std::vector<Formula::Term> &terms = formula.terms();
  bool isSymbol = terms.size() == 1 && terms.front().coefficient == 1 &&
                  terms.front().factors.size() == 1 &&
                  !terms.front().factors.front().function;
  return isSymbol || isBounded(formula);
}

MaybeFormula SizeFormulas::unlessWrapped(const Formula &formula) {
  return getMagnitude(formula) ? formula : MaybeFormula();
}

MaybeFormula SizeFormulas::asDivisor(const Formula &formula) {
  return isKnownNotNegative(formula) ? unlessWrapped(formula) : MaybeFormula();
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

/// The opposite of the least number does not fit into 64 bits.
Formula SizeFormulas::ofConstant(int64_t number) {
  return number == INT64_MIN ? addUnknown(INT64_MIN) : Formula(number);
}

Formula SizeFormulas::ofArgument(BlockArgument argument) {
  return argument.getOwner() == &function.getFunctionBody().front()
             ? addArgument(argument.getArgNumber())
             : addUnknown(INT64_MIN);
}

Formula SizeFormulas::ofOther(Value /*value*/, int64_t least) {
  return addUnknown(least);
}

Formula SizeFormulas::ofSelect(Value /*select*/, ValueRange operands) {
  std::optional<bool> condition = decide(operands[0]);
  return condition ? get(operands[*condition ? 1 : 2]) : addUnknown(INT64_MIN);
}

Formula SizeFormulas::combine(SizeOp op, const Formula &a, const Formula &b) {
  switch (op) {
  // These may wrap around in between, the others not.
  case SizeOp::Add:
    return orUnknown(add(a, b));
  case SizeOp::Sub:
    return orUnknown(subtract(a, b));
  case SizeOp::Mul:
    return orUnknown(multiply(a, b));
  // Rounded to zero, or of unsigned numbers.
  case SizeOp::DivU:
  case SizeOp::DivS:
  case SizeOp::CeilDivU:
  case SizeOp::RemU:
  case SizeOp::RemS:
  case SizeOp::MinU:
  case SizeOp::MaxU:
    if (!isKnownNotNegative(a) || !isKnownNotNegative(b))
      return addUnknown(INT64_MIN);
    break;
  default:
    break;
  }
  MaybeFormula x = unlessWrapped(a);
  switch (op) {
  case SizeOp::MinU:
  case SizeOp::MinS:
    return orUnknown(memplan::min(x, unlessWrapped(b)));
  case SizeOp::MaxU:
  case SizeOp::MaxS:
    return orUnknown(memplan::max(x, unlessWrapped(b)));
  case SizeOp::CeilDivU:
  case SizeOp::CeilDivS:
    return orUnknown(ceilDiv(x, asDivisor(b)));
  case SizeOp::RemU:
  case SizeOp::RemS:
  case SizeOp::Mod:
    return orUnknown(mod(x, asDivisor(b)));
  default:
    return orUnknown(floorDiv(x, asDivisor(b)));
  }
}

std::optional<bool> SizeFormulas::decide(Value condition) {
  auto comparison = condition.getDefiningOp<arith::CmpIOp>();
  if (!comparison || !(comparison.getLhs().getType().isIndex() ||
                       comparison.getLhs().getType().isInteger(64)))
    return std::nullopt;
  Formula a = get(comparison.getLhs()), b = get(comparison.getRhs());
  if (!unlessWrapped(a) || !unlessWrapped(b))
    return std::nullopt;
  auto isLess = [&](const Formula &x, const Formula &y) -> std::optional<bool> {
    MaybeFormula less = subtract(y, x), notLess = subtract(x, y);
    MaybeFormula atLeastOne = subtract(less, Formula(1));
    if (atLeastOne && isKnownNotNegative(*atLeastOne))
      return true;
    if (notLess && isKnownNotNegative(*notLess))
      return false;
    return std::nullopt;
  };
  auto isNot = [](std::optional<bool> known) -> std::optional<bool> {
    return known ? std::optional(!*known) : known;
  };
  using Predicate = arith::CmpIPredicate;
  Predicate predicate = comparison.getPredicate();
  if (predicate == Predicate::eq || predicate == Predicate::ne) {
    bool differ = isLess(a, b).value_or(false) || isLess(b, a).value_or(false);
    if (a != b && !differ)
      return std::nullopt;
    return (predicate == Predicate::ne) == differ;
  }
  bool isUnsigned = predicate == Predicate::ult ||
                    predicate == Predicate::ule ||
                    predicate == Predicate::ugt || predicate == Predicate::uge;
  if (isUnsigned && (!isKnownNotNegative(a) || !isKnownNotNegative(b)))
    return std::nullopt;
  if (predicate == Predicate::slt || predicate == Predicate::ult)
    return isLess(a, b);
  if (predicate == Predicate::sgt || predicate == Predicate::ugt)
    return isLess(b, a);
  if (predicate == Predicate::sge || predicate == Predicate::uge)
    return isNot(isLess(a, b));
  return isNot(isLess(b, a));
}

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

Formula SizeFormulas::computeExtent(Value shaped, unsigned dimension) {
  if (auto argument = dyn_cast<BlockArgument>(shaped))
    if (argument.getOwner()->isEntryBlock() &&
        argument.getOwner()->getParentOp() == function)
      return addArgumentExtent(argument.getArgNumber(), dimension);
  std::optional<Formula> followed = followExtent(shaped, dimension);
  return followed ? *followed : addUnknown(0);
}

Formula SizeFormulas::getBytes(Value buffer, int64_t elementBytes) {
  MaybeFormula product = Formula(elementBytes);
  auto type = cast<ShapedType>(buffer.getType());
  for (unsigned d = 0; d < type.getRank(); ++d)
    product = multiply(product, getExtent(buffer, d));
  MaybeFormula simple =
      product ? simplify(*product, symbols) : std::optional<Formula>();
  return orUnknown(simple, 0);
}
