//===- PlanVerifierIdentity.cpp - Which values are which slots ------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanVerifierIdentity.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;

namespace memplan::planverifier {

std::optional<SlotFact> SlotIdentity::findFact(int a, int b) {
  const Entry *entry = state.find(a);
  if (!entry)
    return std::nullopt;
  auto it = llvm::lower_bound(entry->facts, static_cast<unsigned>(b),
                              [](const SlotFact &fact, unsigned handle) {
                                return fact.handle < handle;
                              });
  if (it == entry->facts.end() || it->handle != static_cast<unsigned>(b))
    return std::nullopt;
  return *it;
}

bool SlotIdentity::isCompatible(int a, int b) {
  if (a == b || isDistinct(a, b) || findFact(a, b))
    return true;
  // What the last execution of a view gave is one buffer.
  const RefSet *first = state.refsOf(a), *second = state.refsOf(b);
  return !first->empty() && !second->empty() &&
         state.getSets().meet(first, second).isCompatible();
}

void SlotIdentity::renew(unsigned handle) {
  for (unsigned other : state.getMerged()) {
    if (other == handle)
      continue;
    std::optional<SlotFact> fact = findFact(other, handle);
    if (fact && !fact->isDistinct)
      llvm::erase_if(state.edit(other).facts, [&](const SlotFact &fact) {
        return fact.handle == handle;
      });
  }
  auto isLost = [](const SlotFact &fact) { return !fact.isDistinct; };
  const Entry *entry = state.find(handle);
  if (entry && llvm::any_of(entry->facts, isLost))
    llvm::erase_if(state.edit(handle).facts, isLost);
}

/// True if none of the slots shares bytes with one of the others.
bool SlotIdentity::areApart(const IdSet &a, const IdSet &b) const {
  constexpr size_t kFew = 16;
  const Places &places = state.getPlaces();
  auto first = places.of(a), second = places.of(b);
  return first.size() <= kFew && second.size() <= kFew &&
         llvm::none_of(first, [&](const RefPlace &one) {
           return llvm::any_of(second, [&](const RefPlace &two) {
             return places.overlap(one.place, two.place);
           });
         });
}

bool SlotIdentity::isDistinct(int a, int b) {
  if (a == kForeign || b == kForeign)
    return true;
  if (a == b)
    return false;
  if (std::optional<SlotFact> fact = findFact(a, b))
    if (fact->isDistinct)
      return true;
  // What is used no more was one of the slots that it may ever be.
  auto isGone = [&](int handle) {
    return model.handles[handle].kind == HandleKind::Merged &&
           !state.find(handle);
  };
  if (isGone(a) || isGone(b))
    return areApart(model.handles[a].slots, model.handles[b].slots);
  const RefSet *first = state.refsOf(a), *second = state.refsOf(b);
  // What has been no slot on any path so far is other memory.
  auto isForeign = [&](int handle, const RefSet *refs) {
    return refs->empty() && state.find(handle);
  };
  if (isForeign(a, first) || isForeign(b, second))
    return true;
  return !first->empty() && !second->empty() &&
         state.getSets().meet(first, second).overlaps.empty();
}

/// Facts are kept only of such pairs; others differ by their places, or may
/// share bytes.
bool SlotIdentity::mayBeOneSlot(unsigned a, unsigned b) const {
  const Handle &one = model.handles[a], &two = model.handles[b];
  if (one.kind != HandleKind::Merged || two.kind != HandleKind::Merged)
    return false;
  return IdSet::findCommon(one.slots, two.slots).has_value();
}

/// Whether any of `first` and any of `second` are distinct; nothing if they are
/// not even compatible.
std::optional<bool> SlotIdentity::compare(ArrayRef<int> first,
                                          ArrayRef<int> second) {
  bool distinct = true;
  for (int a : first)
    for (int b : second) {
      if (isDistinct(a, b))
        continue;
      if (!isCompatible(a, b))
        return std::nullopt;
      distinct = false;
    }
  return distinct;
}

/// True if the select `op` gives another slot than `other`, which a select by
/// the same condition has given.
bool SlotIdentity::isOtherChoice(Operation *op, unsigned other) {
  auto select = dyn_cast_if_present<SelectLikeOpInterface>(op);
  auto earlier =
      model.handles[other].value.getDefiningOp<SelectLikeOpInterface>();
  if (!select || !earlier || select.getCondition() != earlier.getCondition())
    return false;
  return isDistinct(aliases.handleOf(select.getTrueValue()),
                    aliases.handleOf(earlier.getTrueValue())) &&
         isDistinct(aliases.handleOf(select.getFalseValue()),
                    aliases.handleOf(earlier.getFalseValue()));
}

/// True if the select `op` gives another slot than `other` by comparing their
/// addresses:
///
///   %same = arith.cmpi eq, %address_of_other, %address_of_a
///   %free = arith.select %same, %b, %a
///
/// is never %other, whatever slot that is, if %a and %b are different ones. All
/// are of one type: a value of the type of a slot begins where the slot does.
bool SlotIdentity::isMadeToDiffer(Operation *op, unsigned other) {
  auto select = dyn_cast_if_present<arith::SelectOp>(op);
  auto compare =
      select ? select.getCondition().getDefiningOp<arith::CmpIOp>() : nullptr;
  auto type = select ? dyn_cast<MemRefType>(select.getType()) : MemRefType();
  if (!compare || !type || !type.hasStaticShape() ||
      !type.getLayout().isIdentity())
    return false;
  Value equal = select.getFalseValue(), unequal = select.getTrueValue();
  if (compare.getPredicate() == arith::CmpIPredicate::ne)
    std::swap(equal, unequal);
  else if (compare.getPredicate() != arith::CmpIPredicate::eq)
    return false;
  auto isAddressOf = [&](Value address, int handle) {
    auto op = address.getDefiningOp<memref::ExtractAlignedPointerAsIndexOp>();
    return op && op.getSource().getType() == type &&
           aliases.handleOf(op.getSource()) == handle;
  };
  int a = aliases.handleOf(equal), b = aliases.handleOf(unequal);
  if (a == kForeign || b == kForeign || !isDistinct(a, b))
    return false;
  for (auto [first, second] : {std::pair(compare.getLhs(), compare.getRhs()),
                               std::pair(compare.getRhs(), compare.getLhs())})
    if (isAddressOf(first, static_cast<int>(other)) && isAddressOf(second, a))
      return true;
  return false;
}

Entries SlotIdentity::tellApart(Entries &bound, ArrayRef<Binding> bindings,
                                ArrayRef<unsigned> others, Operation *select) {
  llvm::SmallDenseMap<unsigned, ArrayRef<int>> sourcesOf;
  for (const Binding &binding : bindings)
    sourcesOf[binding.target] = binding.sources;
  auto sort = [](Entry &entry) {
    llvm::sort(entry.facts, [](const SlotFact &a, const SlotFact &b) {
      return a.handle < b.handle;
    });
  };
  for (auto &[target, entry] : bound)
    entry.facts.clear();
  for (size_t i = 0; i != bound.size(); ++i)
    for (size_t j = 0; j != i; ++j) {
      unsigned one = bound[i].first, two = bound[j].first;
      if (!mayBeOneSlot(one, two))
        continue;
      if (std::optional<bool> distinct =
              compare(sourcesOf[one], sourcesOf[two])) {
        bound[i].second.facts.push_back({two, *distinct});
        bound[j].second.facts.push_back({one, *distinct});
      }
    }
  IdSet targetSlots;
  if (!others.empty())
    for (auto &[target, entry] : bound)
      targetSlots =
          model.idSets->unite(targetSlots, model.handles[target].slots);
  Entries changed;
  for (unsigned handle : others) {
    // Most have nothing to do with the targets, now or before.
    if (!IdSet::findCommon(model.handles[handle].slots, targetSlots))
      continue;
    Entry entry = *state.find(handle);
    llvm::erase_if(entry.facts, [&](const SlotFact &fact) {
      return sourcesOf.contains(fact.handle);
    });
    for (auto &[target, targetEntry] : bound) {
      if (!mayBeOneSlot(target, handle))
        continue;
      std::optional<bool> distinct =
          compare(sourcesOf[target], static_cast<int>(handle));
      if (isOtherChoice(select, handle) || isMadeToDiffer(select, handle))
        distinct = true;
      if (!distinct)
        continue;
      targetEntry.facts.push_back({handle, *distinct});
      entry.facts.push_back({target, *distinct});
    }
    sort(entry);
    changed.push_back({handle, std::move(entry)});
  }
  for (auto &[target, entry] : bound)
    sort(entry);
  return changed;
}

} // namespace memplan::planverifier
