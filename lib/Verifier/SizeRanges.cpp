//===- SizeRanges.cpp - The values that sizes may have --------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operands of an atom have smaller numbers than it, so that the ranges of
// all atoms are computed in ascending order, without recursion.
//
//===----------------------------------------------------------------------===//

#include "memplan/Verifier/Sizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace memplan::verifier {

Sizes::Range Sizes::getFull(Type type) const {
  if (!isSmall(type))
    return {INT64_MIN, INT64_MAX};
  unsigned bits = type.isIndex() ? indexBits : type.getIntOrFloatBitWidth();
  return {llvm::minIntN(bits), llvm::maxIntN(bits)};
}

/// The range of what is an index, or a number modulo the size of an index that
/// may be more than one.
Sizes::Range Sizes::getIndexRange(Wide least, Wide greatest) const {
  if (least < llvm::minIntN(indexBits) || greatest > llvm::maxIntN(indexBits))
    return {llvm::minIntN(indexBits), llvm::maxIntN(indexBits)};
  return {static_cast<int64_t>(least), static_cast<int64_t>(greatest)};
}

/// The range of a function that grows or falls with each of two operands.
template <typename Fn>
Sizes::Range Sizes::getCornerRange(Range a, Range b, Fn fn) const {
  auto [least, greatest] =
      std::minmax({fn(a.least, b.least), fn(a.least, b.greatest),
                   fn(a.greatest, b.least), fn(a.greatest, b.greatest)});
  return getIndexRange(least, greatest);
}

Sizes::Range Sizes::getRange(const Term &term) {
  if (!facts)
    collectFacts();
  for (unsigned i = ranges.size(); i != atoms.size(); ++i) {
    ranges.push_back(restrict(computeRange(*atoms[i]), Term{1, {i}}));
    auto isProduct = [&](const Term &term) { return isProductOfKnown(term); };
    areSizes.push_back(ranges.back().least >= 0 ||
                       (atoms[i]->kind == Kind::Product &&
                        llvm::all_of(atoms[i]->operands, isProduct)));
  }
  return computeRange(term);
}

bool Sizes::isProductOfKnown(const Term &term) const {
  return static_cast<int64_t>(term.factor) >= 0 &&
         llvm::all_of(term.atoms,
                      [&](unsigned atom) { return areSizes[atom]; });
}

bool Sizes::isProductOfSizes(const Term &term) {
  return getRange(term).least >= 0 || isProductOfKnown(term);
}

/// The part of the range that the facts leave of it.
Sizes::Range Sizes::restrict(Range range, const Term &term) const {
  auto it = facts->find(term);
  if (it == facts->end())
    return range;
  Range both = {std::max(range.least, it->second.least),
                std::min(range.greatest, it->second.greatest)};
  // Nothing runs where facts contradict each other.
  return both.least <= both.greatest ? both : range;
}

/// From the ranges of the atoms.
Sizes::Range Sizes::computeRange(const Term &term) const {
  if (asAtom(term))
    return ranges[term.atoms.front()];
  auto constant = static_cast<int64_t>(term.factor);
  Range range = getIndexRange(constant, constant);
  for (unsigned atom : term.atoms)
    range = getCornerRange(range, ranges[atom],
                           [](Wide a, Wide b) { return a * b; });
  return restrict(range, term);
}

Sizes::Range Sizes::computeRange(const Atom &atom) const {
  Range full = getIndexRange(INT64_MIN, INT64_MAX);
  SmallVector<Range, 4> of;
  if (atom.kind != Kind::Op)
    for (const Term &term : atom.operands)
      of.push_back(computeRange(term));
  bool areNotNegative =
      llvm::all_of(of, [](Range range) { return range.least >= 0; });
  auto floor = [](Wide a, Wide b) { return a / b - (a % b < 0 ? 1 : 0); };
  auto ceil = [](Wide a, Wide b) { return a / b + (a % b > 0 ? 1 : 0); };
  bool mayBeGreat = false;
  bool isUp = atom.kind == Kind::CeilDivU || atom.kind == Kind::CeilDivS;
  switch (atom.kind) {
  case Kind::Value:
    return getFull(atom.value.getType());
  case Kind::Op:
    return getFull(Type::getFromOpaquePointer(atom.types.front()));
  case Kind::Extent:
    return {0, full.greatest};
  case Kind::Variable:
    if (of[0].least < of[1].greatest)
      return {of[0].least, of[1].greatest - 1};
    break;
  case Kind::Sum: {
    Wide least = 0, greatest = 0;
    for (Range range : of)
      least += range.least, greatest += range.greatest;
    return getIndexRange(least, greatest);
  }
  case Kind::Product:
    return getCornerRange(of[0], of[1], [](Wide a, Wide b) { return a * b; });
  case Kind::DivU:
  case Kind::CeilDivU:
  case Kind::RemU:
    // A negative divisor is a great one, and one of 0 counts as 1.
    mayBeGreat = of[1].least < 0;
    of[1] = mayBeGreat ? Range{1, full.greatest}
                       : Range{std::max<int64_t>(of[1].least, 1),
                               std::max<int64_t>(of[1].greatest, 1)};
    [[fallthrough]];
  case Kind::DivS:
  case Kind::RemS:
    if (of[0].least < 0)
      break;
    [[fallthrough]];
  case Kind::FloorDivS:
  case Kind::CeilDivS:
  case Kind::Mod:
    if (of[1].least < 1)
      break;
    if (atom.kind == Kind::Mod || atom.kind == Kind::RemU ||
        atom.kind == Kind::RemS)
      return {0, of[0].least < 0
                     ? of[1].greatest - 1
                     : std::min(of[0].greatest, of[1].greatest - 1)};
    // Division by a number greater than all of the range yields 0.
    if (atom.kind == Kind::DivU && mayBeGreat)
      return {0, of[0].greatest};
    return isUp ? getCornerRange(of[0], of[1], ceil)
                : getCornerRange(of[0], of[1], floor);
  case Kind::MinU:
  case Kind::MaxU:
    if (!areNotNegative)
      break;
    [[fallthrough]];
  case Kind::MinS:
  case Kind::MaxS: {
    bool isMin = atom.kind == Kind::MinU || atom.kind == Kind::MinS;
    for (Range range : of)
      of[0] = isMin ? Range{std::min(of[0].least, range.least),
                            std::min(of[0].greatest, range.greatest)}
                    : Range{std::max(of[0].least, range.least),
                            std::max(of[0].greatest, range.greatest)};
    return of[0];
  }
  case Kind::Select:
    return {std::min(of[1].least, of[2].least),
            std::max(of[1].greatest, of[2].greatest)};
  }
  return full;
}

