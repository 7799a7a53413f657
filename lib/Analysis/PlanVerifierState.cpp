//===- PlanVerifierState.cpp - What is known of memory at a point ---------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanVerifierState.h"

#include "llvm/ADT/STLExtras.h"

#include <limits>
#include <tuple>

using namespace mlir;

namespace memplan::planverifier {

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

bool addClobber(std::vector<Clobber> &clobbers, Clobber clobber) {
  std::vector<Clobber> added;
  int64_t begin = clobber.begin;
  for (const Clobber &old : clobbers) {
    if (old.end <= begin)
      continue;
    if (begin >= clobber.end || old.begin >= clobber.end)
      break;
    if (begin < old.begin)
      added.push_back({begin, old.begin, clobber.op, clobber.slot});
    begin = old.end;
  }
  if (begin < clobber.end)
    added.push_back({begin, clobber.end, clobber.op, clobber.slot});
  if (added.empty())
    return false;
  clobbers.insert(clobbers.end(), added.begin(), added.end());
  llvm::sort(clobbers, [](const Clobber &a, const Clobber &b) {
    return a.begin < b.begin;
  });
  return true;
}

void removeClobbers(std::vector<Clobber> &clobbers, const ByteSet &bytes) {
  if (clobbers.empty() || bytes.empty())
    return;
  std::vector<Clobber> rest;
  auto range = bytes.begin();
  for (Clobber clobber : clobbers) {
    while (range != bytes.end() && range->end <= clobber.begin)
      ++range;
    for (auto next = range; next != bytes.end() && next->begin < clobber.end;
         ++next) {
      if (clobber.begin < next->begin)
        rest.push_back({clobber.begin, next->begin, clobber.op, clobber.slot});
      clobber.begin = std::max(clobber.begin, next->end);
    }
    if (clobber.begin < clobber.end)
      rest.push_back(clobber);
  }
  clobbers = std::move(rest);
}

const Clobber *findClobber(const std::vector<Clobber> &clobbers,
                           const ByteSet &bytes) {
  auto range = bytes.begin();
  for (const Clobber &clobber : clobbers) {
    while (range != bytes.end() && range->end <= clobber.begin)
      ++range;
    if (range != bytes.end() && range->begin < clobber.end)
      return &clobber;
  }
  return nullptr;
}

static bool joinRefs(std::vector<Ref> &into, const std::vector<Ref> &from) {
  bool changed = false;
  for (const Ref &ref : from) {
    auto it = llvm::lower_bound(
        into, ref, [](const Ref &a, const Ref &b) { return a.slot < b.slot; });
    if (it == into.end() || it->slot != ref.slot) {
      into.insert(it, ref);
      changed = true;
      continue;
    }
    changed |= (ref.current && !it->current) || (ref.former && !it->former);
    it->current |= ref.current;
    it->former |= ref.former;
  }
  return changed;
}

bool joinEntry(Entry &into, const Entry &from) {
  bool changed = false;
  if (into.life != from.life && into.life != Life::Maybe) {
    into.life = Life::Maybe;
    changed = true;
  }
  if (from.written && !into.written)
    into.written = changed = true;
  if (into.consumed && !from.consumed) {
    into.consumed = false;
    changed = true;
  }
  for (const Clobber &clobber : from.clobbers)
    changed |= addClobber(into.clobbers, clobber);
  return joinRefs(into.refs, from.refs) || changed;
}

bool joinSnapshot(Snapshot &into, SnapshotRef from, ArrayRef<Handle> handles) {
  // A slot without an entry is not live; an arena or a merged handle without
  // one has not come into being on that path, which says nothing.
  const Entry absent;
  auto joinAbsent = [&](unsigned handle, Entry &entry) {
    return handles[handle].kind == HandleKind::Slot && joinEntry(entry, absent);
  };
  bool changed = false;
  Snapshot added;
  auto it = into.begin();
  for (const auto &[handle, entry] : from) {
    for (; it != into.end() && it->first < handle; ++it)
      changed |= joinAbsent(it->first, it->second);
    if (it != into.end() && it->first == handle) {
      changed |= joinEntry(it->second, *entry);
      ++it;
      continue;
    }
    added.push_back({handle, *entry});
    joinAbsent(handle, added.back().second);
  }
  for (; it != into.end(); ++it)
    changed |= joinAbsent(it->first, it->second);
  if (added.empty())
    return changed;
  auto byHandle = [](const auto &a, const auto &b) {
    return a.first < b.first;
  };
  size_t middle = into.size();
  into.insert(into.end(), std::make_move_iterator(added.begin()),
              std::make_move_iterator(added.end()));
  std::inplace_merge(into.begin(), into.begin() + middle, into.end(), byHandle);
  return true;
}

//===----------------------------------------------------------------------===//
// The working state
//===----------------------------------------------------------------------===//

static bool isSameSlot(const Ref &a, const Ref &b) { return a.slot == b.slot; }

constexpr int64_t kInactive = std::numeric_limits<int64_t>::min();

WorkingState::WorkingState(const Model &model)
    : model(model), entries(model.handles.size()),
      position(model.handles.size(), -1), loadedBy(model.handles.size(), 0),
      itemsOf(model.handles.size()) {
  for (unsigned id = 0; id != model.handles.size(); ++id)
    for (unsigned slot : model.handles[id].slots)
      items.push_back({id, slot});
  auto key = [&](const Item &item) {
    const Handle &slot = model.handles[item.slot];
    return std::make_tuple(slot.arena, slot.bytes.begin, item.slot,
                           item.handle);
  };
  llvm::sort(items,
             [&](const Item &a, const Item &b) { return key(a) < key(b); });
  for (unsigned i = 0; i != items.size(); ++i)
    itemsOf[items[i].handle].push_back(i);
  while (leaves < items.size())
    leaves *= 2;
  tree.assign(2 * leaves, kInactive);
  auto lowerBound = [&](unsigned arena, int64_t begin) {
    return llvm::partition_point(
               items,
               [&](const Item &item) {
                 const Handle &other = model.handles[item.slot];
                 return std::make_pair(other.arena, other.bytes.begin) <
                        std::make_pair(arena, begin);
               }) -
           items.begin();
  };
  reachOf.resize(model.handles.size());
  for (unsigned id = 0; id != model.handles.size(); ++id)
    if (const Handle &slot = model.handles[id]; slot.kind == HandleKind::Slot)
      reachOf[id] = {lowerBound(slot.arena, 0),
                     lowerBound(slot.arena, slot.bytes.end)};
}

void WorkingState::load(Snapshot &snapshot, bool keep) {
  // Most of it is what the last node left: only what differs moves in the tree.
  ++loads;
  for (const auto &loaded : snapshot)
    loadedBy[loaded.first] = loads;
  for (size_t i = present.size(); i-- > 0;)
    if (loadedBy[present[i]] != loads)
      erase(present[i]);
  for (auto &[handle, entry] : snapshot)
    set(handle, keep ? Entry(entry) : std::move(entry));
}

Entry *WorkingState::find(unsigned handle) {
  return position[handle] < 0 ? nullptr : &entries[handle];
}

Entry &WorkingState::get(unsigned handle) {
  if (position[handle] < 0)
    set(handle, {});
  return entries[handle];
}

void WorkingState::set(unsigned handle, Entry entry) {
  bool isNew = position[handle] < 0;
  if (isNew) {
    position[handle] = present.size();
    present.push_back(handle);
  }
  // Which items are active depends on nothing but the slots it may be.
  bool moves = isNew;
  if (!isNew && !llvm::equal(entries[handle].refs, entry.refs, isSameSlot)) {
    setActive(handle, false);
    moves = true;
  }
  entries[handle] = std::move(entry);
  if (moves)
    setActive(handle, true);
}

void WorkingState::erase(unsigned handle) {
  if (position[handle] < 0)
    return;
  setActive(handle, false);
  entries[handle] = {};
  unsigned last = present.back();
  present[position[handle]] = last;
  position[last] = position[handle];
  present.pop_back();
  position[handle] = -1;
}

void WorkingState::setActive(unsigned handle, bool active) {
  for (unsigned item : itemsOf[handle]) {
    // A slot without bytes overlaps nothing.
    ByteRange bytes = model.handles[items[item].slot].bytes;
    if (bytes.begin == bytes.end)
      continue;
    bool isRef = model.handles[handle].kind != HandleKind::Merged ||
                 llvm::any_of(entries[handle].refs, [&](const Ref &ref) {
                   return ref.slot == items[item].slot;
                 });
    if (isRef)
      setItem(item, active);
  }
}

void WorkingState::setItem(unsigned item, bool active) {
  size_t i = item + leaves;
  tree[i] = active ? model.handles[items[item].slot].bytes.end : kInactive;
  for (i /= 2; i != 0; i /= 2) {
    int64_t end = std::max(tree[2 * i], tree[2 * i + 1]);
    if (tree[i] == end)
      break;
    tree[i] = end;
  }
}

SmallVector<std::pair<unsigned, unsigned>, 8>
WorkingState::findOverlapping(unsigned slot) const {
  const Handle &self = model.handles[slot];
  SmallVector<std::pair<unsigned, unsigned>, 8> found;
  if (self.bytes.begin == self.bytes.end || tree[1] <= self.bytes.begin)
    return found;
  // Of the items of the arena that begin before `self` ends, the ones that end
  // after it begins.
  auto [first, last] = reachOf[slot];
  struct Range {
    unsigned node, begin, size;
  };
  SmallVector<Range, 32> stack = {{1, 0, static_cast<unsigned>(leaves)}};
  while (!stack.empty()) {
    Range range = stack.pop_back_val();
    if (range.size == 1) {
      found.push_back({items[range.begin].handle, items[range.begin].slot});
      continue;
    }
    unsigned half = range.size / 2, middle = range.begin + half;
    unsigned left = 2 * range.node, right = left + 1;
    if (middle < last && middle + half > first &&
        tree[right] > self.bytes.begin)
      stack.push_back({right, middle, half});
    if (range.begin < last && middle > first && tree[left] > self.bytes.begin)
      stack.push_back({left, range.begin, half});
  }
  return found;
}

} // namespace memplan::planverifier
