//===- PlanVerifierState.h - What is known of memory at a point -*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state is sparse: a handle without an entry is a slot that is not live and
// has undefined contents. One working state is changed along a node; it is
// saved where control goes to another node, and goes on from what was saved for
// the next one: either costs what differs.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_ANALYSIS_PLANVERIFIERSTATE_H
#define MEMPLAN_LIB_ANALYSIS_PLANVERIFIERSTATE_H

#include "PlanVerifierPlaces.h"
#include "PlanVerifierStateMap.h"

#include <set>

namespace memplan::planverifier {

/// Entries of some handles.
using Entries = std::vector<std::pair<unsigned, Entry>>;

/// A set of bytes as sorted disjoint ranges.
using ByteSet = std::vector<ByteRange>;

/// Adds the bytes of `clobber` that `clobbers` has not yet. Returns true if
/// there were any.
bool addClobber(std::vector<Clobber> &clobbers, Clobber clobber);

/// True if `clobbers` has all bytes of [begin, end).
bool hasClobbers(const std::vector<Clobber> &clobbers, int64_t begin,
                 int64_t end);

/// Removes `bytes` from `clobbers`.
void removeClobbers(std::vector<Clobber> &clobbers, const ByteSet &bytes);

/// The first of `clobbers` that meets `bytes`, or null.
const Clobber *findClobber(const std::vector<Clobber> &clobbers,
                           const ByteSet &bytes);

/// Makes `into` no better than `from`. Returns true if it changed.
bool joinEntry(Entry &into, const Entry &from, RefSets &sets);
bool joinState(StateMap &into, const StateMap &from,
               llvm::ArrayRef<Handle> handles, RefSets &sets);

class WorkingState {
public:
  explicit WorkingState(const Model &model);

  /// Becomes what was saved.
  void load(StateMap state);
  /// What it is now.
  const StateMap &save();

  const Entry *find(unsigned handle) const {
    return entries[handle] ? &entries[handle]->entry : nullptr;
  }
  /// The entry of a present handle, to be changed; its `refs` stay.
  Entry &edit(unsigned handle);
  /// Finds or creates the entry of an arena or a slot.
  Entry &get(unsigned handle);
  void set(unsigned handle, Entry entry);
  void erase(unsigned handle);

  /// Calls `fn` with the present handles, in no order that means anything, that
  /// are defined in at least `depth` regions.
  void forEachPresent(unsigned depth, llvm::function_ref<void(unsigned)> fn);
  llvm::ArrayRef<unsigned> getArenas() const { return arenas.handles; }
  llvm::ArrayRef<unsigned> getMerged() const { return merged.handles; }

  /// The slots that a handle may be.
  const RefSet *refsOf(unsigned handle);
  /// The same slots as before, which are something else now.
  void setRefs(unsigned handle, const RefSet *refs);

  /// The present handles that may be a slot whose bytes overlap one of
  /// `wanted`, and maybe more, sorted.
  llvm::SmallVector<unsigned, 8> findAt(const RefSet &wanted) const;
  /// The present merged handles that may be `slot`.
  llvm::SmallVector<unsigned, 8> findMerged(unsigned slot) const;

  const Places &getPlaces() const { return places; }
  RefSets &getSets() { return sets; }

private:
  /// Present handles in a list that any can be taken from.
  struct List {
    std::vector<unsigned> handles;
    void add(unsigned handle, std::vector<unsigned> &positions);
    void remove(unsigned handle, std::vector<unsigned> &positions);
  };

  void touch(unsigned handle);
  void install(unsigned handle, EntryPtr entry);
  void setActive(unsigned handle, const Entry &entry, bool active);
  void list(unsigned handle, bool present);

  const Model &model;
  std::vector<EntryPtr> entries;
  /// What was loaded or saved last, and the handles changed since.
  StateMap saved;
  std::vector<unsigned> touched;
  std::vector<unsigned> touchedSince;
  unsigned saves = 1;

  /// Of some depths there are none; `depths` are the others.
  std::vector<List> byDepth;
  std::set<unsigned> depths;
  List arenas, merged;
  std::vector<unsigned> depthPositions, kindPositions;

  Places places;
  PlaceIndex slotIndex, mergedIndex;
  RefSets sets;
};

} // namespace memplan::planverifier

#endif // MEMPLAN_LIB_ANALYSIS_PLANVERIFIERSTATE_H