std::optional<int64_t> Sizes::getMostElements(Value memref) {
  int64_t product = 1;
  for (int64_t i = 0, e = cast<MemRefType>(memref.getType()).getRank(); i != e;
       ++i) {
    // No memref has a negative extent.
    int64_t most =
        std::max<int64_t>(getRange(getExtent(memref, i)).greatest, 0);
    // A remainder of an unknown divisor has the greatest number but one.
    if (most >= llvm::maxIntN(indexBits) - 1 ||
        llvm::MulOverflow(product, most, product))
      return std::nullopt;
  }
  return product;
}

/// True if the op neither reads nor writes memory, whatever it computes.
static bool isBeforeAccesses(Operation &op) {
  if (op.getNumRegions() != 0)
    return false;
  if (isMemoryEffectFree(&op))
    return true;
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  SmallVector<MemoryEffects::EffectInstance> effects;
  if (interface)
    interface.getEffects(effects);
  return interface &&
         llvm::all_of(effects, [](const MemoryEffects::EffectInstance &effect) {
           return isa<MemoryEffects::Allocate>(effect.getEffect());
         });
}

void Sizes::collectFacts() {
  facts.emplace();
  // Conjunctions may share operands and be long.
  DenseSet<Value> seen;
  SmallVector<Value> open;
  for (Operation &op : function.getFunctionBody().front()) {
    auto assertion = dyn_cast<cf::AssertOp>(op);
    if (!assertion) {
      if (!isBeforeAccesses(op))
        break;
      continue;
    }
    open.push_back(assertion.getArg());
    while (!open.empty()) {
      Value condition = open.pop_back_val();
      if (!seen.insert(condition).second)
        continue;
      if (auto both = condition.getDefiningOp<arith::AndIOp>())
        llvm::append_range(open, both->getOperands());
      else
        addFact(condition);
    }
  }
}

void Sizes::addFact(Value condition) {
  auto comparison = condition.getDefiningOp<arith::CmpIOp>();
  if (!comparison || !isSmall(comparison.getLhs().getType()))
    return;
  Term term = get(comparison.getLhs());
  std::optional<int64_t> bound = get(comparison.getRhs()).getConstant();
  if (!bound || term.getConstant())
    return;
  Range full = getFull(comparison.getLhs().getType()), range = full;
  if (*bound <= full.least || *bound >= full.greatest)
    return;
  using Predicate = arith::CmpIPredicate;
  Predicate predicate = comparison.getPredicate();
  bool isUnsigned = predicate == Predicate::ult || predicate == Predicate::ule;
  // What is below a number without a sign is not negative.
  if (isUnsigned && *bound < 0)
    return;
  if (isUnsigned)
    range.least = 0;
  if (predicate == Predicate::eq)
    range = {*bound, *bound};
  else if (predicate == Predicate::slt || predicate == Predicate::ult)
    range.greatest = *bound - 1;
  else if (predicate == Predicate::sle || predicate == Predicate::ule)
    range.greatest = *bound;
  else if (predicate == Predicate::sgt)
    range.least = *bound + 1;
  else if (predicate == Predicate::sge)
    range.least = *bound;
  auto [it, isNew] = facts->try_emplace(std::move(term), range);
  if (!isNew)
    it->second = {std::max(it->second.least, range.least),
                  std::min(it->second.greatest, range.greatest)};
}

} // namespace memplan::verifier
