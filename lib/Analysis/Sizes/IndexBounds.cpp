//===- IndexBounds.cpp - Least and greatest values of indices -------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Analysis/IndexBounds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

#include "llvm/ADT/SetVector.h"
#include <numeric>

using namespace mlir;
using namespace memplan;

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

int64_t memplan::getGreatestIndex(Operation *op) {
  DataLayout layout = DataLayout::closest(op);
  uint64_t bits = layout.getTypeSizeInBits(IndexType::get(op->getContext()))
                      .getFixedValue();
  return bits >= 64 ? INT64_MAX : (int64_t(1) << (bits - 1)) - 1;
}

static IndexRange makeConstant(int64_t value) { return {value, value, 1}; }

/// Nothing is known where facts contradict each other, as nothing runs there.
static IndexRange intersect(const IndexRange &a, const IndexRange &b) {
  if (std::max(a.least, b.least) > std::min(a.greatest, b.greatest))
    return {};
  int64_t multiple;
  if (llvm::MulOverflow(a.multipleOf / std::gcd(a.multipleOf, b.multipleOf),
                        b.multipleOf, multiple))
    multiple = a.multipleOf;
  return {std::max(a.least, b.least), std::min(a.greatest, b.greatest),
          multiple};
}

static IndexRange addRanges(const IndexRange &a, const IndexRange &b) {
  IndexRange sum;
  if (!a.isBounded() || !b.isBounded() ||
      llvm::AddOverflow(a.least, b.least, sum.least) ||
      llvm::AddOverflow(a.greatest, b.greatest, sum.greatest))
    return {};
  return sum;
}

static IndexRange negate(const IndexRange &a) {
  if (!a.isBounded())
    return {};
  return {-a.greatest, -a.least, 1};
}

static IndexRange multiplyRanges(const IndexRange &a, const IndexRange &b) {
  if (!a.isBounded() || !b.isBounded())
    return {};
  IndexRange product{INT64_MAX, INT64_MIN, 1};
  for (int64_t x : {a.least, a.greatest})
    for (int64_t y : {b.least, b.greatest}) {
      int64_t corner;
      if (llvm::MulOverflow(x, y, corner))
        return {};
      product.least = std::min(product.least, corner);
      product.greatest = std::max(product.greatest, corner);
    }
  return product;
}

/// The quotients, rounded down or up; nothing is known unless the dividend is
/// not negative and the divisor is positive.
static IndexRange divide(const IndexRange &a, const IndexRange &b, bool isUp) {
  if (a.least < 0 || b.least < 1)
    return {};
  auto quotient = [&](int64_t x, int64_t y) {
    return x / y + (isUp && x % y != 0 ? 1 : 0);
  };
  IndexRange result{quotient(a.least, b.greatest), INT64_MAX, 1};
  if (a.greatest != INT64_MAX)
    result.greatest = quotient(a.greatest, b.least);
  return result;
}

/// The remainders, likewise.
static IndexRange remainder(const IndexRange &a, const IndexRange &b) {
  if (a.least < 0 || b.least < 1)
    return {};
  return {0,
          b.greatest == INT64_MAX ? a.greatest
                                  : std::min(a.greatest, b.greatest - 1),
          1};
}

/// What is at most both, or at least both.
static IndexRange least(const IndexRange &a, const IndexRange &b) {
  return {std::min(a.least, b.least), std::min(a.greatest, b.greatest), 1};
}
static IndexRange greatest(const IndexRange &a, const IndexRange &b) {
  return {std::max(a.least, b.least), std::max(a.greatest, b.greatest), 1};
}

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

/// True if the op does nothing but compute, or allocate memory.
static bool isHarmless(Operation &op) {
  if (isMemoryEffectFree(&op))
    return true;
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects || op.getNumRegions() != 0)
    return false;
  SmallVector<MemoryEffects::EffectInstance> all;
  effects.getEffects(all);
  return llvm::all_of(all, [](const MemoryEffects::EffectInstance &effect) {
    return isa<MemoryEffects::Allocate>(effect.getEffect());
  });
}

IndexBounds::IndexBounds(FunctionOpInterface function) {
  if (function.isExternal())
    return;
  greatestIndex = getGreatestIndex(function);
  // What is asserted behind an access does not hold there. Conjunctions may be
  // long, and have operands in common.
  llvm::SetVector<Value> asserted;
  for (Operation &op : function.getFunctionBody().front())
    if (auto assertion = dyn_cast<cf::AssertOp>(op))
      asserted.insert(assertion.getArg());
    else if (!isHarmless(op))
      break;
  for (size_t i = 0; i < asserted.size(); ++i)
    if (auto both = asserted[i].getDefiningOp<arith::AndIOp>())
      asserted.insert_range(both->getOperands());
    else
      addFact(asserted[i]);
}

