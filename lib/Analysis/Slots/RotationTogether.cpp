//===- RotationTogether.cpp - Buffers that go by two names ----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each name has a slot of its own, and the instance that several names are is
// in the slot of one of them: those of the others lie idle. Which one it is
// need not be known before a name is no more whose slot another one may be in.
// Then the program compares addresses, and leaves the other that slot if it is
// there, or its own.
//
// With the best of all iterations and the latest one it is like this:
//
//   %best' = select %better, %n, %best       has the slot of %best
//   scf.yield %n, %best'                     which may now be %n
//   ...
//   last use of %cur                         was %n
//     %same = address of %best == address of the slot of %cur
//     %slot of %best = select %same, %slot of %cur, %slot of %best
//     %free          = select %same, %slot of %best, %slot of %cur
//
//===----------------------------------------------------------------------===//

#include "Slots/RotationWalk.h"

using namespace mlir;
using namespace memplan;

/// True if the address of the name's value tells which slot it is in: a value
/// of the slots' own type can begin nowhere else in one. The verifier tells
/// slots apart that change, so the name must not be one that never does.
bool RotationWalk::isComparable(Id name) const {
  Value value = group.graph.getValue(name);
  Type type = group.recordOf.begin()->first->getResult(0).getType();
  if (value.getType() != type)
    return false;
  Operation *op = value.getDefiningOp();
  if (!op || !group.recordOf.contains(op))
    return true;
  auto it = taken.find(op);
  return it != taken.end() &&
         result.tokens[it->second].kind != Token::Kind::Slot;
}

/// Finds the only other name that is kept and may be in the slot that `name`
/// holds. Returns false if there are several.
bool RotationWalk::findPartner(State &state, Id name, KeepsFn keeps,
                               std::pair<Id, TokenId> *&partner) {
  partner = nullptr;
  for (auto &entry : state.names) {
    if (entry.first == name || !keeps(entry.first) ||
        !state.mayBeOne(entry.first, name))
      continue;
    // Where it is needs no question if it is its slot.
    if (isOwnValue(group.graph.getValue(entry.first), entry.first,
                   entry.second))
      continue;
    if (partner)
      return false;
    partner = &entry;
  }
  return true;
}

/// `dying` is no more. Returns the slot that nothing is in any more, or nothing
/// if it cannot be told: if more names than one that are kept may be in the
/// slot that it held, or in that of the one which is.
std::optional<RotationWalk::TokenId>
RotationWalk::retire(State &state, std::pair<Id, TokenId> dying, KeepsFn keeps,
                     Operation *before) {
  std::pair<Id, TokenId> *partner, *third;
  if (!findPartner(state, dying.first, keeps, partner))
    return std::nullopt;
  llvm::erase_if(state.together, [&](auto &pair) {
    return pair.first == dying.first || pair.second == dying.first;
  });
  if (!partner)
    return dying.second;
  if (!before || !isComparable(partner->first) ||
      !findPartner(state, partner->first, keeps, third) || third)
    return std::nullopt;
  Value value = group.graph.getValue(partner->first);
  Rotation::Choice::Name compared;
  if (auto opResult = dyn_cast<OpResult>(value))
    compared = {nullptr, opResult.getOwner(), opResult.getResultNumber()};
  else
    compared.argument = cast<BlockArgument>(value);
  auto number = static_cast<unsigned>(result.choices.size());
  result.choices.push_back({before, dying.second, partner->second,
                            /*isOwn=*/false, /*other=*/nullptr, compared});
  partner->second = addToken({Token::Kind::Chosen, number});
  held[group.indexOf.lookup(partner->first)] = partner->second;
  return addToken({Token::Kind::Rejected, number});
}

void RotationWalk::addTogether(State &state, Id first, Id second) {
  state.together.emplace_back(first, second);
  everTogether.insert({first, second});
}

/// A select of which an operand is used on, or may be one buffer with something
/// else. It takes the slot of one that is not, or one that lies idle.
LogicalResult RotationWalk::chooseTogether(SelectLikeOpInterface select,
                                           State &state) {
  Id name = group.graph.getId(select->getResult(0));
  int64_t after = group.order.end(select);
  SmallVector<Id, 2> sources;
  for (Value operand : {select.getTrueValue(), select.getFalseValue()}) {
    Id source = group.nameOf(operand);
    if (!group.isName(source))
      continue;
    if (state.find(source) == state.names.end())
      return impossible();
    sources.push_back(source);
  }
  assumptions.usesTogether = true;
  SmallVector<Id> partners;
  for (auto &entry : state.names)
    if (llvm::any_of(sources, [&](Id source) {
          return state.mayBeOne(entry.first, source);
        }))
      partners.push_back(entry.first);
  // Where the select takes the other operand, the slot of this one is still
  // that of anything else which may be the same buffer.
  auto *giver = llvm::find_if(sources, [&](Id source) {
    return !group.isLive(source, after) &&
           llvm::all_of(partners, [&](Id partner) {
             return llvm::is_contained(sources, partner) ||
                    !state.mayBeOne(partner, source);
           });
  });
  std::optional<TokenId> token;
  if (giver != sources.end()) {
    token = state.find(*giver)->second;
    state.names.erase(state.find(*giver));
    llvm::erase_if(state.together, [&](auto &pair) {
      return pair.first == *giver || pair.second == *giver;
    });
  } else if (!state.free.empty()) {
    token = state.free.pop_back_val();
  } else {
    ++assumptions.slotCount;
    return again();
  }
  for (Id partner : partners)
    if (state.find(partner) != state.names.end())
      addTogether(state, name, partner);
  hold(state, name, *token);
  return success();
}

/// `joined` has names and what they come in as. Returns true if two of the
/// latter may be one buffer of which that was not assumed.
bool RotationWalk::learnTogether(const State &state,
                                 ArrayRef<std::pair<Id, Id>> joined) {
  if (!assumptions.allowsTogether)
    return false;
  bool isNew = false;
  auto learn = [&](Id first, Id second) {
    assumptions.usesTogether = true;
    isNew |= assumptions.together
                 .insert({std::min(first, second), std::max(first, second)})
                 .second;
  };
  llvm::SmallDenseMap<Id, SmallVector<Id, 2>> comeAs;
  for (auto [name, key] : joined) {
    SmallVector<Id, 2> &keys = comeAs[name];
    for (Id other : keys)
      learn(other, key);
    keys.push_back(key);
  }
  for (auto [first, second] : state.together)
    for (Id one : comeAs.lookup(first))
      for (Id two : comeAs.lookup(second))
        learn(one, two);
  return isNew;
}
