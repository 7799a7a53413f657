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

const Ref *RefSet::find(unsigned slot) const {
  auto it = llvm::lower_bound(refs, slot, [](const Ref &ref, unsigned wanted) {
    return ref.slot < wanted;
  });
  return it != refs.end() && it->slot == slot ? &*it : nullptr;
}

static std::vector<RefPlace> collectPlaces(ArrayRef<Ref> refs,
                                           const Places &places) {
  std::vector<RefPlace> found;
  for (const Ref &ref : refs)
    found.push_back({places.of(ref.slot), ref.slot, 1});
  llvm::sort(found, [](const RefPlace &a, const RefPlace &b) {
    return std::tie(a.place, a.slot) < std::tie(b.place, b.slot);
  });
  size_t size = 0;
  for (const RefPlace &next : found)
    if (size != 0 && found[size - 1].place == next.place)
      ++found[size - 1].count;
    else
      found[size++] = next;
  found.resize(size);
  return found;
}

const RefSet *RefSets::get(std::vector<Ref> refs) {
  size_t hash = 0;
  for (const Ref &ref : refs)
    hash = llvm::hash_combine(hash, ref.slot, ref.former);
  auto [begin, end] = known.equal_range(hash);
  for (auto it = begin; it != end; ++it)
    if (it->second->refs == refs)
      return it->second;
  std::vector<RefPlace> own = collectPlaces(refs, places);
  sets.push_back({std::move(refs), std::move(own)});
  known.insert({hash, &sets.back()});
  return &sets.back();
}

const RefSet *RefSets::getSlot(unsigned slot) {
  const RefSet *&set = slots[slot];
  if (!set)
    set = get({{slot, /*former=*/false}});
  return set;
}

const RefSet *RefSets::join(const RefSet *a, const RefSet *b) {
  if (a == b || b->empty())
    return a;
  if (a->empty())
    return b;
  const RefSet *&joined = joins[{a, b}];
  if (joined)
    return joined;
  std::vector<Ref> refs;
  auto x = a->refs.begin(), y = b->refs.begin();
  while (x != a->refs.end() || y != b->refs.end()) {
    if (y == b->refs.end() || (x != a->refs.end() && x->slot < y->slot)) {
      refs.push_back(*x++);
    } else if (x == a->refs.end() || y->slot < x->slot) {
      refs.push_back(*y++);
    } else {
      refs.push_back({x->slot, x->former || y->former});
      ++x;
      ++y;
    }
  }
  return joined = get(std::move(refs));
}

const Meeting &RefSets::meet(const RefSet *a, const RefSet *b) {
  std::unique_ptr<Meeting> &meeting = meetings[{a, b}];
  if (!meeting)
    meeting = std::make_unique<Meeting>(compare(*a, *b));
  return *meeting;
}

Meeting RefSets::compare(const RefSet &a, const RefSet &b) const {
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
  for (const Ref &x : a.refs) {
    const Ref *y = b.find(x.slot);
    unsigned place = places.of(x.slot);
    if (!y || !places.overlap(place, place))
      continue;
    meeting.shareSlot = true;
    meeting.shareLife |= !x.former && !y->former;
  }
  for (Overlap &overlap : meeting.overlaps)
    if (overlap.kind == Overlap::SameSlot &&
        !a.find(overlap.first.slot)->former &&
        !b.find(overlap.first.slot)->former)
      overlap.kind = Overlap::SameLife;
  return meeting;
}

} // namespace memplan::planverifier