void IndexBounds::addFact(Value condition) {
  auto comparison = condition.getDefiningOp<arith::CmpIOp>();
  if (!comparison)
    return;
  std::optional<int64_t> number = getConstantNumber(comparison.getRhs());
  if (!number || *number == INT64_MIN || *number == INT64_MAX)
    return;
  Value value = comparison.getLhs();
  IndexRange range;
  switch (comparison.getPredicate()) {
  case arith::CmpIPredicate::eq: {
    Operation *op = value.getDefiningOp();
    if (*number == 0 && isa_and_present<arith::RemUIOp, arith::RemSIOp>(op)) {
      std::optional<int64_t> divisor = getConstantNumber(op->getOperand(1));
      // Unsigned remainders of negative numbers are others.
      if (divisor && *divisor > 0 &&
          (isa<arith::RemSIOp>(op) || get(op->getOperand(0)).least >= 0))
        addFact(op->getOperand(0), {INT64_MIN, INT64_MAX, *divisor});
      return;
    }
    range = makeConstant(*number);
    break;
  }
  case arith::CmpIPredicate::slt:
    range.greatest = *number - 1;
    break;
  case arith::CmpIPredicate::sle:
    range.greatest = *number;
    break;
  case arith::CmpIPredicate::sgt:
    range.least = *number + 1;
    break;
  case arith::CmpIPredicate::sge:
    range.least = *number;
    break;
  case arith::CmpIPredicate::ult:
  case arith::CmpIPredicate::ule:
    if (*number < 0)
      return;
    range.least = 0;
    range.greatest =
        *number - (comparison.getPredicate() == arith::CmpIPredicate::ult);
    break;
  default:
    return;
  }
  addFact(value, range);
}

void IndexBounds::addFact(Value value, const IndexRange &range) {
  if (auto dim = value.getDefiningOp<memref::DimOp>())
    if (std::optional<int64_t> index = getConstantNumber(dim.getIndex())) {
      IndexRange &fact = extentFacts[{dim.getSource(), *index}];
      fact = intersect(fact, range);
      return;
    }
  IndexRange &fact = facts[value];
  fact = intersect(fact, range);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

IndexRange IndexBounds::ofConstant(int64_t number) const {
  return makeConstant(number);
}

IndexRange IndexBounds::ofOther(Value /*value*/, int64_t least) const {
  return {least, INT64_MAX, 1};
}

IndexRange IndexBounds::ofSelect(Value /*select*/, ValueRange operands) {
  IndexRange a = get(operands[1]), b = get(operands[2]);
  return {std::min(a.least, b.least), std::max(a.greatest, b.greatest), 1};
}

IndexRange IndexBounds::settle(Value value, IndexRange range) const {
  // The arithmetic of the program wraps around. One end may be unknown where
  // the other is known.
  bool isLeastKnown = range.least != INT64_MIN;
  bool isGreatestKnown = range.greatest != INT64_MAX;
  if ((isLeastKnown && range.least < -greatestIndex) ||
      (isGreatestKnown && range.greatest > greatestIndex))
    range.least = INT64_MIN, range.greatest = INT64_MAX;
  auto it = facts.find(value);
  return it == facts.end() ? range : intersect(range, it->second);
}

IndexRange IndexBounds::getExtent(Value memref, int64_t dimension) {
  IndexRange range = followExtent(memref, dimension).value_or(IndexRange());
  // No memref has a negative extent.
  range.least = std::max<int64_t>(range.least, 0);
  if (auto it = extentFacts.find({memref, dimension}); it != extentFacts.end())
    range = intersect(range, it->second);
  return range;
}

std::optional<int64_t> IndexBounds::getMostElements(Value memref) {
  IndexRange elements = makeConstant(1);
  for (int64_t i = 0, e = cast<MemRefType>(memref.getType()).getRank(); i != e;
       ++i)
    elements = multiplyRanges(elements, getExtent(memref, i));
  if (!elements.isBounded())
    return std::nullopt;
  return std::max<int64_t>(elements.greatest, 0);
}

/// The variable of a loop with a bounded range.
IndexRange IndexBounds::ofArgument(BlockArgument variable) {
  auto loop =
      dyn_cast_or_null<LoopLikeOpInterface>(variable.getOwner()->getParentOp());
  if (auto counted = dyn_cast_or_null<scf::ForOp>(loop.getOperation());
      counted && counted.getUnsignedCmp())
    return {};
  if (!loop)
    return {};
  auto variables = loop.getLoopInductionVars();
  auto lower = loop.getLoopLowerBounds(), upper = loop.getLoopUpperBounds();
  if (!variables || !lower || !upper)
    return {};
  for (auto [own, first, end] : llvm::zip(*variables, *lower, *upper))
    if (own == variable) {
      IndexRange from = get(first), to = get(end);
      if (from.isBounded() && to.isBounded() && to.greatest > INT64_MIN + 1)
        return {from.least, std::max(from.least, to.greatest - 1), 1};
    }
  return {};
}

IndexRange IndexBounds::combine(SizeOp op, const IndexRange &a,
                                const IndexRange &b) const {
  bool areNotNegative = a.least >= 0 && b.least >= 0;
  switch (op) {
  case SizeOp::Add:
    return addRanges(a, b);
  case SizeOp::Sub:
    return addRanges(a, negate(b));
  case SizeOp::Mul:
    return multiplyRanges(a, b);
  case SizeOp::DivU:
  case SizeOp::DivS:
  case SizeOp::FloorDivS:
    return divide(a, b, /*isUp=*/false);
  case SizeOp::CeilDivU:
  case SizeOp::CeilDivS:
    return divide(a, b, /*isUp=*/true);
  case SizeOp::RemU:
  case SizeOp::RemS:
  case SizeOp::Mod:
    return remainder(a, b);
  case SizeOp::MinU:
    // A number that may be negative is a great one here.
    if (!areNotNegative)
      return a.least >= 0   ? IndexRange{0, a.greatest, 1}
             : b.least >= 0 ? IndexRange{0, b.greatest, 1}
                            : IndexRange();
    return least(a, b);
  case SizeOp::MinS:
    return least(a, b);
  case SizeOp::MaxU:
    return areNotNegative ? greatest(a, b) : IndexRange();
  case SizeOp::MaxS:
    return greatest(a, b);
  }
  llvm_unreachable("all operations are above");
}
