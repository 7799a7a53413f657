//===- PlanVerifierRefs.cpp - Sets of slots -------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanVerifierRefs.h"

using namespace mlir;

namespace memplan::planverifier {

RefSets::RefSets(const Places &places, IdSets &ids)
    : places(places), ids(ids), withoutBytes(ids.get(places.withoutBytes())),
      empty(get(IdSet(), IdSet())) {}

const RefSet *RefSets::get(IdSet current, IdSet former) {
  current = ids.subtract(current, former);
  const RefSet *&set = known[{current.key(), former.key()}];
  if (!set) {
    IdSet slots = ids.unite(current, former);
    sets.push_back({current, former, slots, places.of(slots)});
    set = &sets.back();
  }
  return set;
}

const RefSet *RefSets::join(const RefSet *a, const RefSet *b) {
  if (a == b || b->empty())
    return a;
  if (a->empty())
    return b;
  const RefSet *&joined = joins[{a, b}];
  if (!joined)
    joined =
        get(ids.unite(a->current, b->current), ids.unite(a->former, b->former));
  return joined;
}

const RefSet *RefSets::makeFormer(const RefSet *set, IdSet slots) {
  return get(set->current, ids.unite(set->former, slots));
}

const RefSet *RefSets::after(const RefSet *set, unsigned slot) {
  return get(ids.after(set->current, slot), ids.after(set->former, slot));
}

std::optional<unsigned> RefSets::findShared(const RefSet *a, const RefSet *b,
                                            bool isOneLife) {
  return IdSet::findCommon(
      ids.subtract(isOneLife ? a->current : a->slots, withoutBytes),
      isOneLife ? b->current : b->slots);
}

const Meeting &RefSets::meet(const RefSet *a, const RefSet *b) {
  std::unique_ptr<Meeting> &meeting = meetings[{a, b}];
  if (!meeting)
    meeting = std::make_unique<Meeting>(compare(*a, *b));
  return *meeting;
}

Meeting RefSets::compare(const RefSet &a, const RefSet &b) {
  Meeting meeting;
  auto isOne = [](const RefPlace &x, const RefPlace &y) {
    return x.slot == y.slot && x.count == 1 && y.count == 1;
  };
  for (const RefPlace &x : a.places) {
    std::pair<unsigned, unsigned> reach = places.reach(x.place);
    auto it = llvm::partition_point(
        b.places, [&](const RefPlace &y) { return y.place < reach.first; });
    for (; it != b.places.end() && it->place < reach.second; ++it)
      if (places.overlap(x.place, it->place))
        meeting.overlaps.push_back(
            {x, *it, isOne(x, *it) ? Overlap::SameSlot : Overlap::Differ});
  }
  meeting.shareSlot = findShared(&a, &b, /*isOneLife=*/false).has_value();
  meeting.shareLife = findShared(&a, &b, /*isOneLife=*/true).has_value();
  for (Overlap &overlap : meeting.overlaps)
    if (overlap.kind == Overlap::SameSlot &&
        a.current.contains(overlap.first.slot) &&
        b.current.contains(overlap.first.slot))
      overlap.kind = Overlap::SameLife;
  return meeting;
}

} // namespace memplan::planverifier
