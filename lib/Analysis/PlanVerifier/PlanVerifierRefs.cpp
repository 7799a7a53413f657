//===- PlanVerifierRefs.cpp - Sets of slots -------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanVerifierRefs.h"

#include <tuple>

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
    sets.push_back({current, former, slots, places.of(slots), {}});
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

/// Calls `fn` with the places of the set that share bytes with `place`.
void RefSets::findOverlapping(
    const RefSet &set, unsigned place,
    llvm::function_ref<void(const RefPlace &)> fn) const {
  if (set.ends.empty())
    for (const RefPlace &own : set.places) {
      int64_t end = places.bytes(own.place).end;
      size_t count = set.ends.size();
      if (count != 0 &&
          places.arena(set.places[count - 1].place) == places.arena(own.place))
        end = std::max(end, set.ends.back());
      set.ends.push_back(end);
    }
  std::pair<unsigned, unsigned> reach = places.reach(place);
  // Back from those that begin before it ends, as long as one that is left may
  // end after it begins.
  const auto *it = llvm::partition_point(set.places, [&](const RefPlace &own) {
    return own.place < reach.second;
  });
  for (size_t i = it - set.places.begin(); i-- > 0;) {
    const RefPlace &own = set.places[i];
    if (own.place < reach.first || set.ends[i] <= places.bytes(place).begin)
      return;
    if (places.overlap(own.place, place))
      fn(own);
  }
}

Meeting RefSets::compare(const RefSet &a, const RefSet &b) {
  Meeting meeting;
  auto isOne = [](const RefPlace &x, const RefPlace &y) {
    return x.slot == y.slot && x.count == 1 && y.count == 1;
  };
  auto add = [&](const RefPlace &x, const RefPlace &y) {
    meeting.overlaps.push_back(
        {x, y, isOne(x, y) ? Overlap::SameSlot : Overlap::Differ});
  };
  if (a.places.size() <= b.places.size())
    for (const RefPlace &x : a.places)
      findOverlapping(b, x.place, [&](const RefPlace &y) { add(x, y); });
  else
    for (const RefPlace &y : b.places)
      findOverlapping(a, y.place, [&](const RefPlace &x) { add(x, y); });
  llvm::sort(meeting.overlaps, [](const Overlap &one, const Overlap &other) {
    return std::tie(one.first.place, one.second.place) <
           std::tie(other.first.place, other.second.place);
  });
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
