//===- PlanVerifierPlaces.cpp - Who may be where --------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanVerifierPlaces.h"

using namespace mlir;

namespace memplan::planverifier {

Places::Places(const Model &model) : own(model.handles.size()) {
  auto key = [&](unsigned slot) {
    const Handle &handle = model.handles[slot];
    return std::make_tuple(handle.arena, handle.bytes.begin, handle.bytes.end);
  };
  for (unsigned id = 0; id != model.handles.size(); ++id)
    if (model.handles[id].kind == HandleKind::Slot)
      slots.push_back(id);
  std::vector<unsigned> ordered(slots);
  llvm::stable_sort(ordered,
                    [&](unsigned a, unsigned b) { return key(a) < key(b); });
  for (size_t i = 0; i != ordered.size(); ++i) {
    const Handle &slot = model.handles[ordered[i]];
    if (i == 0 || key(ordered[i]) != key(ordered[i - 1]))
      places.push_back({slot.arena, slot.bytes});
    auto place = static_cast<unsigned>(places.size() - 1);
    own[ordered[i]] = {place, ordered[i], ordered[i], 1};
  }
  auto lowerBound = [&](unsigned arena, int64_t begin) -> unsigned {
    return llvm::partition_point(places,
                                 [&](const Place &other) {
                                   return std::make_pair(other.arena,
                                                         other.bytes.begin) <
                                          std::make_pair(arena, begin);
                                 }) -
           places.begin();
  };
  for (Place &place : places) {
    place.reachBegin = lowerBound(place.arena, 0);
    place.reachEnd = lowerBound(place.arena, place.bytes.end);
  }
}

std::vector<unsigned> Places::withoutBytes() const {
  std::vector<unsigned> found;
  llvm::copy_if(slots, std::back_inserter(found),
                [&](unsigned slot) { return !overlap(of(slot), of(slot)); });
  return found;
}

ArrayRef<RefPlace> Places::of(IdSet set) const {
  if (set.empty())
    return {};
  if (set.isOne())
    return own[set.front()];
  auto known = placesOf.find(set.key());
  if (known != placesOf.end())
    return known->second;
  std::vector<RefPlace> found;
  // All slots of the one come before those of the other.
  ArrayRef<RefPlace> left = of(set.left()), right = of(set.right());
  while (!left.empty() || !right.empty()) {
    if (right.empty() ||
        (!left.empty() && left.front().place < right.front().place)) {
      found.push_back(left.consume_front());
    } else if (left.empty() || right.front().place < left.front().place) {
      found.push_back(right.consume_front());
    } else {
      found.push_back(left.consume_front());
      found.back().last = right.front().last;
      found.back().count += right.consume_front().count;
    }
  }
  return placesOf[set.key()] = std::move(found);
}

constexpr int64_t kInactive = std::numeric_limits<int64_t>::min();

PlaceIndex::PlaceIndex(const Model &model, const Places &places,
                       llvm::function_ref<bool(const Handle &)> isWanted)
    : places(places) {
  for (unsigned id = 0; id != model.handles.size(); ++id)
    if (isWanted(model.handles[id]))
      for (const RefPlace &own : places.of(model.handles[id].slots))
        items.push_back({own.place, id});
  llvm::sort(items, [](const Item &a, const Item &b) {
    return std::tie(a.place, a.handle) < std::tie(b.place, b.handle);
  });
  for (unsigned i = 0; i != items.size(); ++i)
    while (begins.size() <= items[i].place)
      begins.push_back(i);
  while (begins.size() <= places.size())
    begins.push_back(items.size());
  while (leaves < items.size())
    leaves *= 2;
  tree.assign(2 * leaves, kInactive);
}

void PlaceIndex::set(unsigned handle, unsigned place, bool active) {
  // What has no bytes overlaps nothing.
  ByteRange bytes = places.bytes(place);
  if (bytes.begin == bytes.end)
    return;
  auto begin = items.begin() + begins[place];
  auto it = std::lower_bound(
      begin, items.begin() + begins[place + 1], handle,
      [](const Item &item, unsigned wanted) { return item.handle < wanted; });
  if (it == items.begin() + begins[place + 1] || it->handle != handle)
    return;
  size_t i = it - items.begin() + leaves;
  tree[i] = active ? bytes.end : kInactive;
  for (i /= 2; i != 0; i /= 2) {
    int64_t end = std::max(tree[2 * i], tree[2 * i + 1]);
    if (tree[i] == end)
      break;
    tree[i] = end;
  }
}

void PlaceIndex::find(unsigned place,
                      SmallVectorImpl<unsigned> &handles) const {
  ByteRange self = places.bytes(place);
  if (self.begin == self.end || tree[1] <= self.begin)
    return;
  // Of the items of the arena that begin before `place` ends, the ones that end
  // after it begins.
  auto [firstPlace, lastPlace] = places.reach(place);
  unsigned first = begins[firstPlace], last = begins[lastPlace];
  struct Range {
    unsigned node, begin, size;
  };
  SmallVector<Range, 32> stack = {{1, 0, static_cast<unsigned>(leaves)}};
  while (!stack.empty()) {
    Range range = stack.pop_back_val();
    if (range.begin >= last || range.begin + range.size <= first ||
        tree[range.node] <= self.begin)
      continue;
    if (range.size == 1) {
      handles.push_back(items[range.begin].handle);
      continue;
    }
    unsigned half = range.size / 2;
    stack.push_back({2 * range.node + 1, range.begin + half, half});
    stack.push_back({2 * range.node, range.begin, half});
  }
}

} // namespace memplan::planverifier
