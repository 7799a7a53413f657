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

bool hasClobbers(const std::vector<Clobber> &clobbers, int64_t begin,
                 int64_t end) {
  for (const Clobber &clobber : clobbers)
    if (clobber.begin <= begin)
      begin = std::max(begin, clobber.end);
  return begin >= end;
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

static bool joinFacts(std::vector<SlotFact> &into,
                      const std::vector<SlotFact> &from) {
  bool changed = false;
  auto next = from.begin();
  llvm::erase_if(into, [&](SlotFact &fact) {
    while (next != from.end() && next->handle < fact.handle)
      ++next;
    if (next == from.end() || next->handle != fact.handle)
      return changed = true;
    if (fact.isDistinct && !next->isDistinct) {
      fact.isDistinct = false;
      changed = true;
    }
    return false;
  });
  return changed;
}

static bool joinEmptied(std::vector<Emptying> &into,
                        const std::vector<Emptying> &from) {
  bool changed = false;
  for (const Emptying &next : from) {
    auto own = llvm::lower_bound(into, next, [](const auto &a, const auto &b) {
      return a.number < b.number;
    });
    if (own == into.end() || own->number != next.number) {
      into.insert(own, next);
      changed = true;
      continue;
    }
    Emptying before = *own;
    own->isWritten |= next.isWritten;
    own->wasWritten &= next.wasWritten;
    changed |= !(before == *own);
  }
  return changed;
}

bool joinEntry(Entry &into, const Entry &from, RefSets &sets) {
  bool changed = joinFacts(into.facts, from.facts);
  changed |= joinEmptied(into.emptied, from.emptied);
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
  for (auto all : {&Entry::begun, &Entry::ownWritten})
    if (into.*all && !(from.*all)) {
      into.*all = false;
      changed = true;
    }
  for (const Clobber &clobber : from.clobbers)
    changed |= addClobber(into.clobbers, clobber);
  const RefSet *refs = from.refs && into.refs ? sets.join(into.refs, from.refs)
                       : into.refs            ? into.refs
                                              : from.refs;
  changed |= refs != into.refs;
  into.refs = refs;
  return changed;
}

static bool isEqual(const Entry &a, const Entry &b) {
  // To join it with clobbers does more than to compare them.
  return a.life == b.life && a.written == b.written &&
         a.consumed == b.consumed && a.begun == b.begun &&
         a.ownWritten == b.ownWritten && a.emptied == b.emptied &&
         a.clobbers.empty() && b.clobbers.empty() && a.refs == b.refs &&
         a.facts == b.facts;
}

bool joinState(StateMap &into, const StateMap &from, ArrayRef<Handle> handles,
               RefSets &sets) {
  // A slot without an entry is not live; an arena or a merged handle without
  // one has not come into being on that path, which says nothing.
  const Entry absent;
  SmallVector<std::pair<unsigned, EntryPtr>> changes;
  auto change = [&](unsigned handle, Entry entry) {
    changes.push_back({handle, new SharedEntry(std::move(entry))});
  };
  auto join = [&](unsigned handle, SharedEntry *to, SharedEntry *next) {
    bool isSlot = handles[handle].kind == HandleKind::Slot;
    if (!to) {
      Entry added = next->entry;
      if (isSlot)
        joinEntry(added, absent, sets);
      change(handle, std::move(added));
      return;
    }
    if ((!next && !isSlot) || (next && isEqual(to->entry, next->entry)))
      return;
    Entry joined = to->entry;
    if (joinEntry(joined, next ? next->entry : absent, sets))
      change(handle, std::move(joined));
  };
  StateMap::compare(into, from, join);
  for (auto &[handle, entry] : changes)
    into.set(handle, std::move(entry));
  return !changes.empty();
}

//===----------------------------------------------------------------------===//
// The working state
//===----------------------------------------------------------------------===//

WorkingState::WorkingState(const Model &model)
    : model(model), entries(model.handles.size()), saved(model.handles.size()),
      touchedSince(model.handles.size(), 0),
      depthPositions(model.handles.size()), kindPositions(model.handles.size()),
      places(model), slotIndex(model, places,
                               [](const Handle &handle) {
                                 return handle.kind == HandleKind::Slot;
                               }),
      mergedIndex(model, places,
                  [](const Handle &handle) {
                    return handle.kind == HandleKind::Merged;
                  }),
      sets(places, *model.idSets) {}

const StateMap &WorkingState::save() {
  for (unsigned handle : touched)
    saved.set(handle, entries[handle]);
  touched.clear();
  ++saves;
  return saved;
}

void WorkingState::load(StateMap state) {
  save();
  // Most of it is what the last node left.
  StateMap::compare(saved, state,
                    [&](unsigned handle, SharedEntry *, SharedEntry *entry) {
                      install(handle, entry);
                    });
  saved = std::move(state);
}

void WorkingState::touch(unsigned handle) {
  if (touchedSince[handle] == saves)
    return;
  touchedSince[handle] = saves;
  touched.push_back(handle);
}

Entry &WorkingState::edit(unsigned handle) {
  touch(handle);
  EntryPtr &entry = entries[handle];
  if (entry->UseCount() > 1)
    entry = new SharedEntry(entry->entry);
  return entry->entry;
}

Entry &WorkingState::get(unsigned handle) {
  if (!entries[handle])
    set(handle, {});
  return edit(handle);
}

void WorkingState::set(unsigned handle, Entry entry) {
  touch(handle);
  install(handle, new SharedEntry(std::move(entry)));
}

void WorkingState::erase(unsigned handle) {
  if (!entries[handle])
    return;
  touch(handle);
  install(handle, nullptr);
}

void WorkingState::install(unsigned handle, EntryPtr entry) {
  EntryPtr &old = entries[handle];
  // Where a handle is listed depends on nothing but the slots it may be.
  bool stays = old && entry && old->entry.refs == entry->entry.refs;
  if (old && !stays)
    setActive(handle, old->entry, false);
  if (!old != !entry)
    list(handle, entry != nullptr);
  old = std::move(entry);
  if (old && !stays)
    setActive(handle, old->entry, true);
}

void WorkingState::setActive(unsigned handle, const Entry &entry, bool active) {
  switch (model.handles[handle].kind) {
  case HandleKind::Arena:
    break;
  case HandleKind::Slot:
    slotIndex.set(handle, places.of(handle), active);
    break;
  case HandleKind::Merged:
    if (!entry.refs)
      break;
    for (const RefPlace &ref : entry.refs->places)
      mergedIndex.set(handle, ref.place, active);
    break;
  }
}

void WorkingState::List::add(unsigned handle,
                             std::vector<unsigned> &positions) {
  positions[handle] = handles.size();
  handles.push_back(handle);
}

void WorkingState::List::remove(unsigned handle,
                                std::vector<unsigned> &positions) {
  unsigned last = handles.back();
  handles[positions[handle]] = last;
  positions[last] = positions[handle];
  handles.pop_back();
}

void WorkingState::list(unsigned handle, bool present) {
  const Handle &info = model.handles[handle];
  auto move = [&](List &list, std::vector<unsigned> &positions) {
    if (present)
      list.add(handle, positions);
    else
      list.remove(handle, positions);
  };
  if (byDepth.size() <= info.depth)
    byDepth.resize(info.depth + 1);
  move(byDepth[info.depth], depthPositions);
  size_t count = byDepth[info.depth].handles.size();
  if (present && count == 1)
    depths.insert(info.depth);
  else if (!present && count == 0)
    depths.erase(info.depth);
  if (info.kind != HandleKind::Slot)
    move(info.kind == HandleKind::Arena ? arenas : merged, kindPositions);
}

void WorkingState::forEachPresent(unsigned depth,
                                  llvm::function_ref<void(unsigned)> fn) {
  for (auto it = depths.lower_bound(depth); it != depths.end(); ++it)
    for (unsigned handle : byDepth[*it].handles)
      fn(handle);
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

const RefSet *WorkingState::refsOf(unsigned handle) {
  if (model.handles[handle].kind == HandleKind::Slot)
    return sets.getSlot(handle);
  const Entry *entry = find(handle);
  return entry && entry->refs ? entry->refs : sets.getEmpty();
}

void WorkingState::setRefs(unsigned handle, const RefSet *refs) {
  if (refs != find(handle)->refs)
    edit(handle).refs = refs;
}

SmallVector<unsigned, 8> WorkingState::findAt(const RefSet &wanted) const {
  // Where many buffers travel each of them may be anywhere, and is found at
  // each place; it is cheaper to look at each buffer then.
  constexpr size_t kFew = 8;
  SmallVector<unsigned, 8> found;
  for (const RefPlace &ref : wanted.places)
    slotIndex.find(ref.place, found);
  if (wanted.places.size() <= kFew)
    for (const RefPlace &ref : wanted.places)
      mergedIndex.find(ref.place, found);
  else
    llvm::append_range(found, merged.handles);
  llvm::sort(found);
  found.erase(llvm::unique(found), found.end());
  return found;
}

SmallVector<unsigned, 8> WorkingState::findMerged(unsigned slot) const {
  SmallVector<unsigned, 8> found;
  mergedIndex.find(places.of(slot), found);
  llvm::erase_if(found, [&](unsigned handle) {
    return !find(handle)->refs->slots.contains(slot);
  });
  llvm::sort(found);
  found.erase(llvm::unique(found), found.end());
  return found;
}

} // namespace memplan::planverifier
